// Solves with W = S + i mu gamma5 by GCR, which multigrid preconditions, along the links of a trajectory:
// (W^dagger W) x = b as W^dagger y = b and W x = y, W(mu)^dagger = gamma5 W(-mu) gamma5; for twisted-mass
// quarks W(-mu) is that of the other flavour of their doublet. Near-null vectors are those of mu = 0 and of
// one flavour, and coarse operators have the twists.
//
// The near-null vectors of a trajectory are made of noise at its start. On other links multigrid is made
// again of the vectors that it has, and they are refreshed if an iteration has become slower
// (multigrid/setup/setup.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "comms/grid/shared_lattice.hpp"
#include "io/state/state_archive.hpp"
#include "quarks/multigrid/dirac_multigrid.hpp"
#include "solvers/solver.hpp"

namespace plaq {

/// Largest twist mu whose systems multigrid solves in less time than conjugate gradients, for a residual of
/// exp(-e): these take 1.9 e / mu iterations, and multigrid as long as 5 of them for each of its 2 e / -ln
/// rho iterations, rho being the reduction by one, and as long as 300 for what is made again on other links.
/// The numbers were measured (docs/notes/speed-multigrid.md).
/// @param reduction  rho
/// @param tolerance  exp(-e)
double largest_twist(double reduction, double tolerance);

class MultigridSolves {
 public:
  /// @param tolerance  of most solves, for the model of the setup
  MultigridSolves(const ActionPtr& action, const MultigridOptions& options, double tolerance);
  ~MultigridSolves();

  /// Forgets the near-null vectors, at the start of a trajectory.
  void forget() { memory_ = {}, largest_twist_.reset(), rounds_ = 0; }
  /// Prepares for other links: what is made of the present ones is released. They may change afterwards.
  void release();
  /// Takes links, with S of them in double and in single precision, in their asymmetric form. Both must
  /// outlive release(). Collective.
  /// @param clover  of these links; null without a clover term
  void take(const FermionLinks& links, std::shared_ptr<CloverField> clover, WilsonSchur& exact,
            WilsonSchur& inner);

  /// True if multigrid is expected to be faster than conjugate gradients: up to the largest twist of this
  /// trajectory, which follows from its first setup (largest_twist()). A twisted mass mu_q counts twice,
  /// since it acts on both parities. Collective. Throws Error(not_converged) if multigrid cannot be set up.
  bool pays(double mu);
  /// Solves W^dagger W x = b to ||b - W^dagger y|| <= tolerance ||b||, ||y - W x|| <= tolerance ||y||.
  /// Returns the iterations; nothing if the tolerance was not reached. Collective. Throws
  /// Error(not_converged) if multigrid cannot be set up.
  std::optional<std::int64_t> solve(Field& x, const Field& b, double mu, double tolerance,
                                    int max_iterations);
  /// Visits what later solves of the trajectory depend on, of a lattice; release() was called, or the links
  /// have changed since the last solve. Collective.
  void remember(StateArchive& archive, const SharedLattice& lattice);
  /// Rounds of setups since the last call, with those that begin a setup from noise.
  int take_rounds() { return std::exchange(rounds_, 0); }

 private:
  struct Made;
  void make();

  ActionPtr action_;
  double twisted_mass_;
  SolverSettings settings_;
  SetupMemory memory_;
  std::optional<FermionLinks> links_;
  std::shared_ptr<CloverField> clover_;
  WilsonSchur *exact_ = nullptr, *inner_ = nullptr;
  std::unique_ptr<Made> made_;           // when a solve needs it
  std::optional<double> largest_twist_;  // of this trajectory, once it is known
  int rounds_ = 0;
};

}  // namespace plaq
