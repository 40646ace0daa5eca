#include "comms/peer_flags.hpp"

namespace plaq {
namespace {

constexpr int lanes = 32;
static_assert(PeerFlags::most <= lanes);

// PTX memory model: a release at system scope covers what this thread has seen, and with it all earlier
// kernels of the stream.
__device__ void store_release(std::uint64_t* to, std::uint64_t value) {
  asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory");
}
__device__ std::uint64_t load_acquire(const std::uint64_t* from) {
  std::uint64_t value;
  asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(from) : "memory");
  return value;
}

__global__ void __launch_bounds__(lanes) raise_kernel(PeerFlags flags) {
  const int lane = static_cast<int>(threadIdx.x);
  const std::uint64_t now = *flags.started + 1;
  __threadfence_system();
  __syncwarp();
  if (lane < flags.sends) store_release(flags.sent_to[lane], now);
  if (lane == 0) *flags.started = now;
}

__global__ void __launch_bounds__(lanes) await_kernel(PeerFlags flags) {
  const int lane = static_cast<int>(threadIdx.x);
  const std::uint64_t now = *flags.finished + 1;
  __syncwarp();
  if (lane < flags.receives)
    while (load_acquire(flags.received_from[lane]) < now) __nanosleep(100);
  __syncwarp();
  __threadfence_system();
  if (lane == 0) *flags.finished = now;
}

}  // namespace

void raise_flags(const PeerFlags& flags, const Queue& queue) {
  raise_kernel<<<1, lanes, 0, static_cast<cudaStream_t>(queue.stream())>>>(flags);
  check_launch(__func__);
}

void await_flags(const PeerFlags& flags, const Queue& queue) {
  await_kernel<<<1, lanes, 0, static_cast<cudaStream_t>(queue.stream())>>>(flags);
  check_launch(__func__);
}

}  // namespace plaq
