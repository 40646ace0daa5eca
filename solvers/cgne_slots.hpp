// The scalars of Craig's method, where the vectors are (solvers/cgne.hpp).
#pragma once

#include <cmath>

#include "solvers/slots.hpp"

namespace plaq::craig {

// Sets of coefficients: of x += length p and p = A^dagger r + beta p at once, and of the first alone; of r -=
// length q.
enum Use : int { direction = 0, half_step = 1 };

struct State {
  double gamma;  // |r|^2
  double length;
  ComplexDouble beta;
  double pp;  // |p|^2
  bool broke;
};
using View = SlotView<State>;

PLAQ_HD void put_direction(const View& slots, int slot) {
  const State& my = slots.state(slot);
  slots.put(direction, slot, {my.length, 0}, {1, 0}, my.beta);
}

// totals: |r|^2
struct Begin {
  View slots;
  PLAQ_HD void operator()(int slot) const {
    State& my = slots.state(slot);
    my = {};
    my.gamma = slots.totals[slot];
    put_direction(slots, slot);
  }
};

// totals: (p, A^dagger r), where r was replaced
struct Mend {
  View slots;
  PLAQ_HD void operator()(int slot) const {
    State& my = slots.state(slot);
    if (my.pp > 0) my.beta = {-slots.totals[2 * slot] / my.pp, -slots.totals[2 * slot + 1] / my.pp};
    put_direction(slots, slot);
  }
};

// totals: |p|^2
struct HalfStep {
  View slots;
  PLAQ_HD void operator()(int slot) const {
    State& my = slots.state(slot);
    my.pp = slots.totals[slot];
    my.broke = my.pp == 0;
    my.length = my.broke ? 0 : my.gamma / my.pp;
    slots.put(half_step, slot, {-my.length, 0});
  }
};

// totals: |r|^2
struct EndStep {
  View slots;
  PLAQ_HD void operator()(int slot) const {
    State& my = slots.state(slot);
    const double gamma = slots.totals[slot];
    my.beta = {my.gamma == 0 ? 0 : gamma / my.gamma, 0};
    my.gamma = gamma;
    slots.verdicts[slot].norm = std::sqrt(gamma);
    slots.verdicts[slot].broke = my.broke;
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

// totals: |r|^2 of the new r
struct Replaced {
  View slots;
  PLAQ_HD void operator()(int slot) const { slots.state(slot).gamma = slots.totals[slot]; }
};

}  // namespace plaq::craig
