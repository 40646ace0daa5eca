// The scalars of minimal residuals, where the vectors are (solvers/mr.hpp).
#pragma once

#include <cmath>

#include "solvers/slots.hpp"

namespace plaq::minimal_residual {

// The one set of coefficients: of x += c r, r -= c q.
enum Use : int { step = 0 };

struct State {
  bool broke;
};
using View = SlotView<State>;

// totals: (q, r) and |q|^2
struct Length {
  View slots;
  double omega;
  PLAQ_HD void operator()(int slot) const {
    const double* sums = slots.totals + 3 * slot;
    const ComplexDouble qr{sums[0], sums[1]};
    const double qq = sums[2];
    const bool broke = qq == 0 || is_zero(qr);
    slots.state(slot).broke = broke;
    slots.put(step, slot,
              broke ? ComplexDouble{0, 0} : ComplexDouble{omega * qr.re / qq, omega * qr.im / qq});
  }
};

// totals: |r|^2
struct EndStep {
  View slots;
  PLAQ_HD void operator()(int slot) const {
    slots.verdicts[slot].norm = std::sqrt(slots.totals[slot]);
    slots.verdicts[slot].broke = slots.state(slot).broke;
  }
};

}  // namespace plaq::minimal_residual
