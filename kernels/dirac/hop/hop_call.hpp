// What a launch of any hopping term D is told: out = a * add + b * D in on the sites of `parity` (D in alone
// where `add` is null), for the active right-hand sides. Discretisations add their links and weights.
#pragma once

#include "comms/halo/halo.hpp"
#include "core/field/field.hpp"
#include "core/operator/active_set.hpp"

namespace plaq {

struct HopCall {
  const Field* in = nullptr;   // holds the other parity
  const Field* add = nullptr;  // holds `parity`
  Field* out = nullptr;        // holds `parity`; may be `add`
  const Halo* halo = nullptr;
  double a = 0, b = 1;
  int parity = 0;
  ActiveSet active;
};

}  // namespace plaq
