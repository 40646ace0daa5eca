// Flags raised and awaited by kernels that exchange faces themselves (core/launch/fused_launch_device.hpp).
// For sources compiled as CUDA.
#pragma once

#include "comms/gpus/peer_flags.hpp"

namespace plaq {
namespace detail {

// PTX memory model: what a block has stored before its barrier comes before what one of its threads then
// counts or stores with a release at system scope. A release needs no more than a wait for those stores;
// an acquire, and __threadfence_system(), would also drop the first-level cache of the multiprocessor, with
// what other blocks keep there.
__device__ inline void fence_release() { asm volatile("fence.acq_rel.sys;" ::: "memory"); }
__device__ inline void store_relaxed(std::uint64_t* to, std::uint64_t value) {
  asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory");
}
__device__ inline std::uint64_t load_relaxed(const std::uint64_t* from) {
  std::uint64_t value;
  asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(from) : "memory");
  return value;
}
__device__ inline void store_release(std::uint64_t* to, std::uint64_t value) {
  asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory");
}
__device__ inline std::uint64_t load_acquire(const std::uint64_t* from) {
  std::uint64_t value;
  asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(from) : "memory");
  return value;
}
__device__ inline unsigned add_release(unsigned* to, unsigned value) {
  unsigned before;
  asm volatile("atom.add.release.sys.global.u32 %0, [%1], %2;"
               : "=r"(before)
               : "l"(to), "r"(value)
               : "memory");
  return before;
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
    if (detail::add_release(flags_.packed, 1u) + 1 != blocks) return;
    detail::fence_release();  // after what the other blocks stored and counted
    *flags_.packed = 0;
    const std::uint64_t now = *flags_.started + 1;
    *flags_.started = now;
    for (int m = 0; m < flags_.sends; ++m) detail::store_relaxed(flags_.sent_to[m], now);
  }

  // For all threads of a warp: faces of this exchange are here.
  //
  // No acquire, which would drop the first-level cache once a warp: what is read later are ghosts, of which
  // that cache has nothing, since nobody here reads them before the flag; and a warp issues no load before
  // the branch that this one decides.
  __device__ void wait() const {
    if (off_) return;
    const auto lane = static_cast<int>(threadIdx.x % 32);
    if (lane < flags_.receives && !flags_.no_wait) {
      const std::uint64_t now = *static_cast<const volatile std::uint64_t*>(flags_.finished) + 1;
      while (detail::load_relaxed(flags_.received_from[lane]) < now) __nanosleep(40);
    }
    __threadfence_block();
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
