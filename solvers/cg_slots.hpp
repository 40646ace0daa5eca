// The scalars of conjugate gradients, where the vectors are: of solvers/cg.hpp, and of
// solvers/hermitian_cg.hpp, where s is r and |A p|^2 is (p, A p).
#pragma once

#include <cmath>

#include "solvers/slots.hpp"

namespace plaq::conjugate_gradients {

// Sets of coefficients: of x += length p and p = s_part s + p_part p at once, and of the first alone; of r -=
// length q.
enum Use : int { direction = 0, half_step = 1 };

struct State {
  double gamma;    // |s|^2
  double largest;  // |A p|^2 / |s|^2, about the largest eigenvalue of A^dagger A
  double length;
  ComplexDouble s_part, p_part;
  bool broke;  // in the first half of the iteration
};
using View = SlotView<State>;

PLAQ_HD void put_direction(const View& slots, int slot) {
  const State& my = slots.state(slot);
  slots.put(direction, slot, {my.length, 0}, my.s_part, my.p_part);
}

// totals: |s|^2
struct Begin {
  View slots;
  PLAQ_HD void operator()(int slot) const {
    State& my = slots.state(slot);
    my = {};
    my.gamma = slots.totals[slot];
    my.p_part = {1, 0};
    put_direction(slots, slot);
  }
};

// totals: |q|^2, or (p, q) where `hermitian`: a negative one is a breakdown.
struct HalfStep {
  View slots;
  bool hermitian;
  PLAQ_HD void operator()(int slot) const {
    State& my = slots.state(slot);
    const double qq = slots.totals[hermitian ? 2 * slot : slot];
    my.broke = hermitian ? qq <= 0 : qq == 0;
    const double eigenvalue = qq / my.gamma;
    if (my.largest < eigenvalue) my.largest = eigenvalue;
    my.length = my.broke ? 0 : my.gamma / qq;
    slots.put(half_step, slot, {-my.length, 0});
  }
};

// totals: |r|^2 from `rr`, |s|^2 from `ss` on
struct EndStep {
  View slots;
  int rr, ss;
  double invisible;  // |s| / (|A| |r|) below which r is invisible to A^dagger in the vectors' precision
  PLAQ_HD void operator()(int slot) const {
    State& my = slots.state(slot);
    const double left = slots.totals[rr + slot], gamma = slots.totals[ss + slot];
    my.s_part = {1, 0};
    my.p_part = {my.gamma == 0 ? 0 : gamma / my.gamma, 0};
    my.gamma = gamma;
    slots.verdicts[slot].norm = std::sqrt(left);
    // There is no solution then, or none to be found.
    slots.verdicts[slot].broke =
        my.broke || (invisible > 0 && gamma <= invisible * invisible * my.largest * left);
    put_direction(slots, slot);
  }
};

// x is up to date.
struct Settled {
  View slots;
  PLAQ_HD void operator()(int slot) const {
    slots.state(slot).length = 0;
    put_direction(slots, slot);
  }
};

// totals: (s, p) and |s|^2 with the new s. p - ((s, p)/|s|^2) s is orthogonal to s; p = s + beta times that.
struct Replaced {
  View slots;
  PLAQ_HD void operator()(int slot) const {
    State& my = slots.state(slot);
    const double* sums = slots.totals + 3 * slot;
    my.gamma = sums[2];
    const ComplexDouble back = my.p_part * ComplexDouble{sums[0], sums[1]};
    my.s_part =
        my.gamma == 0 ? ComplexDouble{0, 0} : ComplexDouble{1 - back.re / my.gamma, -back.im / my.gamma};
    put_direction(slots, slot);
  }
};

}  // namespace plaq::conjugate_gradients
