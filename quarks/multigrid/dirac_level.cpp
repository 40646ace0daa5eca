#include "quarks/multigrid/dirac_level.hpp"

namespace plaq {

DiracLevel::DiracLevel(DiracMatrix& matrix, const LinkStorage& storage, const LinkStorage& cycles)
    : matrix_(matrix), term_(matrix.hopping(storage)) {
  if (cycles != storage) cycle_term_ = matrix.hopping(cycles);
  auto full = term_->full(1);
  auto* parts = dynamic_cast<NearestNeighborOperator*>(full.get());
  require(parts != nullptr, "multigrid of an operator that does not come apart into hops");
  static_cast<void>(full.release());  // full_ owns it
  full_.reset(parts);
}

}  // namespace plaq
