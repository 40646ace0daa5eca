// Solutions of the Dirac equation M x = b, and propagators.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "plaq/actions.hpp"
#include "plaq/gauge_field.hpp"
#include "plaq/linear_operator.hpp"
#include "plaq/spinor_field.hpp"
#include "quarks/multigrid/multigrid_options.hpp"
#include "quarks/solve/solver_settings.hpp"
#include "quarks/source/source.hpp"
#include "quarks/source/source_positions.hpp"

namespace plaq {

class PropagatorSolver;
struct FermionLinks;

/// Solves M x = b on one gauge field, of which it keeps a copy. Its setup (links in each precision, clover
/// term, multigrid) is made at the first solve of so many columns, and serves all later ones. The true
/// residual is always computed in double precision.
class DiracSolver {
 public:
  /// Settings are those of [solver] in job files (quarks/solve/solver_settings.hpp), with the same
  /// defaults. `files` names files of this gauge field: `own` and `before` those of multigrid setups, which
  /// are read, kept and refreshed as jobs do, and `modes` the eigenvectors that deflate cg and cgne
  /// (write_low_modes()). settings.modes says how many of these, none or 0 all. Throws Error(usage) if
  /// settings or files do not fit the action or each other; the first solve throws Error(input_file) if a
  /// file is damaged or of another operator.
  /// @param action  action of the quarks
  /// @param gauge  links, which are copied
  /// @param settings  method, precision, tolerance and so on
  /// @param files  multigrid setups and eigenvectors of this gauge field
  DiracSolver(const ActionPtr& action, const GaugeField& gauge, const SolverSettings& settings = {},
              const SetupPaths& files = {});
  /// Solves for the M of an operator, whose links it shares.
  explicit DiracSolver(const DiracOperator& m, const SolverSettings& settings = {},
                       const SetupPaths& files = {});
  ~DiracSolver();
  DiracSolver(DiracSolver&&) noexcept;
  DiracSolver& operator=(DiracSolver&&) noexcept;

  /// Propagator of a source: all its columns are solved together where they fit. Throws
  /// Error(not_converged) if a column misses the tolerance after all fallbacks, and Error(usage) if the
  /// source is not on the lattice.
  /// @param midpoint  if not null, receives the quark field in the middle of the fifth
  ///   dimension; of an action that has one
  /// @param current  if not null, receives the current field of domain walls, in five dimensions, for the
  ///   conserved currents of three_point(); of an action that has them (quarks/action/conserved_current.hpp)
  Propagator propagator(const SourcePtr& source, Propagator* midpoint = nullptr,
                        SpinorField* current = nullptr);
  /// Propagator of a source that is given as a field of all columns, 12 spinors or 3 color vectors.
  Propagator propagator(const SpinorField& source, Propagator* midpoint = nullptr,
                        SpinorField* current = nullptr);
  /// x of M x = b for each column of b, quark fields in four dimensions and double precision.
  SpinorField solve(const SpinorField& b);
  /// Function that overwrites a batch with columns first_column, first_column + 1, ... of a source.
  using FillBatch = std::function<void(SpinorField& batch, int first_column)>;
  /// x as above of `columns` columns that are not all in memory: `fill` makes them. `source` is what is known
  /// of them.
  SpinorField solve(const FillBatch& fill, int columns, const PropagatorNote& source = {});

  /// x of M x = b, approximately: after a number of iterations, to another tolerance, or by low modes. x is a
  /// function of the gauge field, of the column and of the settings, so that corrections of averages over x
  /// have no bias (all-mode averaging: Blum, Izubuchi, Shintani, Phys. Rev. D 88 (2013) 094503). Throws
  /// Error(usage) for a wrong `how`, and Error(not_converged) if a tolerance is missed.
  SpinorField approximate(const SpinorField& b, const Approximation& how);
  /// Propagator of a source, with columns as above.
  Propagator approximate(const SourcePtr& source, const Approximation& how);

  /// Report on the columns of the last solve.
  const ColumnsSolved& last() const;
  const ActionPtr& action() const;         ///< action of M
  const SolverSettings& settings() const;  ///< settings as given
  const Lattice& lattice() const;          ///< lattice of the gauge field
  /// Description of the solver: "bicgstab, half 12 in double 18, reliable updates 0.1".
  std::string name() const;

  /// For the classes of plaq: what is known of its solutions, but for their sources.
  PropagatorNote note() const;
  /// For the classes of plaq: name of the gauge field in messages.
  std::string gauge_name() const;
  /// For the classes of plaq: the links of the action.
  const FermionLinks& links() const;
  /// For the classes of plaq: the solver of so many columns. `solves` is the number of right-hand sides
  /// that are to come, by which a multigrid setup is chosen.
  PropagatorSolver& of_columns(int columns, double solves);
  PropagatorSolver& of_columns(int columns) { return of_columns(columns, columns); }
  /// For the classes of plaq: the solver of the columns of a propagator by action_through_sink(). Throws
  /// Error(usage) if it would be deflated by modes of another action.
  PropagatorSolver& through_sink();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace plaq
