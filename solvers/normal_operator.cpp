#include "solvers/normal_operator.hpp"

#include <algorithm>

#include "core/system/error.hpp"
#include "kernels/blas/operations.hpp"

namespace plaq {

NormalOperator::NormalOperator(LinearOperator& a, int batch, First first)
    : a_(a), first_(first), between_(a.geometry(), a.spec(batch)) {}

Work NormalOperator::work(int batch) const {
  const Work w = a_.work(batch);
  return {2 * w.flops, 2 * w.bytes};
}

void NormalOperator::run(Field& out, const Field& in, bool, const ActiveSet& active) {
  if (first_ == First::a) {
    a_.apply(between_, in, active);
    a_.apply_dagger(out, between_, active);
  } else {
    a_.apply_dagger(between_, in, active);
    a_.apply(out, between_, active);
  }
}

ShiftedOperator::ShiftedOperator(LinearOperator& a, double shift, int batch)
    : a_(a), shifts_(static_cast<std::size_t>(batch), shift), workspace_(a.queue(), batch) {}

void ShiftedOperator::set_shifts(const std::vector<double>& shifts) {
  require(shifts.size() == shifts_.size(), "shifts are as many as the right-hand sides");
  if (shifts_ == shifts) return;
  shifts_ = shifts;
  ++version_;
}

int ShiftedOperator::capturable(int batch) {
  if (!has_shifts()) return a_.capturable(batch);
  // More coefficients are uploaded before each launch.
  if (batch > blas::CoefficientList::most) return -1;
  return both_states(a_.capturable(batch), version_);
}

bool ShiftedOperator::has_shifts() const {
  return std::any_of(shifts_.begin(), shifts_.end(), [](double shift) { return shift != 0; });
}

Work ShiftedOperator::work(int batch) const {
  Work w = a_.work(batch);
  if (!has_shifts()) return w;
  const FieldSpec one = a_.spec(1);
  const double sites =
      static_cast<double>(a_.geometry()->local_volume()) / (one.subset == Subset::full ? 1 : 2);
  const double reals = sites * one.reals() * one.Ls * batch;
  return {w.flops + 2 * reals, w.bytes + 3 * reals * bytes_of(one.precision)};
}

void ShiftedOperator::run(Field& out, const Field& in, bool dagger, const ActiveSet& active) {
  dagger ? a_.apply_dagger(out, in, active) : a_.apply(out, in, active);
  if (!has_shifts()) return;
  std::vector<blas::Coefficients> c(static_cast<std::size_t>(in.batch()));
  for (auto& one : c) one.active = 0;
  for (int k = 0; k < active.count(); ++k) {
    const auto i = static_cast<std::size_t>(active[k]);
    c[i].active = shifts_.at(i) != 0;
    c[i].value[0] = shifts_[i];
  }
  blas::update<blas::Axpy>(workspace_, c, {&in, &out});
}

}  // namespace plaq
