// Settings of the solves of molecular dynamics.
#pragma once

#include <optional>

#include "core/system/location.hpp"
#include "quarks/multigrid/multigrid_options.hpp"

namespace plaq {

struct MdSolverSettings {
  double force_tolerance = 1e-8;    ///< ||b - A x|| / ||b|| of A = W^dagger W in forces
  double action_tolerance = 1e-12;  ///< in values of the action, and where pseudofermions are drawn
  int max_iterations = 10000;
  /// Precision in which conjugate gradients iterate inside double: half, single or double; none: half on a
  /// GPU, single on the host. A solve that stagnates is repeated in the next higher one.
  std::optional<Precision> inner_precision = {};
  /// Multigrid, to the tolerances ||b - W^dagger y|| / ||b|| and ||y - W x|| / ||y||. Conjugate gradients
  /// take over where it fails.
  std::optional<MultigridOptions> multigrid = {};
  /// Largest twist mu of systems that multigrid solves, and largest root mu of a shift; none: as the first
  /// setup of a trajectory says (dynamics/quark/multigrid_choice.hpp).
  std::optional<double> largest_multigrid_twist = {};
  /// Iterations of a solve by multigrid that take as long as to renew its setup
  /// (docs/notes/speed-multigrid.md).
  double setup_renewal = 150;
};

}  // namespace plaq
