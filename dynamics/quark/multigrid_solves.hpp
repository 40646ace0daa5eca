// Solves with S by GCR, which multigrid preconditions, along the links of a trajectory: (S^dagger S) x = b as
// S^dagger y = b and S x = y, S^dagger = gamma5 S gamma5.
//
// The near-null vectors of a trajectory are made of noise at its start. On other links multigrid is made
// again of the vectors that it has, and they are refreshed if an iteration has become slower
// (multigrid/setup/setup.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "quarks/multigrid/dirac_multigrid.hpp"
#include "solvers/solver.hpp"

namespace plaq {

class MultigridSolves {
 public:
  /// @param tolerance  of most solves, for the model of the setup
  MultigridSolves(const ActionPtr& action, const MultigridOptions& options, double tolerance);
  ~MultigridSolves();

  /// Forgets the near-null vectors, at the start of a trajectory.
  void forget() { memory_ = {}; }
  /// Prepares for other links: what is made of the present ones is released. They may change afterwards.
  void release();
  /// Takes links, with S of them in double and in single precision. Both must outlive release(). Collective.
  /// @param clover  of these links; null without a clover term
  void take(const FermionLinks& links, std::shared_ptr<CloverField> clover, LinearOperator& exact,
            LinearOperator& inner);

  /// Solves S^dagger S x = b to ||b - S^dagger y|| <= tolerance ||b||, ||y - S x|| <= tolerance ||y||.
  /// Returns the iterations; nothing if the tolerance was not reached. Collective. Throws
  /// Error(not_converged) if multigrid cannot be set up.
  std::optional<std::int64_t> solve(Field& x, const Field& b, double tolerance, int max_iterations);
  /// Rounds of setups since the last call, with those that begin a setup from noise.
  int take_rounds() { return std::exchange(rounds_, 0); }

 private:
  struct Made;
  void make();

  ActionPtr action_;
  SolverSettings settings_;
  SetupMemory memory_;
  std::optional<FermionLinks> links_;
  std::shared_ptr<CloverField> clover_;
  LinearOperator *exact_ = nullptr, *inner_ = nullptr;
  std::unique_ptr<Made> made_;  // when a solve needs it
  int rounds_ = 0;
};

}  // namespace plaq
