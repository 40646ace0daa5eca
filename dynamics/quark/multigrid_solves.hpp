// Solves with W = S + i mu gamma5 by GCR, which multigrid preconditions, along the links of a trajectory:
// (W^dagger W) x = b as W^dagger y = b and W x = y, W(mu)^dagger = gamma5 W(-mu) gamma5; for twisted-mass
// quarks W(-mu) is that of the other flavour of their doublet. Near-null vectors are those of mu = 0 and of
// one flavour, and coarse operators have the twists.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "comms/start/shared_lattice.hpp"
#include "dynamics/quark/trajectory_setup.hpp"
#include "solvers/solver.hpp"

namespace plaq {

class MultigridSolves {
 public:
  /// @param tolerance  of most solves, for the model of the setup
  /// @param renewal    of TrajectorySetup
  MultigridSolves(const ActionPtr& action, const MultigridOptions& options, double tolerance,
                  std::shared_ptr<FirstSetup> first, double renewal);
  ~MultigridSolves();

  /// Forgets what belongs to a trajectory, at the start of one on these links.
  void forget(const Field& links) { setup_.forget(links); }
  /// Prepares for other links: what is made of the present ones is released. They may change afterwards.
  void release();
  /// Takes links, with S of them in double and in single precision, in their asymmetric form. Both must
  /// outlive release(). Collective.
  /// @param clover  of these links; null without a clover term
  void take(const FermionLinks& links, std::shared_ptr<CloverField> clover, WilsonSchur& exact,
            WilsonSchur& inner);

  /// True if multigrid is expected to be faster than conjugate gradients: up to the largest twist of this
  /// trajectory, which follows from its first setup (dynamics/quark/multigrid_choice.hpp). A twisted mass
  /// mu_q counts twice, since it acts on both parities. Collective. Throws Error(not_converged) if multigrid
  /// cannot be set up.
  bool pays(double mu);
  /// Number of the smallest shifts mu^2 of a multi-shift solve that multigrid is expected to solve faster, by
  /// the first setup of this trajectory too (shifts_by_multigrid()). Throws as pays() does.
  /// @param increasing  the shifts
  /// @param lowest      smallest eigenvalue of S^dagger S at the start of the trajectory
  int shifts_that_pay(const std::vector<double>& increasing, double lowest);
  /// Solves W^dagger W x = b to ||b - W^dagger y|| <= tolerance ||b||, ||y - W x|| <= tolerance ||y||.
  /// Returns the iterations; nothing if the tolerance was not reached. Collective. Throws
  /// Error(not_converged) if multigrid cannot be set up.
  /// @param zero_guess  false: iterations begin with x
  std::optional<std::int64_t> solve(Field& x, const Field& b, double mu, double tolerance, int max_iterations,
                                    bool zero_guess = true);
  TrajectorySetup& setup() { return setup_; }

 private:
  struct Made;
  void make();
  double first_reduction();

  ActionPtr action_;
  double twisted_mass_;
  SolverSettings settings_;
  TrajectorySetup setup_;
  std::optional<FermionLinks> links_;
  std::shared_ptr<CloverField> clover_;
  WilsonSchur *exact_ = nullptr, *inner_ = nullptr;
  std::unique_ptr<Made> made_;  // when a solve needs it
};

}  // namespace plaq
