// An approximate inverse that knows what it has left.
#pragma once

#include "core/operator/linear_operator.hpp"

namespace plaq {

class ResidualInverse : public LinearOperator {
 public:
  // in - A out of the last application, to the rounding of the vectors: who needs A out has it without
  // applying A. For the right-hand sides of that application, until the next one. Null: it is not known.
  virtual const Field* residual() const = 0;
};

}  // namespace plaq
