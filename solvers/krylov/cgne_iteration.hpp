// Craig's method where the vectors are, scalars and all (solvers/krylov/cgne.hpp).
#pragma once

#include <cmath>
#include <variant>

#include "kernels/blas/krylov_operations.hpp"
#include "solvers/krylov/scalars.hpp"
#include "solvers/krylov/sums.hpp"

namespace plaq {

class Field;

namespace craig {

struct Scalars {
  explicit Scalars(ScalarMemory& memory)
      : rr(memory),
        pp(memory),
        alpha(memory),
        beta(memory),
        breakdown(memory),
        direction(memory),
        minus_alpha(memory),
        status(memory) {}

  Scalar<double> rr, pp, alpha;
  Scalar<ComplexDouble> beta;
  Scalar<bool> breakdown;
  UpdateCoefficients direction;    // of x += alpha p and p = A^dagger r + beta p at once
  UpdateCoefficients minus_alpha;  // of r -= alpha q
  Statuses status;

  PLAQ_HD void set_direction(int rhs) const { direction.set(rhs, {alpha(rhs), 0}, {1, 0}, beta(rhs)); }
};

struct Begin {
  Scalars cg;
  Sum<double> rr;
  PLAQ_HD void operator()(int rhs) const {
    cg.rr(rhs) = rr(rhs);
    cg.pp(rhs) = cg.alpha(rhs) = 0;
    cg.beta(rhs) = {0, 0};
    cg.set_direction(rhs);
  }
};

// Makes the next direction orthogonal to p after r was replaced: beta = -(p, A^dagger r) / |p|^2
struct Orthogonalize {
  Scalars cg;
  Sum<ComplexDouble> ps;
  PLAQ_HD void operator()(int rhs) const {
    const double pp = cg.pp(rhs);
    if (pp > 0) cg.beta(rhs) = {-ps(rhs).re / pp, -ps(rhs).im / pp};
    cg.set_direction(rhs);
  }
};

// alpha = |r|^2 / |p|^2
struct StepLength {
  Scalars cg;
  Sum<double> pp;
  PLAQ_HD void operator()(int rhs) const {
    cg.pp(rhs) = pp(rhs);
    cg.breakdown(rhs) = pp(rhs) == 0;
    cg.alpha(rhs) = cg.breakdown(rhs) ? 0 : cg.rr(rhs) / pp(rhs);
    cg.minus_alpha.set(rhs, {-cg.alpha(rhs), 0});
  }
};

// beta = |r|^2 / |r_old|^2
struct NextDirection {
  Scalars cg;
  Sum<double> rr;
  PLAQ_HD void operator()(int rhs) const {
    cg.beta(rhs) = {cg.rr(rhs) == 0 ? 0 : rr(rhs) / cg.rr(rhs), 0};
    cg.rr(rhs) = rr(rhs);
    cg.set_direction(rhs);
    cg.status.set(rhs, std::sqrt(rr(rhs)), cg.breakdown(rhs));
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

struct AfterReliableUpdate {
  Scalars cg;
  Sum<double> rr;
  PLAQ_HD void operator()(int rhs) const { cg.rr(rhs) = rr(rhs); }
};

using Function =
    std::variant<Begin, Orthogonalize, StepLength, NextDirection, UpdatesFlushed, AfterReliableUpdate>;

// `it`: an Iteration<Function>; `orthogonalize()` sets beta where residuals were replaced.
template <class It, class Orthogonalization>
void iterate(It& it, const Scalars& cg, Field& x, Field& r, Field& p, Field& q,
             Orthogonalization&& orthogonalize) {
  it.apply_dagger(q, r);  // q = A^dagger r
  orthogonalize();
  const auto pp =
      it.add_sums(blas::CraigDirection(), cg.direction, {&q, &p, &x});      // x += alpha p; p = q + beta p
  it.after_sums(StepLength{cg, pp});                                        // alpha = |r|^2 / |p|^2
  it.apply(q, p);                                                           // q = A p
  const auto rr = it.add_sums(blas::AxpyNorm(), cg.minus_alpha, {&q, &r});  // r -= alpha q
  it.end(NextDirection{cg, rr});                                            // beta = |r|^2 / |r_old|^2
}

}  // namespace craig
}  // namespace plaq
