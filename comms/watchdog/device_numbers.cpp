#include "comms/watchdog/device_waits.hpp"

#if defined(PLAQ_WITH_CUDA)
#include <chrono>
#include <mutex>
#include <thread>

#include "core/launch/cuda_check.hpp"
#include "core/system/error.hpp"
#include "core/system/timer.hpp"

namespace plaq {
namespace {

constexpr std::size_t most = 32;
constexpr double patience = 0.5;

class NumberReader {
 public:
  static NumberReader& get() {
    static auto* reader = new NumberReader;  // for ever: a watchdog may read when CUDA is taken down
    return *reader;
  }

  std::optional<std::vector<std::uint64_t>> read(const std::vector<const std::uint64_t*>& at) {
    require(at.size() <= most, "too many numbers to read at once");
    const std::lock_guard lock(mutex_);
    cudaError_t status = cudaSetDevice(device_);  // each thread has a device of its own
    for (std::size_t i = 0; i < at.size() && status == cudaSuccess; ++i)
      status = cudaMemcpyAsync(here_ + i, at[i], sizeof *here_, cudaMemcpyDeviceToHost, stream_);
    // Work that an earlier call gave up on comes first in the stream, so that it overwrites nothing of ours.
    if (status == cudaSuccess) status = cudaStreamQuery(stream_);
    const double end = seconds_now() + patience;
    while (status == cudaErrorNotReady && seconds_now() < end) {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
      status = cudaStreamQuery(stream_);
    }
    (void)cudaGetLastError();  // "not ready" is no error of a launch that this thread checks later
    if (status == cudaSuccess) return std::vector<std::uint64_t>(here_, here_ + at.size());
    return std::nullopt;
  }

 private:
  // Streams may share a hardware queue, in which a copy that waits for a kernel holds up those behind it.
  // None of plaq's other streams has this priority.
  NumberReader() {
    check_cuda(cudaGetDevice(&device_), "cudaGetDevice");
    int least = 0, greatest = 0;
    check_cuda(cudaDeviceGetStreamPriorityRange(&least, &greatest), "cudaDeviceGetStreamPriorityRange");
    check_cuda(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, greatest),
               "cudaStreamCreateWithPriority");
    void* memory = nullptr;
    check_cuda(cudaMallocHost(&memory, most * sizeof *here_), "cudaMallocHost");
    here_ = static_cast<std::uint64_t*>(memory);
  }

  std::mutex mutex_;
  int device_ = 0;
  cudaStream_t stream_ = nullptr;
  std::uint64_t* here_ = nullptr;  // page-locked: the copy needs no host
};

}  // namespace

std::optional<std::vector<std::uint64_t>> device_numbers(const std::vector<const std::uint64_t*>& at) {
  return NumberReader::get().read(at);
}

}  // namespace plaq
#endif
