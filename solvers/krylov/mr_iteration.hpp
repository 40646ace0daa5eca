// Minimal residuals where the vectors are, scalars and all (solvers/krylov/mr.hpp).
#pragma once

#include <cmath>
#include <variant>

#include "kernels/blas/krylov_operations.hpp"
#include "solvers/krylov/scalars.hpp"
#include "solvers/krylov/sums.hpp"

namespace plaq {

class Field;

namespace minimal_residual {

struct Scalars {
  explicit Scalars(ScalarMemory& memory) : breakdown(memory), alpha(memory), status(memory) {}

  Scalar<bool> breakdown;
  UpdateCoefficients alpha;  // of x += alpha r, r -= alpha q; with omega
  Statuses status;
};

// alpha = omega (q, r) / |q|^2
struct StepLength {
  Scalars mr;
  Sum<ComplexDouble> qr;
  Sum<double> qq;
  double omega;
  PLAQ_HD void operator()(int rhs) const {
    const bool breakdown = qq(rhs) == 0 || is_zero(qr(rhs));
    mr.breakdown(rhs) = breakdown;
    mr.alpha.set(rhs, breakdown ? ComplexDouble{0, 0}
                                : ComplexDouble{omega * qr(rhs).re / qq(rhs), omega * qr(rhs).im / qq(rhs)});
  }
};

struct EndStep {
  Scalars mr;
  Sum<double> rr;
  PLAQ_HD void operator()(int rhs) const { mr.status.set(rhs, std::sqrt(rr(rhs)), mr.breakdown(rhs)); }
};

using Function = std::variant<StepLength, EndStep>;

// `it`: an Iteration<Function>.
template <class It>
void iterate(It& it, const Scalars& mr, Field& x, Field& r, Field& q, double omega) {
  it.apply(q, r);                                                         // q = A r
  const auto [qr, qq] = it.add_sums(blas::DotNorm(), {&q, &r});           // (q, r), |q|^2
  it.after_sums(StepLength{mr, qr, qq, omega});                           // alpha = omega (q, r) / |q|^2
  const auto rr = it.add_sums(blas::MrUpdate(), mr.alpha, {&q, &r, &x});  // x += alpha r; r -= alpha q
  it.end(EndStep{mr, rr});                                                // |r|
}

// One step of a smoother: the same without the norm, and without a word to the host.
template <class It>
void smooth(It& it, const Scalars& mr, Field& x, Field& r, Field& q, double omega) {
  it.apply(q, r);                                                // q = A r
  const auto [qr, qq] = it.add_sums(blas::DotNorm(), {&q, &r});  // (q, r), |q|^2
  it.after_sums(StepLength{mr, qr, qq, omega});                  // alpha = omega (q, r) / |q|^2
  it.update(blas::MrStep(), mr.alpha, {&q, &r, &x});             // x += alpha r; r -= alpha q
}

}  // namespace minimal_residual
}  // namespace plaq
