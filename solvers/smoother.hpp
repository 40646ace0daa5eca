// A fixed number of steps towards A x = b: what works between the levels of a multigrid cycle, and makes a
// preconditioner of flexible methods.
#pragma once

#include "core/operator/linear_operator.hpp"

namespace plaq {

// Knows no tolerance, measures no norm, reports nothing and does not wait. As a LinearOperator it is the
// approximate inverse of A from a guess of 0; it has no adjoint.
class Smoother : public LinearOperator {
 public:
  // r is the residual of x before and after; both change for the right-hand sides of the set alone. Each has
  // the same bits in any batch and on any process grid. Queued, collective. On a device a call like an
  // earlier one is one launch (solvers/krylov/recorded_step.hpp).
  virtual void smooth(Field& x, Field& r, const ActiveSet& which) = 0;
};

}  // namespace plaq
