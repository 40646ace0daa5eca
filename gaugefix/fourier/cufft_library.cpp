#include "gaugefix/fourier/cufft_library.hpp"

#if defined(PLAQ_WITH_CUFFT)
#include <string>

#include "core/system/shared_library.hpp"

namespace plaq {
namespace {

CufftLibrary load() {
  const SharedLibrary library("libcufft.so." + std::to_string(CUFFT_VER_MAJOR),
                              "cuFFT, which Fourier acceleration on a GPU needs,", ErrorKind::device);
  CufftLibrary cufft;
  library.find(cufft.plan_many, "cufftPlanMany");
  library.find(cufft.set_stream, "cufftSetStream");
  library.find(cufft.exec_c2c, "cufftExecC2C");
  library.find(cufft.destroy, "cufftDestroy");
  return cufft;
}

}  // namespace

const CufftLibrary& CufftLibrary::get() {
  static const CufftLibrary cufft = load();  // tried again where it failed
  return cufft;
}

void CufftLibrary::check(cufftResult status, const char* what) {
  if (status != CUFFT_SUCCESS)
    throw Error(ErrorKind::device,
                std::string(what) + ": cuFFT says " + std::to_string(static_cast<int>(status)));
}

}  // namespace plaq
#endif
