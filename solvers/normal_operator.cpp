#include "solvers/normal_operator.hpp"
#include "kernels/blas/operations.hpp"

namespace plaq {

NormalOperator::NormalOperator(LinearOperator& a, int batch) : a_(a), between_(a.geometry(), a.spec(batch)) {}

Work NormalOperator::work(int batch) const {
  const Work w = a_.work(batch);
  return {2 * w.flops, 2 * w.bytes};
}

void NormalOperator::run(Field& out, const Field& in, bool, const ActiveSet& active) {
  a_.apply(between_, in, active);
  a_.apply_dagger(out, between_, active);
}

ShiftedOperator::ShiftedOperator(LinearOperator& a, double shift, int batch)
    : a_(a), shift_(shift), workspace_(a.queue(), batch) {}

Work ShiftedOperator::work(int batch) const {
  Work w = a_.work(batch);
  if (shift_ == 0) return w;
  const FieldSpec one = a_.spec(1);
  const double sites =
      static_cast<double>(a_.geometry()->local_volume()) / (one.subset == Subset::full ? 1 : 2);
  const double reals = sites * one.reals() * one.Ls * batch;
  return {w.flops + 2 * reals, w.bytes + 3 * reals * bytes_of(one.precision)};
}

void ShiftedOperator::run(Field& out, const Field& in, bool dagger, const ActiveSet& active) {
  dagger ? a_.apply_dagger(out, in, active) : a_.apply(out, in, active);
  if (shift_ == 0) return;
  std::vector<blas::Coefficients> c(static_cast<std::size_t>(in.batch()));
  for (auto& one : c) one.active = 0;
  for (int k = 0; k < active.count(); ++k) {
    c[static_cast<std::size_t>(active[k])].active = 1;
    c[static_cast<std::size_t>(active[k])].value[0] = shift_;
  }
  blas::update<blas::Axpy>(workspace_, c, {&in, &out});
}

}  // namespace plaq
