// Copies from a device's memory into the shared memory of a block that go on while the thread computes:
// kernel sources compiled as CUDA only. A thread waits for its own copies; for those of others a barrier is
// needed too.
#pragma once

#include <cuda_runtime.h>

namespace plaq {

// An address in shared memory, as these functions take it.
using SharedAddress = unsigned;
__device__ __forceinline__ SharedAddress shared_address(const void* at) {
  return static_cast<SharedAddress>(__cvta_generic_to_shared(at));
}

// Bytes: 16 or 4, aligned.
template <int Bytes>
__device__ __forceinline__ void copy_async(SharedAddress to, const void* from) {
  static_assert(Bytes == 16 || Bytes == 4);
#if __CUDA_ARCH__ >= 800
  if constexpr (Bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from) : "memory");
  }
#else
  if constexpr (Bytes == 16) {
    const uint4 v = __ldg(static_cast<const uint4*>(from));
    asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w)
                 : "memory");
  } else {
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(to), "r"(__ldg(static_cast<const unsigned*>(from)))
                 : "memory");
  }
#endif
}
// Until all copies that this thread asked for are there.
__device__ __forceinline__ void await_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

// Loads data that copies brought. Volatile: the load is never moved over a barrier.
__device__ __forceinline__ uint4 load_shared16(SharedAddress at) {
  uint4 v;
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "r"(at));
  return v;
}
__device__ __forceinline__ float load_shared4(SharedAddress at) {
  float v;
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v) : "r"(at));
  return v;
}

}  // namespace plaq
