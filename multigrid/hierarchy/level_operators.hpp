// The operators of one lattice of a multigrid hierarchy, as setups and cycles ask for them.
#pragma once

#include <algorithm>
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
  virtual const std::shared_ptr<Transport>& transport() const = 0;  // of all operators of this lattice

  // Twist of reduced() and smoothed(), which are of M + i gamma5 (mu_e Pi_e + mu_o Pi_o). M, which is full(),
  // has none of it.
  virtual Twist twist() const { return {}; }

  // M, in single or double precision. Coarse operators are made of it.
  virtual StencilOperator& full() = 0;
  // Operator that is solved: an even-odd form whose residual_is_full() or that has full_residual(), or M
  // itself where the lattice has no checkerboard. In the precision of full(), for batches of this size;
  // near-null vectors are made with it.
  virtual std::unique_ptr<SchurOperator> reduced(int batch) = 0;
  // Operator in the precision of cycles.
  virtual std::unique_ptr<SchurOperator> smoothed(int batch) { return reduced(batch); }

  // The spectrum of reduced() lies around 0: it is filtered and smoothed by its normal equations. Then it has
  // an adjoint, and near-null vectors are not those of the adjoint, so that S^-1 of them is not near-null:
  // rounds of a setup do not improve them.
  virtual bool is_around_zero() const { return false; }
  // M at another mass is M plus the change.
  virtual bool shifts_with_mass() const { return true; }

  // Right-hand sides of a batch, with slices that a kernel takes: as many as are wanted, or fewer.
  int batch_of(int wanted, int most_slices = ActiveSet::capacity) {
    return std::clamp(most_slices / full().spec(1).Ls, 1, wanted);
  }
};

}  // namespace plaq
