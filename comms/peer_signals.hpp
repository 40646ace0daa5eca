// What kernels that exchange faces themselves do with flags (core/joint_launch_device.hpp). For sources
// compiled as CUDA.
#pragma once

#include "comms/peer_flags.hpp"

namespace plaq {
namespace detail {

// PTX memory model: a release at system scope covers what this thread has seen, and with it all earlier
// kernels of the stream.
__device__ inline void store_release(std::uint64_t* to, std::uint64_t value) {
  asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory");
}
__device__ inline std::uint64_t load_acquire(const std::uint64_t* from) {
  std::uint64_t value;
  asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(from) : "memory");
  return value;
}

}  // namespace detail

class PeerSignals {
 public:
  // off: nothing is sent, nothing awaited.
  explicit PeerSignals(const PeerFlags& flags, bool off = false) : flags_(flags), off_(off) {}

  // For all threads of a block that has packed. The last one of `blocks` raises the flags.
  __device__ void packed(unsigned blocks) const {
    if (off_) return;
    __syncthreads();
    if (threadIdx.x != 0) return;
    __threadfence_system();  // what the block stored comes before what it counts
    if (atomicAdd(flags_.packed, 1u) + 1 != blocks) return;
    __threadfence_system();
    *flags_.packed = 0;
    const std::uint64_t now = *flags_.started + 1;
    *flags_.started = now;
    for (int m = 0; m < flags_.sends; ++m) detail::store_release(flags_.sent_to[m], now);
  }

  // For all threads of a warp: faces of this exchange are here.
  __device__ void wait() const {
    if (off_) return;
    const auto lane = static_cast<int>(threadIdx.x % 32);
    if (lane < flags_.receives) {
      const std::uint64_t now = *static_cast<const volatile std::uint64_t*>(flags_.finished) + 1;
      while (detail::load_acquire(flags_.received_from[lane]) < now) __nanosleep(40);
    }
    __syncwarp();
  }

  // For all threads of a warp that has waited; `warps` in all do.
  __device__ void waited(unsigned warps) const {
    if (off_) return;
    __syncwarp();
    if (threadIdx.x % 32 != 0) return;
    if (atomicAdd(flags_.waited, 1u) + 1 != warps) return;
    *flags_.waited = 0;
    *flags_.finished += 1;
  }

 private:
  PeerFlags flags_;
  bool off_;
};

}  // namespace plaq
