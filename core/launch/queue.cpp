#include "core/launch/queue.hpp"

#include <cstring>
#include <utility>

#include "core/launch/cuda_check.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/fork.hpp"
#include "core/system/timer.hpp"
#include "core/system/waiting.hpp"

namespace plaq {

#if defined(PLAQ_WITH_CUDA)

namespace {
cudaStream_t as_stream(void* s) { return static_cast<cudaStream_t>(s); }
cudaEvent_t as_event(void* e) { return static_cast<cudaEvent_t>(e); }
}  // namespace

Queue::Queue(Location location, std::shared_ptr<Tuner> tuner, std::shared_ptr<Profiler> profiler)
    : location_(location), tuner_(std::move(tuner)), profiler_(std::move(profiler)) {
  if (location == Location::host || runs_dry()) return;
  cudaStream_t stream = nullptr;
  check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
  stream_ = std::shared_ptr<void>(stream, [](void* s) { cudaStreamDestroy(as_stream(s)); });
}

bool Queue::capturing() const {
  if (location_ == Location::host || runs_dry()) return false;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  check_cuda(cudaStreamIsCapturing(as_stream(stream()), &status), "cudaStreamIsCapturing");
  return status != cudaStreamCaptureStatusNone;
}

void Queue::synchronize() const {
  if (location_ != Location::device || runs_dry()) return;
  const Waiting wait([] { return std::string("this rank's GPU"); });
  check_cuda(cudaStreamSynchronize(as_stream(stream())), "cudaStreamSynchronize");
}

void Queue::check() const {
  if (location_ != Location::device || runs_dry()) return;
  const cudaError_t status = cudaStreamQuery(as_stream(stream()));
  if (status != cudaErrorNotReady) check_cuda(status, "cudaStreamQuery");
}

void Queue::wait(const Event& event) const { event.synchronize_on(*this); }

void Queue::copy_async(void* to, const void* from, std::size_t bytes) const {
  if (bytes == 0 || runs_dry()) return;
  if (location_ == Location::host) {
    std::memcpy(to, from, bytes);
  } else {
    check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, as_stream(stream())), "cudaMemcpyAsync");
  }
}

void Queue::zero_async(void* to, std::size_t bytes) const {
  if (bytes == 0 || runs_dry()) return;
  if (location_ == Location::host) {
    std::memset(to, 0, bytes);
  } else {
    check_cuda(cudaMemsetAsync(to, 0, bytes, as_stream(stream())), "cudaMemsetAsync");
  }
}

Event::Event(Location location) : location_(location) {
  if (location == Location::host || runs_dry()) return;
  cudaEvent_t event = nullptr;
  check_cuda(cudaEventCreate(&event), "cudaEventCreate");
  event_ = std::shared_ptr<void>(event, [](void* e) { cudaEventDestroy(as_event(e)); });
}

void Event::record(const Queue& queue) {
  if (runs_dry()) return;
  if (location_ == Location::host) {
    host_seconds_ = seconds_now();
  } else {
    check_cuda(cudaEventRecord(as_event(event_.get()), as_stream(queue.stream())), "cudaEventRecord");
  }
}

void Event::synchronize() const {
  if (location_ != Location::device || runs_dry()) return;
  const Waiting wait([] { return std::string("this rank's GPU"); });
  check_cuda(cudaEventSynchronize(as_event(event_.get())), "cudaEventSynchronize");
}

void Event::synchronize_on(const Queue& queue) const {
  if (location_ == Location::device && queue.location() == Location::device && !runs_dry())
    check_cuda(cudaStreamWaitEvent(as_stream(queue.stream()), as_event(event_.get()), 0),
               "cudaStreamWaitEvent");
}

bool Event::done() const {
  if (location_ == Location::host || runs_dry()) return true;
  const cudaError_t status = cudaEventQuery(as_event(event_.get()));
  if (status == cudaErrorNotReady) return false;
  check_cuda(status, "cudaEventQuery");
  return true;
}

