// The scalars of BiCGstab, where the vectors are (solvers/bicgstab.hpp).
#pragma once

#include <cmath>

#include "solvers/slots.hpp"

namespace plaq::bicgstab {

// Sets of coefficients: of r -= alpha v; of x, r, p at the end of an iteration, and of x += alpha p; of x +=
// omega r, or of p -= omega v where r was replaced; of p = r + beta p there.
enum Use : int { half_step = 0, update = 1, second_part = 2, new_direction = 3 };

struct State {
  ComplexDouble rho, last_rho, alpha, omega;  // rho = (r0, r)
  double r0_norm;
  double least;  // norm of the iterated residual since it was last replaced
  int age, least_at;
  bool broke;  // in the first half of the iteration

  PLAQ_HD ComplexDouble beta() const { return (rho / last_rho) * (alpha / omega); }
  // A new minimum of the residual is long overdue: rounding has eaten (r0, r), and it will not come back.
  PLAQ_HD bool stalls(double norm) {
    ++age;
    if (norm < least) {
      least = norm;
      least_at = age;
    }
    return age - least_at > 50 + age / 4;
  }
};
using View = SlotView<State>;

// totals: |r|^2
struct Begin {
  View slots;
  PLAQ_HD void operator()(int slot) const {
    State& my = slots.state(slot);
    my = {};
    my.rho = {slots.totals[slot], 0};
    my.r0_norm = std::sqrt(slots.totals[slot]);
    my.least = HUGE_VAL;
  }
};

// totals: (r0, v)
struct HalfStep {
  View slots;
  PLAQ_HD void operator()(int slot) const {
    State& my = slots.state(slot);
    const ComplexDouble d{slots.totals[2 * slot], slots.totals[2 * slot + 1]};
    my.broke = is_zero(d);
    my.alpha = my.broke ? ComplexDouble{0, 0} : my.rho / d;
    slots.put(half_step, slot, -my.alpha);
  }
};

// totals: |r'|^2 from `rr`, those of BicgstabDots from `dots` on.
struct EndStep {
  static constexpr double least_cosine = 0.4;
  // In the first iteration (r0, r) below so many roundings of |r0| |r| is none: for a point source and the
  // Wilson operator with r = 1 it vanishes after one iteration, since no path of two hops comes back. Later
  // it is small for good reasons, and rounding errors of many components average out.
  static constexpr double noise_of_rho = 10;
  static constexpr int first_iterations = 1;

  View slots;
  int rr, dots;
  double rounding;  // relative, of the vectors' precision

  PLAQ_HD void operator()(int slot) const {
    State& my = slots.state(slot);
    const double before = slots.totals[rr + slot];
    const double* d = slots.totals + dots + 7 * slot;
    const ComplexDouble tr{d[0], d[1]}, r0t{d[3], d[4]}, r0r{d[5], d[6]};
    const double tt = d[2];
    my.omega = tt == 0 ? ComplexDouble{0, 0} : ComplexDouble{tr.re / tt, tr.im / tt};
    const double cosine = abs(tr) / std::sqrt(tt * before);
    if (cosine > 0 && cosine < least_cosine) my.omega = scale(least_cosine / cosine, my.omega);
    my.last_rho = my.rho;
    my.rho = r0r - my.omega * r0t;
    // Below 1e-8 of |r'| rounding has eaten the difference; claiming 0 has the true residual computed.
    const double left = before - 2 * conj_times(my.omega, tr).re + norm(my.omega) * tt;
    const double length = left > 1e-16 * before || is_nan(left) ? std::sqrt(left) : 0;
    const double noise = my.age < first_iterations ? noise_of_rho * rounding * my.r0_norm * length : 0;
    const bool stalled = my.stalls(length);
    slots.verdicts[slot].norm = length;
    slots.verdicts[slot].broke = my.broke || is_zero(my.omega) || abs(my.rho) <= noise || stalled;
    slots.put(update, slot, my.alpha, my.omega, my.beta());
    slots.put(second_part, slot, my.omega);
  }
};

// totals: (r0, r) with the new r
struct Replaced {
  View slots;
  PLAQ_HD void operator()(int slot) const {
    State& my = slots.state(slot);
    my.rho = {slots.totals[2 * slot], slots.totals[2 * slot + 1]};
    my.least = HUGE_VAL;
    slots.put(second_part, slot, -my.omega);
    slots.put(new_direction, slot, {1, 0}, my.beta());
  }
};

}  // namespace plaq::bicgstab
