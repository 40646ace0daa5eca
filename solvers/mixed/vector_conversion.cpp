#include "solvers/mixed/vector_conversion.hpp"

#include "core/field/field.hpp"
#include "core/system/error.hpp"

namespace plaq {

VectorConversion::VectorConversion(std::shared_ptr<const Field> gauge_frame)
    : frame_(std::move(gauge_frame)) {
  if (frame_ != nullptr) expect(*frame_, frame_->location(), Precision::single_precision, 3, 3);
}

void VectorConversion::check(const LinearOperator& outer, const LinearOperator& inner) const {
  require(outer.queue().location() == inner.queue().location() &&
              outer.queue().stream() == inner.queue().stream(),
          "inner and outer operator of a solver work on one queue");
  if (frame_ == nullptr) return;
  require(frame_->location() == inner.queue().location(), "a gauge frame is where the vectors are");
  require(bytes_of(inner.spec(1).precision) < bytes_of(outer.spec(1).precision),
          "the inner operator of a solver is in a gauge of its own without being of a lower precision");
}

}  // namespace plaq
