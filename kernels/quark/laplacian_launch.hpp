// What a launch of the covariant Laplacian is told (kernels/dirac/hop/hop_launch.hpp): out = a in + b (its
// six hops of in) on the sites of `parity`; `in` has both parities, and is `add` too.
#pragma once

#include "kernels/dirac/hop/hop_launch.hpp"

namespace plaq {

// On faces of both parities, right-hand side + right-hand sides * parity.
struct LaplacianCall : HopCall {
  const Field* links = nullptr;  // of 18 reals
};

}  // namespace plaq
