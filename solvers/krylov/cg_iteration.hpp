// Conjugate gradients where the vectors are, scalars and all: CGNR (solvers/krylov/cg.hpp), and the method
// for Hermitian operators (solvers/krylov/hermitian_cg.hpp), where s is r and |A p|^2 is (p, A p).
#pragma once

#include <cmath>
#include <variant>

#include "kernels/blas/krylov_operations.hpp"
#include "solvers/krylov/scalars.hpp"
#include "solvers/krylov/sums.hpp"

namespace plaq {

class Field;

namespace conjugate_gradients {

struct Scalars {
  explicit Scalars(ScalarMemory& memory)
      : ss(memory),
        alpha(memory),
        largest(memory),
        of_s(memory),
        beta(memory),
        breakdown(memory),
        direction(memory),
        minus_alpha(memory),
        status(memory) {}

  Scalar<double> ss, alpha;
  Scalar<double> largest;            // |A p|^2 / |s|^2, about the largest eigenvalue of A^dagger A
  Scalar<ComplexDouble> of_s, beta;  // p = of_s s + beta p; of_s is 1 but where r was replaced
  Scalar<bool> breakdown;            // in the first half of the iteration
  UpdateCoefficients direction;      // of x += alpha p and p = of_s s + beta p at once
  UpdateCoefficients minus_alpha;    // of r -= alpha q
  Statuses status;

  PLAQ_HD void set_direction(int rhs) const { direction.set(rhs, {alpha(rhs), 0}, of_s(rhs), beta(rhs)); }
};

// p = s
struct Begin {
  Scalars cg;
  Sum<double> ss;
  PLAQ_HD void operator()(int rhs) const {
    cg.ss(rhs) = ss(rhs);
    cg.alpha(rhs) = cg.largest(rhs) = 0;
    cg.of_s(rhs) = {0, 0};
    cg.beta(rhs) = {1, 0};
    cg.set_direction(rhs);
  }
};

// alpha = |s|^2 / |q|^2. Where (p, q) stands for |q|^2, a negative one is a breakdown.
struct StepLength {
  Scalars cg;
  Sum<double> qq;
  PLAQ_HD void operator()(int rhs) const {
    cg.breakdown(rhs) = qq(rhs) <= 0;
    cg.alpha(rhs) = cg.breakdown(rhs) ? 0 : cg.ss(rhs) / qq(rhs);
    cg.minus_alpha.set(rhs, {-cg.alpha(rhs), 0});
    const double eigenvalue = qq(rhs) / cg.ss(rhs);
    if (cg.largest(rhs) < eigenvalue) cg.largest(rhs) = eigenvalue;
  }
};

// beta = |s|^2 / |s_old|^2
struct NextDirection {
  Scalars cg;
  Sum<double> rr, ss;
  double invisible;  // |s| / (|A| |r|) below which r is invisible to A^dagger in the vectors' precision
  PLAQ_HD void operator()(int rhs) const {
    cg.beta(rhs) = {cg.ss(rhs) == 0 ? 0 : ss(rhs) / cg.ss(rhs), 0};
    cg.ss(rhs) = ss(rhs);
    cg.of_s(rhs) = {1, 0};
    cg.set_direction(rhs);
    // There is no solution then, or none to be found.
    const bool unseen = invisible > 0 && ss(rhs) <= invisible * invisible * cg.largest(rhs) * rr(rhs);
    cg.status.set(rhs, std::sqrt(rr(rhs)), cg.breakdown(rhs) || unseen);
  }
};

// x is up to date.
struct UpdatesFlushed {
  Scalars cg;
  PLAQ_HD void operator()(int rhs) const {
    cg.alpha(rhs) = 0;
    cg.set_direction(rhs);
  }
};

// With the new s: p - ((s, p)/|s|^2) s is orthogonal to it, and the next p is s + beta times that.
struct AfterReliableUpdate {
  Scalars cg;
  Sum<ComplexDouble> sp;
  Sum<double> ss;
  PLAQ_HD void operator()(int rhs) const {
    cg.ss(rhs) = ss(rhs);
    const ComplexDouble back = cg.beta(rhs) * sp(rhs);
    cg.of_s(rhs) =
        ss(rhs) == 0 ? ComplexDouble{0, 0} : ComplexDouble{1 - back.re / ss(rhs), -back.im / ss(rhs)};
    cg.set_direction(rhs);
  }
};

using Function = std::variant<Begin, StepLength, NextDirection, UpdatesFlushed, AfterReliableUpdate>;

// `it`: an Iteration<Function>.
template <class It>
void iterate(It& it, const Scalars& cg, Field& x, Field& r, Field& s, Field& p, Field& q, double invisible) {
  it.update(blas::CgDirection(), cg.direction, {&s, &p, &x});               // x += alpha p; p = s + beta p
  it.apply(q, p);                                                           // q = A p
  const auto qq = it.add_sums(blas::Norm(), {&q});                          // |q|^2
  it.after_sums(StepLength{cg, qq});                                        // alpha = |s|^2 / |q|^2
  const auto rr = it.add_sums(blas::AxpyNorm(), cg.minus_alpha, {&q, &r});  // r -= alpha q
  it.apply_dagger(s, r);                                                    // s = A^dagger r
  const auto ss = it.add_sums(blas::Norm(), {&s});                          // |s|^2
  it.end(NextDirection{cg, rr, ss, invisible});                             // beta = |s|^2 / |s_old|^2
}

template <class It>
void iterate_hermitian(It& it, const Scalars& cg, Field& x, Field& r, Field& p, Field& q) {
  it.update(blas::CgDirection(), cg.direction, {&r, &p, &x});               // x += alpha p; p = r + beta p
  it.apply(q, p);                                                           // q = A p
  const auto pq = it.add_sums(blas::Dot(), {&p, &q});                       // (p, q)
  it.after_sums(StepLength{cg, real_part(pq)});                             // alpha = |r|^2 / (p, q)
  const auto rr = it.add_sums(blas::AxpyNorm(), cg.minus_alpha, {&q, &r});  // r -= alpha q
  it.end(NextDirection{cg, rr, rr, 0});                                     // beta = |r|^2 / |r_old|^2
}

}  // namespace conjugate_gradients
}  // namespace plaq
