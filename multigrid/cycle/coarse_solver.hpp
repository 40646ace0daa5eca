// A coarse system M e = b as the cycle above sees it.
#pragma once

#include "core/operator/linear_operator.hpp"

namespace plaq {

class CoarseSolver {
 public:
  virtual ~CoarseSolver() = default;
  // e is M^-1 b, to an accuracy of the solver's own, on all sites, for the active right-hand sides. Each has
  // the same bits in any batch and on any process grid. Collective.
  virtual void solve(Field& e, const Field& b, const ActiveSet& active) = 0;
  // Like that of a LinearOperator: negative if solve() waits.
  virtual int capturable(int /*batch*/) { return -1; }
  // Largest iteration count of any right-hand side in the last solve; 0: there are none.
  virtual int iterations() const { return 0; }
  // Work of another such solve.
  virtual Work work(int batch) const = 0;
};

}  // namespace plaq
