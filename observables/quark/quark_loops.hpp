// Quark loops of time slices, L(t) = sum_x exp(-i p x) tr[Gamma M^-1(x, x)], by noise vectors with dilution
// (Foley et al., Comput. Phys. Commun. 172 (2005) 145): x counts from the origin, t is that of the lattice;
// no sign of a closed loop and no volume factor.
//
// One-end trick of M = D + i mu gamma5, with D^dagger = gamma5 D gamma5 and M phi = eta:
//   M(mu)^-1 - M(-mu)^-1 = -2 i mu M(mu)^-1 M(mu)^-1^dagger gamma5, so
//   tr[Gamma (M(mu)^-1 - M(-mu)^-1)(x, x)] = -2 i mu <phi^dagger(x) gamma5 Gamma phi(x)>
#pragma once

#include <map>
#include <optional>
#include <string>

#include "comms/start/shared_lattice.hpp"
#include "kernels/quark/momentum_projection.hpp"
#include "kernels/quark/spin_matrices.hpp"
#include "observables/quark/quark_loop_settings.hpp"
#include "quarks/action/action.hpp"
#include "quarks/solve/propagator_solver.hpp"

namespace plaq {

/// Properties of an action that loops need.
struct LoopQuarks {
  int spins = 4;            ///< 4 or 1
  double diagonal = 0;      ///< d of the hopping expansion (hopping_diagonal()); 0: there is none
  double twisted_mass = 0;  ///< mu; 0: no twisted-mass quarks
};
/// Reads these from an action.
LoopQuarks loop_quarks(const Action& action);

class QuarkLoops {
 public:
  /// Without currents it takes all that the quarks have. At most `most_columns` parts of noise are solved for
  /// at a time. With `others` not 0, as many are solved for at a time as by loops of that number of vectors
  /// and `others` = that of these.
  QuarkLoops(const SharedLattice& lattice, QuarkLoopSettings settings, const LoopQuarks& quarks,
             int most_columns, int others = 0);

  const QuarkLoopSettings& settings() const { return settings_; }
  int parts() const { return parts_; }        // of a noise vector, a solve for each
  int together() const { return together_; }  // right-hand sides that the solver must take at a time

  /// The gauge field changes: forgets what was solved for. The noise on the new one has the given seed.
  void begin(std::int64_t seed) {
    found_.clear();
    settings_.noise.seed = seed;
  }
  /// The loops of a noise vector. Solves for a few vectors together if one has few parts; the bits are those
  /// of each alone. `file` names the gauge field in messages. Collective.
  /// Throws as PropagatorSolver::solve() or approximate().
  QuarkLoop operator()(PropagatorSolver& solver, int vector, const std::string& file);

 private:
  struct Batch;
  void solve_group(PropagatorSolver& solver, int first, const std::string& file);
  void solve_batch(PropagatorSolver& solver, Batch& batch, const std::string& file);
  static void add_second(Batch& batch, const ColumnReport& second);
  void hop(PropagatorSolver& solver, Field& phi) const;
  void add_exact(std::vector<std::vector<std::complex<double>>>& values, const GammaMatrix& gamma) const;
  Correlators traces();
  std::vector<std::complex<double>> squared_trace();

  SharedLattice lattice_;
  QuarkLoopSettings settings_;
  LoopQuarks quarks_;
  int parts_, group_, together_;  // vectors whose parts are solved together; parts of a batch
  MomentumProjection project_;
  SpinMatrices matrices_;
  struct Squared {  // of M^-2
    SpinMatrices matrices;
    MomentumProjection project;
  };
  std::optional<Squared> squared_;
  std::map<int, QuarkLoop> found_;  // on this gauge field, by vector
};

}  // namespace plaq
