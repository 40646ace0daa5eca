// cuFFT, loaded when it is wanted: it is large, and all but Fourier acceleration goes without it. For sources
// with CUDA.
#pragma once

#if defined(PLAQ_WITH_CUFFT)
#include <cufft.h>

namespace plaq {

struct CufftLibrary {
  // Loads libcufft.so of the version that plaq was compiled for. Throws Error(device), saying why it cannot
  // be used.
  static const CufftLibrary& get();

  decltype(&::cufftPlanMany) plan_many = nullptr;
  decltype(&::cufftSetStream) set_stream = nullptr;
  decltype(&::cufftExecC2C) exec_c2c = nullptr;
  decltype(&::cufftDestroy) destroy = nullptr;

  static void check(cufftResult status, const char* what);
};

}  // namespace plaq
#endif
