// Conversion of vectors between an outer operator and an inner one, which stand for the same matrix A, each
// in its own precision. Code that pairs the two knows it and passes it to the solver around them.
#pragma once

#include <memory>

#include "core/operator/linear_operator.hpp"

namespace plaq {

class VectorConversion {
 public:
  // By their precisions alone.
  VectorConversion() = default;
  // The inner operator is that of another gauge, g A g^dagger, and its vectors are g psi. g: a 3x3 matrix of
  // SU(3) a site in single precision, both parities, where the vectors are. Only to a lower precision.
  explicit VectorConversion(std::shared_ptr<const Field> gauge_frame);

  const Field* gauge_frame() const { return frame_.get(); }  // g, or null
  // Throws Error(internal) unless it can be between these two, which work on one queue.
  void check(const LinearOperator& outer, const LinearOperator& inner) const;

 private:
  std::shared_ptr<const Field> frame_;
};

}  // namespace plaq
