#include "gaugefix/fourier/row_transform.hpp"

#include "core/system/error.hpp"
#include "gaugefix/fourier/algebra_rows.hpp"
#include "gaugefix/fourier/cufft_library.hpp"
#include "kernels/fourier/line_transform.hpp"

namespace plaq {

namespace {

struct HostPlan final : RowTransform::Plan {
  std::vector<LineTransform<float>> lines;
  std::size_t bytes;

  HostPlan(const std::vector<int>& extents, int stride, int batch) {
    int total = batch;
    for (const int n : extents) total *= n;
    bytes = static_cast<std::size_t>(total) * sizeof(ComplexPair);
    int inner = stride;
    for (std::size_t i = extents.size(); i-- > 0; inner *= extents[i])
      lines.emplace_back(extents[i], inner, total / (inner * extents[i]));
  }
  void run(void* to, const void* from, bool forward, const Queue& queue) override {
    if (to != from) queue.copy_async(to, from, bytes);
    for (const LineTransform<float>& line : lines) line.run(static_cast<ComplexPair*>(to), forward);
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
  void run(void* to, const void* from, bool forward, const Queue& queue) override {
    const CufftLibrary& cufft = CufftLibrary::get();
    CufftLibrary::check(cufft.set_stream(plan, static_cast<cudaStream_t>(queue.stream())), "cufftSetStream");
    auto* in = const_cast<cufftComplex*>(static_cast<const cufftComplex*>(from));  // read only
    CufftLibrary::check(
        cufft.exec_c2c(plan, in, static_cast<cufftComplex*>(to), forward ? CUFFT_FORWARD : CUFFT_INVERSE),
        "cufftExecC2C");
  }
};
#endif

}  // namespace

RowTransform::RowTransform(Location location, const std::vector<int>& extents, int stride, int batch,
                           [[maybe_unused]] int distance) {
  if (location == Location::host) {
    plan_ = std::make_unique<HostPlan>(extents, stride, batch);
    return;
  }
#if defined(PLAQ_WITH_CUFFT)
  plan_ = std::make_unique<CufftPlan>(extents, stride, batch, distance);
#else
  throw Error(ErrorKind::device, "Fourier acceleration on a GPU needs cuFFT, with which plaq was not built");
#endif
}

RowTransform::~RowTransform() = default;

void RowTransform::run(void* to, const void* from, bool forward, const Queue& queue) const {
  plan_->run(to, from, forward, queue);
}

}  // namespace plaq
