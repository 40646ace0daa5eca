// Operators on whole lattices that can be taken apart into hops: what the Galerkin
// product of multigrid needs of them.
#pragma once

#include "core/operator/linear_operator.hpp"

namespace plaq {

// M = sum of nine parts: directed hops, 2 mu to the neighbour ahead, 2 mu + 1 to the one
// behind, and what stays at a site.
class NearestNeighborOperator : public LinearOperator {
 public:
  static constexpr int hop_parts = 8, site_part = 8, parts = 9;
  // out = M_part in for the active right-hand sides; `out` is another field than `in`. Queued, collective.
  virtual void apply_part(Field& out, const Field& in, int part, const ActiveSet& active) = 0;
};

}  // namespace plaq
