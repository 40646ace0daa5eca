// Multigrid of a quark along the links of a trajectory.
//
// Its near-null vectors are made of noise at the start, by the first mass that needs them. On later links
// its cycles follow with the coarse lattices that there are. These are renewed by a round of the vectors when
// that pays (dynamics/quark/setup_age.hpp): after a few steps of molecular dynamics the lattices of a setup,
// its vectors and its coarse operators, are as good together as new operators of old vectors, which cost
// more (docs/notes/speed-multigrid.md).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "comms/start/shared_lattice.hpp"
#include "core/field/version_of.hpp"
#include "dynamics/quark/setup_age.hpp"
#include "io/state/state_archive.hpp"
#include "quarks/multigrid/dirac_multigrid.hpp"

namespace plaq {

/// The first setup of a trajectory. Quarks of several masses that share it begin with its near-null vectors,
/// which are as good for them (docs/notes/speed-multigrid.md).
struct FirstSetup {
  VersionOf links;                    // at the start of the trajectory
  std::optional<SetupMemory> memory;  // none: no mass has needed it yet
};

class TrajectorySetup {
 public:
  /// @param settings  of solves, with multigrid
  /// @param renewal   iterations of a solve that take as long as renewed lattices
  TrajectorySetup(const ActionPtr& action, const SolverSettings& settings, std::shared_ptr<FirstSetup> first,
                  double renewal)
      : action_(action), settings_(settings), first_(std::move(first)), age_(renewal) {}

  /// Forgets what belongs to a trajectory, at the start of one on these links.
  void forget(const Field& links);
  /// Multigrid for the matrix on these links of the trajectory, until release(). Collective. Throws
  /// Error(not_converged) if it cannot be set up.
  DiracMultigrid& on(DiracMatrix& matrix, const FermionLinks& links);
  void release();

  /// Reduction of a residual by an iteration with the first setup of this mass in the trajectory; 0: there
  /// was none yet.
  double reduction() const { return memory_.reduction; }
  /// Age of the coarse lattices that there are.
  SetupAge& age() { return age_; }
  /// Rounds of setups since the last call, with those that begin a setup from noise.
  int take_rounds() { return std::exchange(rounds_, 0); }
  /// Visits what later setups of the trajectory depend on, of a lattice, with the first setup if this mass
  /// may begin with it later; release() was called, or the links have changed since. Collective.
  void remember(StateArchive& archive, const SharedLattice& lattice);

 private:
  void make(const FermionLinks& links, const std::function<void()>& work);
  void restore(const FermionLinks& links);

  ActionPtr action_;
  SolverSettings settings_;
  std::shared_ptr<FirstSetup> first_;
  SetupMemory memory_;
  std::unique_ptr<DiracMultigrid> multigrid_;  // null where it is not made, or was not restored yet
  Field hops_, clover_;                        // copies of the links of the last setup
  std::unique_ptr<DiracMatrix> origin_;        // on them, while multigrid is restored
  SetupAge age_;
  int rounds_ = 0;
};

}  // namespace plaq
