// The operators of one lattice of a multigrid hierarchy, as setups and cycles ask for them.
#pragma once

#include <memory>

#include "comms/grid/process_grid.hpp"
#include "comms/transport/transport.hpp"
#include "core/operator/linear_operator.hpp"
#include "core/operator/schur_operator.hpp"
#include "kernels/dirac/twist/twist.hpp"

namespace plaq {

class LevelOperators {
 public:
  virtual ~LevelOperators() = default;
  virtual const ProcessGrid& grid() const = 0;
  virtual const std::shared_ptr<Transport>& transport() const = 0;

  // Twist of reduced() and smoothed(), which are of M + i gamma5 (mu_e Pi_e + mu_o Pi_o). M, which is full(),
  // has none of it.
  virtual Twist twist() const { return {}; }

  // M, in single or double precision. Coarse operators are made of it.
  virtual NearestNeighborOperator& full() = 0;
  // Operator that is solved: an even-odd form whose residual_is_full() or that has full_residual(), or M
  // itself where the lattice has no checkerboard. In the precision of full(), for batches of this size;
  // near-null vectors are made with it.
  virtual std::unique_ptr<SchurOperator> reduced(int batch) = 0;
  // Operator in the precision of cycles.
  virtual std::unique_ptr<SchurOperator> smoothed(int batch) { return reduced(batch); }
};

}  // namespace plaq
