#include "gaugefix/fourier/cufft_library.hpp"

#if defined(PLAQ_WITH_CUFFT)
#include <dlfcn.h>

#include <string>

#include "core/system/error.hpp"

namespace plaq {
namespace {

CufftLibrary load() {
  const std::string name = "libcufft.so." + std::to_string(CUFFT_VER_MAJOR);
  void* library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* why = ::dlerror();
    throw Error(ErrorKind::device, std::string("cuFFT, which Fourier acceleration on a GPU needs, cannot be "
                                               "loaded: ") +
                                       (why != nullptr ? why : name));
  }
  CufftLibrary cufft;
  const auto find = [&](auto& function, const char* symbol) {
    void* address = ::dlsym(library, symbol);
    if (address == nullptr) throw Error(ErrorKind::device, name + " has no " + symbol);
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(address);
  };
  find(cufft.plan_many, "cufftPlanMany");
  find(cufft.set_stream, "cufftSetStream");
  find(cufft.exec_c2c, "cufftExecC2C");
  find(cufft.destroy, "cufftDestroy");
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
