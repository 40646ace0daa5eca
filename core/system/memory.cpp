#include "core/system/memory.hpp"

#include <sys/mman.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>

#include "core/launch/cuda_check.hpp"
#include "core/launch/queue.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/kept_memory.hpp"

#if defined(PLAQ_WITH_CUDA)
#include <cuda_runtime.h>
#endif

namespace plaq {
namespace {

std::atomic<std::size_t> in_use_bytes[2], high_water_bytes[2], from_system;

void count(Location location, std::size_t bytes) {
  const int i = location == Location::device;
  const std::size_t now = in_use_bytes[i] += bytes;
  std::size_t most = high_water_bytes[i];
  while (now > most && !high_water_bytes[i].compare_exchange_weak(most, now)) {
  }
}

[[noreturn]] void out_of_memory(Location location, std::size_t bytes) {
  throw Error(location == Location::device ? ErrorKind::device : ErrorKind::internal,
              "out of memory: cannot allocate " + std::to_string(bytes >> 20) + " MiB on the " +
                  std::string(name_of(location)) + ", " +
                  std::to_string(in_use_bytes[location == Location::device] >> 20) +
                  " MiB are in use by this rank");
}

// Address space without pages, which the host may fill: what it writes is little.
std::shared_ptr<void> count_only(DryRun& run, Location location, std::size_t bytes) {
  const int access = location == Location::host ? PROT_READ | PROT_WRITE : PROT_NONE;
  void* p = ::mmap(nullptr, bytes, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED)
    p = ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) out_of_memory(location, bytes);
  const auto entry = run.memory().enter({memory_name(""), bytes, location});
  return {p, [&run, entry, bytes](void* q) {
            ::munmap(q, bytes);
            run.memory().leave(entry);
          }};
}

// Null where the system has none.
void* take_from_system(const kept_memory::Kind& kind) {
  void* p = nullptr;
#if defined(PLAQ_WITH_CUDA)
  if (kind.location == Location::device || kind.pinned) {
    const bool there =
        (kind.pinned ? cudaMallocHost(&p, kind.bytes) : cudaMalloc(&p, kind.bytes)) == cudaSuccess;
    if (!there) (void)cudaGetLastError();
    return there ? p : nullptr;
  }
#else
  if (kind.location == Location::device)
    throw Error(ErrorKind::device, "this plaq was built without CUDA: there is no device memory");
#endif
  // Kernels walk many arrays at once: with small pages they would wait for address translation.
  constexpr std::size_t huge_page = std::size_t{2} << 20;
  const std::size_t unit = kind.bytes >= 4 * huge_page ? huge_page : 128;
  p = std::aligned_alloc(unit, (kind.bytes + unit - 1) / unit * unit);
  // A wish: without it all works, slower.
  if (p != nullptr && unit == huge_page) (void)madvise(p, kind.bytes, MADV_HUGEPAGE);
  return p;
}

// Gives kept memory back before buffers take so much more from the system.
void make_room(Location location, std::size_t bytes) {
  const std::size_t kept = kept_memory::bytes(location);
  if (kept == 0) return;
  const int i = location == Location::device;
  const std::size_t most = high_water_bytes[i], wanted = in_use_bytes[i] + bytes;
  const std::uint64_t free = free_memory(location);  // with what is kept
  const bool little = free != unknown_memory && free - kept < bytes + most / 4;
  const std::size_t together = (little ? 1 : 2) * most;
  kept_memory::shrink(location, together > wanted ? together - wanted : 0);
}

std::shared_ptr<void> allocate(Location location, std::size_t bytes, bool pinned) {
  const kept_memory::Kind kind{location, pinned && location == Location::host && device_count() > 0, bytes};
  const int i = location == Location::device;
  void* p = kept_memory::take(kind);
  if (p == nullptr) {
    make_room(location, bytes);
    ++from_system;
    p = take_from_system(kind);
    if (p == nullptr) {
      kept_memory::shrink(location, 0);
      p = take_from_system(kind);
    }
    if (p == nullptr) out_of_memory(location, bytes);
  }
  return {p, [kind, i](void* q) {
            if (!kept_memory::keep(kind, q)) kept_memory::give_back(kind, q);
            in_use_bytes[i] -= kind.bytes;
          }};
}

}  // namespace

std::size_t kept_memory::taken_from_system() { return from_system; }

void kept_memory::give_back(const Kind& kind, void* memory) {
#if defined(PLAQ_WITH_CUDA)
  if (kind.location == Location::device) return (void)cudaFree(memory);
  if (kind.pinned) return (void)cudaFreeHost(memory);
#endif
  if (kind.location == Location::host) std::free(memory);
}

void kept_memory::wait_until_unused(const Kind& kind) {
#if defined(PLAQ_WITH_CUDA)
  if (kind.location == Location::device || kind.pinned) (void)cudaDeviceSynchronize();
#endif
  (void)kind;
}

Buffer::Buffer(Location location, std::size_t bytes, bool pinned) : bytes_(bytes), location_(location) {
  if (bytes == 0) return;
  if (DryRun* run = DryRun::current()) {
    data_ = count_only(*run, location, bytes);
    return;
  }
  data_ = allocate(location, bytes, pinned);
  count(location, bytes);
}

void Buffer::fill_zero() {
  if (bytes_ == 0 || runs_dry()) return;
  if (location_ == Location::host) {
    std::memset(data_.get(), 0, bytes_);
    return;
  }
#if defined(PLAQ_WITH_CUDA)
  check_cuda(cudaMemset(data_.get(), 0, bytes_), "cudaMemset");
  check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
#endif
}

std::size_t Buffer::in_use(Location location) { return in_use_bytes[location == Location::device]; }
std::size_t Buffer::high_water(Location location) { return high_water_bytes[location == Location::device]; }
void Buffer::forget_high_water() {
  for (std::size_t i = 0; i < 2; ++i) high_water_bytes[i] = in_use_bytes[i].load();
}

void copy_bytes(void* to, Location to_location, const void* from, Location from_location, std::size_t bytes) {
  if (bytes == 0 || runs_dry()) return;
  if (to_location == Location::host && from_location == Location::host) {
    std::memcpy(to, from, bytes);
    return;
  }
  // Queues do not wait for the default stream, nor it for them: what they still have to write must come
  // first.
  wait_for_device();
#if defined(PLAQ_WITH_CUDA)
  check_cuda(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), "cudaMemcpy");
#endif
  wait_for_device();
}

void wait_for_device() {
#if defined(PLAQ_WITH_CUDA)
  if (!runs_dry()) check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
#endif
}

#if defined(PLAQ_WITH_CUDA)

bool lock_pages(void* memory, std::size_t bytes) {
  if (cudaHostRegister(memory, bytes, cudaHostRegisterMapped) != cudaSuccess) {
    (void)cudaGetLastError();
    return false;
  }
  void* seen = nullptr;  // kernels use the same address
  if (cudaHostGetDevicePointer(&seen, memory, 0) == cudaSuccess && seen == memory) return true;
  (void)cudaGetLastError();
  unlock_pages(memory);
  return false;
}

void unlock_pages(void* memory) { (void)cudaHostUnregister(memory); }

#else

bool lock_pages(void*, std::size_t) { return false; }
void unlock_pages(void*) {}

#endif

}  // namespace plaq
