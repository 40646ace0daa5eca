#include "multigrid/cycle/cycle_in_precision.hpp"

#include <utility>

#include "kernels/blas/convert.hpp"
#include "kernels/blas/krylov_operations.hpp"
#include "kernels/blas/update_work.hpp"

namespace plaq {

CycleInPrecision::CycleInPrecision(const ProcessGrid& grid, std::unique_ptr<Cycle> cycle, Precision precision,
                                   int batch)
    : cycle_(std::move(cycle)), precision_(precision), batch_(grid, cycle_->queue(), batch) {
  const FieldSpec inside = cycle_->spec(batch);
  if (inside.precision != precision) in_ = Field(geometry(), inside);
  if (in_ || (queue().location() == Location::device && cycle_->capturable(batch) >= 0))
    out_ = Field(geometry(), inside);
}

FieldSpec CycleInPrecision::spec(int batch) const {
  FieldSpec spec = cycle_->spec(batch);
  spec.precision = precision_;
  return spec;
}

void CycleInPrecision::run(Field& out, const Field& in, bool dagger, const ActiveSet& active) {
  require(!dagger, "a cycle has no adjoint");
  if (!out_) return cycle_->apply(out, in, active);
  std::vector<blas::Coefficients> same(static_cast<std::size_t>(in.batch()), {0, {1}});
  for (int k = 0; k < active.count(); ++k) same[static_cast<std::size_t>(active[k])].active = 1;
  const auto convert = [&](Field& to, const Field& from) {
    blas::convert(batch_.workspace(), same, to, from);
    blas::record_update(queue(), to, active.count(), blas::work_of<blas::Copy>(active.count(), {&from, &to}));
  };
  if (in_) convert(in_, in);
  const Field& inside = in_ ? in_ : in;
  step_.run(batch_, {*cycle_, out_, inside, active, {}}, [&] { cycle_->apply(out_, inside, active); });
  in_ ? convert(out, out_) : copy_active(out, out_, active);
}

// Bytes: a vector update would round the scales of half precision again.
void CycleInPrecision::copy_active(Field& to, const Field& from, const ActiveSet& active) const {
  const int parity = to.holds(0) ? 0 : 1, Ls = to.Ls();
  const std::size_t bytes = static_cast<std::size_t>(Ls) * to.subfield_stride() *
                            static_cast<std::size_t>(bytes_of(to.precision()));
  if (active.count() == to.batch()) {
    queue().copy_async(to.data(0, parity), from.data(0, parity), to.bytes());
  } else {
    for (int k = 0; k < active.count(); ++k)
      queue().copy_async(to.data(active[k] * Ls, parity), from.data(active[k] * Ls, parity), bytes);
  }
  blas::record_update(queue(), to, active.count(), blas::work_of<blas::Copy>(active.count(), {&from, &to}));
}

}  // namespace plaq
