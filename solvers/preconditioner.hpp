// Approximate inverses: smoothers, which work between the levels of a multigrid cycle, and preconditioners of
// flexible methods.
#pragma once

#include "core/operator/linear_operator.hpp"

namespace plaq {

// A fixed number of steps towards A x = b. Knows no tolerance, measures no norm, reports nothing and does not
// wait. As a LinearOperator it is the approximate inverse of A from a guess of 0; it has no adjoint.
class Smoother : public LinearOperator {
 public:
  // r is the residual of x before and after; both change for the right-hand sides of the set alone. Each has
  // the same bits in any batch and on any process grid. Queued, collective. On a device a call like an
  // earlier one is one launch (solvers/krylov/captured_step.hpp).
  virtual void smooth(Field& x, Field& r, const ActiveSet& which) = 0;
  // False if r is that of an approximation of A afterwards.
  virtual bool knows_residual() const { return true; }
};

// An approximate inverse that knows what it has left.
class ResidualInverse : public LinearOperator {
 public:
  // in - A out of the last application, to the rounding of the vectors: who needs A out has it without
  // applying A. For the right-hand sides of that application, until the next one. Null: it is not known.
  virtual const Field* residual() const = 0;
};

}  // namespace plaq
