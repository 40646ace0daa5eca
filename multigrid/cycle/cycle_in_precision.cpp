#include "multigrid/cycle/cycle_in_precision.hpp"

#include <utility>

#include "kernels/blas/convert.hpp"
#include "kernels/blas/krylov_operations.hpp"
#include "kernels/blas/tape_update.hpp"

namespace plaq {

CycleInPrecision::CycleInPrecision(std::unique_ptr<Cycle> cycle, Precision precision, int batch)
    : cycle_(std::move(cycle)), precision_(precision), workspace_(cycle_->queue(), batch) {
  const FieldSpec inside = cycle_->spec(batch);
  if (inside.precision == precision) return;
  in_ = Field(geometry(), inside);
  out_ = Field(geometry(), inside);
}

FieldSpec CycleInPrecision::spec(int batch) const {
  FieldSpec spec = cycle_->spec(batch);
  spec.precision = precision_;
  return spec;
}

void CycleInPrecision::run(Field& out, const Field& in, bool dagger, const ActiveSet& active) {
  require(!dagger, "a cycle has no adjoint");
  if (!in_) return cycle_->apply(out, in, active);
  std::vector<blas::Coefficients> same(static_cast<std::size_t>(in.batch()), {0, {1}});
  for (int k = 0; k < active.count(); ++k) same[static_cast<std::size_t>(active[k])].active = 1;
  const auto convert = [&](Field& to, const Field& from) {
    blas::convert(workspace_, same, to, from);
    blas::tape_update(to, active.count(), blas::work_of<blas::Copy>(active.count(), {&from, &to}));
  };
  convert(in_, in);
  cycle_->apply(out_, in_, active);
  convert(out, out_);
}

}  // namespace plaq
