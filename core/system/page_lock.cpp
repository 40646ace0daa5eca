#include "core/system/page_lock.hpp"

#if defined(PLAQ_WITH_CUDA)
#include <cuda_runtime.h>
#endif

namespace plaq {

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
