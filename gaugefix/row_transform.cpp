#include "gaugefix/row_transform.hpp"

#include <fftw3.h>

#include "core/error.hpp"
#include "gaugefix/cufft_library.hpp"

namespace plaq {

struct RowTransform::Plan {
  virtual ~Plan() = default;
  virtual void run(void* data, bool forward, const Queue& queue) = 0;
};

namespace {

struct FftwPlan final : RowTransform::Plan {
  fftwf_plan forward = nullptr, backward = nullptr;

  FftwPlan(const std::vector<int>& n, int stride, int batch, int distance) {
    // FFTW_ESTIMATE looks at the alignment of an array, at nothing in it.
    alignas(128) static char nothing[128];
    auto* at = reinterpret_cast<fftwf_complex*>(nothing);
    const auto make = [&](int sign) {
      return fftwf_plan_many_dft(static_cast<int>(n.size()), n.data(), batch, at, nullptr, stride, distance,
                                 at, nullptr, stride, distance, sign, FFTW_ESTIMATE);
    };
    forward = make(FFTW_FORWARD);
    backward = make(FFTW_BACKWARD);
    require(forward != nullptr && backward != nullptr, "FFTW has no plan for this lattice");
  }
  ~FftwPlan() override {
    fftwf_destroy_plan(forward);
    fftwf_destroy_plan(backward);
  }
  void run(void* data, bool is_forward, const Queue&) override {
    auto* at = static_cast<fftwf_complex*>(data);
    fftwf_execute_dft(is_forward ? forward : backward, at, at);
  }
};

#if defined(PLAQ_WITH_CUFFT)
struct CufftPlan final : RowTransform::Plan {
  cufftHandle plan{};

  CufftPlan(const std::vector<int>& n, int stride, int batch, int distance) {
    std::vector<int> extents = n;  // not const in cuFFT; the embedding is needed for strides to count
    CufftLibrary::check(
        CufftLibrary::get().plan_many(&plan, static_cast<int>(n.size()), extents.data(), extents.data(),
                                      stride, distance, extents.data(), stride, distance, CUFFT_C2C, batch),
        "cufftPlanMany");
  }
  ~CufftPlan() override { CufftLibrary::get().destroy(plan); }
  void run(void* data, bool forward, const Queue& queue) override {
    const CufftLibrary& cufft = CufftLibrary::get();
    CufftLibrary::check(cufft.set_stream(plan, static_cast<cudaStream_t>(queue.stream())), "cufftSetStream");
    auto* at = static_cast<cufftComplex*>(data);
    CufftLibrary::check(cufft.exec_c2c(plan, at, at, forward ? CUFFT_FORWARD : CUFFT_INVERSE),
                        "cufftExecC2C");
  }
};
#endif

}  // namespace

RowTransform::RowTransform(Location location, const std::vector<int>& extents, int stride, int batch,
                           int distance) {
  if (location == Location::host) {
    plan_ = std::make_unique<FftwPlan>(extents, stride, batch, distance);
    return;
  }
#if defined(PLAQ_WITH_CUFFT)
  plan_ = std::make_unique<CufftPlan>(extents, stride, batch, distance);
#else
  throw Error(ErrorKind::device, "Fourier acceleration on a GPU needs cuFFT, with which plaq was not built");
#endif
}

RowTransform::~RowTransform() = default;

void RowTransform::run(void* data, bool forward, const Queue& queue) const {
  plan_->run(data, forward, queue);
}

}  // namespace plaq