double Event::milliseconds_to(const Event& later) const {
  if (runs_dry()) return 0;
  if (location_ == Location::host) return 1e3 * (later.host_seconds_ - host_seconds_);
  float ms = 0;
  check_cuda(cudaEventElapsedTime(&ms, as_event(event_.get()), as_event(later.event_.get())),
             "cudaEventElapsedTime");
  return ms;
}

int device_count() {
  static const int count = [] {
    int n = 0;
    if (cudaGetDeviceCount(&n) != cudaSuccess) {
      (void)cudaGetLastError();
      n = 0;
    }
    return n;
  }();
  return count;
}

void use_device(int index) {
  has_what_forks_lack();
  check_cuda(cudaSetDevice(index), "cudaSetDevice");
}

int device_index() {
  int index = 0;
  if (device_count() > 0) check_cuda(cudaGetDevice(&index), "cudaGetDevice");
  return index;
}

std::string device_name() {
  int index = 0;
  check_cuda(cudaGetDevice(&index), "cudaGetDevice");
  cudaDeviceProp properties{};
  check_cuda(cudaGetDeviceProperties(&properties, index), "cudaGetDeviceProperties");
  return properties.name;
}

std::string device_driver() {
  int driver = 0, runtime = 0;
  check_cuda(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  check_cuda(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  const auto text = [](int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  };
  return "CUDA driver " + text(driver) + ", runtime " + text(runtime);
}

std::size_t device_memory() {
  if (device_count() == 0) return 0;
  std::size_t unused = 0, total = 0;
  check_cuda(cudaMemGetInfo(&unused, &total), "cudaMemGetInfo");
  return total;
}

std::string device_bus_id() {
  int index = 0;
  check_cuda(cudaGetDevice(&index), "cudaGetDevice");
  return device_bus_id(index);
}

std::string device_bus_id(int index) {
  char id[32] = {};
  check_cuda(cudaDeviceGetPCIBusId(id, sizeof id, index), "cudaDeviceGetPCIBusId");
  return id;
}

void check_launch(const char* kernel) { check_cuda(cudaGetLastError(), kernel); }

#else

namespace {
[[noreturn]] void no_cuda() {
  throw Error(ErrorKind::device, "this plaq was built without CUDA: it runs on the host only");
}
}  // namespace

Queue::Queue(Location location, std::shared_ptr<Tuner> tuner, std::shared_ptr<Profiler> profiler)
    : location_(location), tuner_(std::move(tuner)), profiler_(std::move(profiler)) {
  if (location == Location::device && !runs_dry()) no_cuda();
}
bool Queue::capturing() const { return false; }
void Queue::synchronize() const {}
void Queue::check() const {}
void Queue::wait(const Event&) const {}
void Queue::copy_async(void* to, const void* from, std::size_t bytes) const {
  if (bytes != 0 && !runs_dry()) std::memcpy(to, from, bytes);
}
void Queue::zero_async(void* to, std::size_t bytes) const {
  if (bytes != 0 && !runs_dry()) std::memset(to, 0, bytes);
}
Event::Event(Location location) : location_(location) {
  if (location == Location::device && !runs_dry()) no_cuda();
}
void Event::record(const Queue&) { host_seconds_ = seconds_now(); }
void Event::synchronize() const {}
void Event::synchronize_on(const Queue&) const {}
bool Event::done() const { return true; }
double Event::milliseconds_to(const Event& later) const {
  return 1e3 * (later.host_seconds_ - host_seconds_);
}
int device_count() { return 0; }
void use_device(int) { no_cuda(); }
int device_index() { return 0; }
std::string device_name() { return "none"; }
std::string device_driver() { return "none"; }
std::size_t device_memory() { return 0; }
std::string device_bus_id() { return {}; }
std::string device_bus_id(int) { return {}; }
void check_launch(const char*) {}

#endif

}  // namespace plaq
