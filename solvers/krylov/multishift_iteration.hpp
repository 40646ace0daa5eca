// Multi-shift conjugate gradients where the vectors are, scalars and all (solvers/krylov/multishift_cg.hpp).
// The system of the smallest shift is iterated; the residual of each shift is zeta r.
#pragma once

#include <cmath>
#include <variant>

#include "kernels/blas/krylov_operations.hpp"
#include "solvers/krylov/scalars.hpp"
#include "solvers/krylov/sums.hpp"

namespace plaq {

class Field;

namespace multishift {

struct Scalars {
  Scalars(ScalarMemory& memory, int number_of_shifts)
      : shifts(number_of_shifts),
        rr(memory),
        alpha(memory),
        last_alpha(memory),
        beta(memory),
        breakdown(memory),
        minus_alpha(memory),
        distance(memory, shifts),
        zeta(memory, shifts),
        last_zeta(memory, shifts),
        directions(memory, shifts),
        status(memory) {}
  static std::size_t bytes(int shifts, int batch) {
    using Set = blas::CoefficientList::Set;
    return 4 * ScalarMemory::bytes<double>(1, batch) + ScalarMemory::bytes<bool>(1, batch) +
           ScalarMemory::bytes<Set>(1, batch) + 3 * ScalarMemory::bytes<double>(shifts, batch) +
           ScalarMemory::bytes<Set>(shifts, batch);
  }

  int shifts;
  Scalar<double> rr, alpha, last_alpha;
  Scalar<double> beta;  // |r|^2 / |r_old|^2
  Scalar<bool> breakdown;
  UpdateCoefficients minus_alpha;  // of r -= alpha q
  ScalarArray<double> distance;    // of a shift from the smallest one
  ScalarArray<double> zeta, last_zeta;
  ScalarArray<blas::CoefficientList::Set> directions;
  Statuses status;  // of shift s at [s batch + right-hand side]

  // Coefficients of x += alpha (zeta_new/zeta) p and p = zeta_new r + beta (zeta_new/zeta)^2 p at once.
  PLAQ_HD UpdateCoefficients direction(int s) const { return UpdateCoefficients(&directions(s, 0)); }
};

// p = r for each shift.
struct Begin {
  Scalars cg;
  Sum<double> rr;
  PLAQ_HD void operator()(int rhs) const {
    cg.rr(rhs) = rr(rhs);
    cg.alpha(rhs) = 1;
    cg.beta(rhs) = 0;
  }
};

struct BeginShift {
  Scalars cg;
  int s;
  double distance;
  PLAQ_HD void operator()(int rhs) const {
    cg.distance(s, rhs) = distance;
    cg.zeta(s, rhs) = cg.last_zeta(s, rhs) = 1;
  }
};

// alpha = |r|^2 / (p, q)
struct StepLength {
  Scalars cg;
  Sum<double> pq;
  PLAQ_HD void operator()(int rhs) const {
    cg.breakdown(rhs) = !(pq(rhs) > 0);
    cg.last_alpha(rhs) = cg.alpha(rhs);
    cg.alpha(rhs) = cg.breakdown(rhs) ? 0 : cg.rr(rhs) / pq(rhs);
    cg.minus_alpha.set(rhs, {-cg.alpha(rhs), 0});
  }
};

// The next zeta of a shift, from its last two, the step lengths alpha of this and the last iteration, and
// beta of the last one (Jegerlehner, hep-lat/9612014). It is 1 at distance 0.
PLAQ_HD double next_zeta(double zeta, double last_zeta, double alpha, double last_alpha, double last_beta,
                         double distance) {
  return zeta * last_zeta * last_alpha /
         (alpha * last_beta * (last_zeta - zeta) + last_zeta * last_alpha * (1 + alpha * distance));
}

// The norm of a residual zeta r for the host. A zeta that is no normal number any more belongs to a residual
// far below any target: 0.
PLAQ_HD double shifted_norm(double zeta, double norm) {
  constexpr double least = 0x1p-1022, most = 0x1.fffffffffffffp+1023;
  const double size = std::fabs(zeta);
  return size >= least && size <= most ? size * norm : 0;
}

// Shifts that have left are computed too; nobody reads them.
struct NextDirections {
  Scalars cg;
  Sum<double> rr;
  PLAQ_HD void operator()(int rhs) const {
    const double last_beta = cg.beta(rhs), alpha = cg.alpha(rhs), norm = std::sqrt(rr(rhs));
    const double beta = rr(rhs) / cg.rr(rhs);
    cg.beta(rhs) = beta;
    cg.rr(rhs) = rr(rhs);
    for (int s = 0; s < cg.shifts; ++s) {
      const double zeta = cg.zeta(s, rhs);
      const double next =
          next_zeta(zeta, cg.last_zeta(s, rhs), alpha, cg.last_alpha(rhs), last_beta, cg.distance(s, rhs));
      const double ratio = next / zeta;
      cg.direction(s).set(rhs, {alpha * ratio, 0}, {next, 0}, {beta * ratio * ratio, 0});
      cg.last_zeta(s, rhs) = zeta;
      cg.zeta(s, rhs) = next;
      cg.status.set(s * cg.zeta.batch + rhs, shifted_norm(next, norm), cg.breakdown(rhs));
    }
  }
};

using Function = std::variant<Begin, BeginShift, StepLength, NextDirections>;

// `it`: an Iteration<Function>; p: that of the smallest shift.
template <class It>
void iterate(It& it, const Scalars& cg, Field& r, Field& p, Field& q) {
  it.apply(q, p);                                                           // q = (A + sigma) p
  const auto pq = it.add_sums(blas::Dot(), {&p, &q});                       // (p, q)
  it.after_sums(StepLength{cg, real_part(pq)});                             // alpha = |r|^2 / (p, q)
  const auto rr = it.add_sums(blas::AxpyNorm(), cg.minus_alpha, {&q, &r});  // r -= alpha q
  it.end(NextDirections{cg, rr});                                           // beta, and zeta of each shift
}

}  // namespace multishift
}  // namespace plaq
