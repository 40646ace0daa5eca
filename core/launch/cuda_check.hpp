// Turns CUDA's error codes into exceptions. Not for headers that plain C++ files without CUDA read.
#pragma once

#if defined(PLAQ_WITH_CUDA)
#include <cuda_runtime_api.h>

#include <string>

#include "core/system/error.hpp"

namespace plaq {
inline void check_cuda(cudaError_t status, const char* what) {
  if (status != cudaSuccess)
    throw Error(ErrorKind::device, std::string(what) + ": " + cudaGetErrorString(status));
}
}  // namespace plaq
#endif
