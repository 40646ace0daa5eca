#include "comms/gpus/peer_signals.hpp"

namespace plaq {
namespace {

constexpr int lanes = 32;
static_assert(PeerFlags::most <= lanes);

__global__ void __launch_bounds__(lanes) raise_kernel(PeerFlags flags) {
  const int lane = static_cast<int>(threadIdx.x);
  const std::uint64_t now = *flags.started + 1;
  __threadfence_system();
  __syncwarp();
  if (lane < flags.sends) detail::store_release(flags.sent_to[lane], now);
  if (lane == 0) *flags.started = now;
}

__global__ void __launch_bounds__(lanes) await_kernel(PeerFlags flags) {
  const int lane = static_cast<int>(threadIdx.x);
  const std::uint64_t now = *flags.finished + 1;
  __syncwarp();
  if (lane < flags.receives && !flags.no_wait)
    while (detail::load_acquire(flags.received_from[lane]) < now) __nanosleep(100);
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
