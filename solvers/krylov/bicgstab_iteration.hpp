// BiCGstab where the vectors are, scalars and all (solvers/krylov/bicgstab.hpp).
#pragma once

#include <cmath>
#include <variant>

#include "kernels/blas/krylov_operations.hpp"
#include "solvers/krylov/scalars.hpp"
#include "solvers/krylov/sums.hpp"

namespace plaq {

class Field;

namespace bicgstab {

struct Scalars {
  explicit Scalars(ScalarMemory& memory)
      : rho(memory),
        last_rho(memory),
        alpha(memory),
        omega(memory),
        r0_norm(memory),
        least(memory),
        age(memory),
        least_at(memory),
        breakdown(memory),
        minus_alpha(memory),
        update(memory),
        second_part(memory),
        new_direction(memory),
        status(memory) {}

  Scalar<ComplexDouble> rho, last_rho, alpha, omega;  // rho = (r0, r)
  Scalar<double> r0_norm;
  Scalar<double> least;  // norm of the iterated residual since it was last replaced
  Scalar<int> age, least_at;
  Scalar<bool> breakdown;            // in the first half of the iteration
  UpdateCoefficients minus_alpha;    // of r -= alpha v
  UpdateCoefficients update;         // of x, r, p at the end of an iteration
  UpdateCoefficients second_part;    // of x += omega r, or of p -= omega v where r was replaced
  UpdateCoefficients new_direction;  // of p = r + beta p there
  Statuses status;

  PLAQ_HD ComplexDouble beta(int rhs) const { return (rho(rhs) / last_rho(rhs)) * (alpha(rhs) / omega(rhs)); }
  // A new minimum of the residual is long overdue: rounding has eaten (r0, r), and it will not come back.
  PLAQ_HD bool stalls(int rhs, double norm) const {
    const int now = ++age(rhs);
    if (norm < least(rhs)) {
      least(rhs) = norm;
      least_at(rhs) = now;
    }
    return now - least_at(rhs) > 50 + now / 4;
  }
};

// r0 = p = r
struct Begin {
  Scalars my;
  Sum<double> rr;
  PLAQ_HD void operator()(int rhs) const {
    my.rho(rhs) = {rr(rhs), 0};
    my.last_rho(rhs) = my.alpha(rhs) = my.omega(rhs) = {0, 0};
    my.r0_norm(rhs) = std::sqrt(rr(rhs));
    my.least(rhs) = HUGE_VAL;
    my.age(rhs) = my.least_at(rhs) = 0;
  }
};

// alpha = rho / (r0, v)
struct HalfStep {
  Scalars my;
  Sum<ComplexDouble> r0v;
  PLAQ_HD void operator()(int rhs) const {
    my.breakdown(rhs) = is_zero(r0v(rhs));
    my.alpha(rhs) = my.breakdown(rhs) ? ComplexDouble{0, 0} : my.rho(rhs) / r0v(rhs);
    my.minus_alpha.set(rhs, -my.alpha(rhs));
  }
};

// omega = (t, r') / |t|^2; rho and |r|^2 beforehand; `before`: |r'|^2
struct EndStep {
  static constexpr double least_cosine = 0.4;
  // In the first iteration (r0, r) below so many roundings of |r0| |r| is none: for a point source and the
  // Wilson operator with r = 1 it vanishes after one iteration, since no path of two hops comes back. Later
  // it is small for good reasons, and rounding errors of many components average out.
  static constexpr double noise_of_rho = 10;
  static constexpr int first_iterations = 1;

  Scalars my;
  Sum<double> before;
  Sum<ComplexDouble> tr;
  Sum<double> tt;
  Sum<ComplexDouble> r0t, r0r;
  double rounding;  // relative, of the vectors' precision

  PLAQ_HD ComplexDouble omega(int rhs) const {
    const ComplexDouble dot = tr(rhs);
    if (tt(rhs) == 0) return {0, 0};
    const ComplexDouble least_residual{dot.re / tt(rhs), dot.im / tt(rhs)};
    const double cosine = abs(dot) / std::sqrt(tt(rhs) * before(rhs));
    if (cosine > 0 && cosine < least_cosine) return scale(least_cosine / cosine, least_residual);
    return least_residual;
  }
  PLAQ_HD double norm_after(int rhs, const ComplexDouble& omega) const {
    const double left = before(rhs) - 2 * conj_times(omega, tr(rhs)).re + norm(omega) * tt(rhs);
    // Below 1e-8 of |r'| rounding has eaten the difference; claiming 0 has the true residual computed.
    return left > 1e-16 * before(rhs) || is_nan(left) ? std::sqrt(left) : 0;
  }
  PLAQ_HD void operator()(int rhs) const {
    const ComplexDouble w = omega(rhs);
    my.omega(rhs) = w;
    my.last_rho(rhs) = my.rho(rhs);
    my.rho(rhs) = r0r(rhs) - w * r0t(rhs);
    const double length = norm_after(rhs, w);
    const double noise =
        my.age(rhs) < first_iterations ? noise_of_rho * rounding * my.r0_norm(rhs) * length : 0;
    const bool stalled = my.stalls(rhs, length);
    my.status.set(rhs, length, my.breakdown(rhs) || is_zero(w) || abs(my.rho(rhs)) <= noise || stalled);
    my.update.set(rhs, my.alpha(rhs), w, my.beta(rhs));
    my.second_part.set(rhs, w);
  }
};

// rho with the new r
struct AfterReliableUpdate {
  Scalars my;
  Sum<ComplexDouble> r0r;
  PLAQ_HD void operator()(int rhs) const {
    my.rho(rhs) = r0r(rhs);
    my.least(rhs) = HUGE_VAL;
    my.second_part.set(rhs, -my.omega(rhs));
    my.new_direction.set(rhs, {1, 0}, my.beta(rhs));
  }
};

using Function = std::variant<Begin, HalfStep, EndStep, AfterReliableUpdate>;

// `it`: an Iteration<Function>. What is left for later: x += alpha p + omega r; r -= omega t;
// beta = (rho/rho_old) (alpha/omega); p = r + beta (p - omega v)
template <class It>
void iterate(It& it, const Scalars& my, Field& r, const Field& r0, Field& p, Field& v, Field& t,
             double rounding) {
  it.apply(v, p);                                                           // v = A p
  const auto r0v = it.add_sums(blas::Dot(), {&r0, &v});                     // (r0, v)
  it.after_sums(HalfStep{my, r0v});                                         // alpha = rho / (r0, v)
  const auto rr = it.add_sums(blas::AxpyNorm(), my.minus_alpha, {&v, &r});  // r -= alpha v
  it.apply(t, r);                                                           // t = A r
  const auto [tr, tt, r0t, r0r] = it.add_sums(blas::BicgstabDots(), {&t, &r, &r0});
  it.end(EndStep{my, rr, tr, tt, r0t, r0r, rounding});  // omega = (t, r) / |t|^2
}

}  // namespace bicgstab
}  // namespace plaq
