// Solutions of the Dirac equation M x = b, and propagators.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plaq/actions.hpp"
#include "plaq/gauge_field.hpp"
#include "plaq/spinor_field.hpp"
#include "quarks/solve/solver_settings.hpp"
#include "quarks/source/source.hpp"

namespace plaq {

/// Solves M x = b on one gauge field, of which it keeps a copy. Its setup (links in each precision, clover term, multigrid) is made at
/// the first solve of so many columns, and serves all later ones. The true residual is always computed in double precision.
class DiracSolver {
 public:
  /// Settings are those of [solver] in job files (quarks/solve/solver_settings.hpp), but without a mixed scheme and fallbacks
  /// unless they are asked for. Throws Error(usage) if they do not fit the action.
  DiracSolver(ActionPtr action, const GaugeField& gauge, const SolverSettings& settings = {});
  ~DiracSolver();
  DiracSolver(DiracSolver&&) noexcept;
  DiracSolver& operator=(DiracSolver&&) noexcept;

  /// Propagator of a source: all its columns are solved together where they fit. Throws Error(not_converged) if a column misses the tolerance
  /// after all fallbacks, and Error(usage) if the source is not on the lattice.
  Propagator propagator(const SourcePtr& source);
  /// Propagator of a source that is given as a field of all columns, 12 spinors or 3 color vectors.
  Propagator propagator(const SpinorField& source);
  /// x of M x = b for each column of b, quark fields in four dimensions and double precision.
  SpinorField solve(const SpinorField& b);

  /// Report on the columns of the last solve.
  const ColumnsSolved& last() const;
  const ActionPtr& action() const;
  const Lattice& lattice() const;
  /// "bicgstab, half 12 in double 18, reliable updates 0.1".
  std::string name() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace plaq
