#include "solvers/mixed/deflation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/system/error.hpp"
#include "core/system/runs_dry.hpp"
#include "core/system/timer.hpp"
#include "kernels/blas/operations.hpp"
#include "solvers/krylov/krylov_method.hpp"

namespace plaq {
namespace {

FieldSpec in_single(FieldSpec spec) {
  spec.precision = Precision::single_precision;
  return spec;
}

}  // namespace

FieldSpec Deflation::mode_spec(const LinearOperator& a) { return in_single(a.spec(1)); }

Deflation::Deflation(LinearOperator& a, const ProcessGrid& grid, int batch, ModesOf of,
                     std::vector<double> values)
    : a_(a),
      of_(of),
      values_(std::move(values)),
      one_(grid, a.queue(), 1),
      modes_(a.geometry(), mode_spec(a), one_, modes()),
      one_rhs_(a.geometry(), mode_spec(a)),
      part_(a.geometry(), in_single(a.spec(batch))) {
  require(!values_.empty() &&
              std::all_of(values_.begin(), values_.end(), [](double l) { return l > 0 && std::isfinite(l); }),
          "deflation needs modes with positive eigenvalues");
  if (of == ModesOf::normal) dagger_ = Field(a.geometry(), a.spec(batch));
}

// part_ = sum_i v_i (v_i, part_) / l_i
void Deflation::project(int rhs) {
  const int Ls = part_.Ls();
  for (int s = 0; s < Ls; ++s) copy_subfield(one_rhs_, s, part_, rhs * Ls + s);
  auto c = modes_.overlaps(modes(), one_rhs_);
  for (std::size_t i = 0; i < c.size(); ++i) c[i] /= values_[i];
  one_.update<blas::Zero>(one_.coefficients(one_.all()), {&one_rhs_});
  modes_.add(c, modes(), one_rhs_);
  one_.queue().synchronize();
  for (int s = 0; s < Ls; ++s) copy_subfield(part_, rhs * Ls + s, one_rhs_, s);
}

void Deflation::improve(Batch& batch, Field& x, const Field& b, Field& r, const ActiveSet& which,
                        std::vector<double>& norms) {
  if (which.count() == 0) return;
  const ScopedRange range("deflation");
  const bool normal = of_ == ModesOf::normal;
  if (normal) batch.apply_outer_dagger(a_, dagger_, r, which);
  // Residuals of norm 1 have numbers of the range of single precision.
  Coefficients down = batch.coefficients(which), up = down;
  for_each_of(which, [&](std::size_t i) {
    const double scale = std::ldexp(1.0, std::ilogb(norms[i]));
    down[i].value[0] = 1 / scale;
    up[i].value[0] = scale;
  });
  batch.convert(down, part_, normal ? dagger_ : r);
  batch.queue().synchronize();
  one_.reset();
  for (int k = 0; k < which.count(); ++k) project(which[k]);
  SolveReport work;
  one_.write_work(work);
  batch.add_work(work);
  batch.add_converted(up, x, part_);
  batch.apply_outer(a_, r, x, which);
  const auto squares = batch.sum<blas::Residual>(batch.coefficients(which), {&b, &r, &r});
  for_each_of(which, [&](std::size_t i) { norms[i] = by_data(std::sqrt(squares[i]), norms[i]); });
}

}  // namespace plaq
