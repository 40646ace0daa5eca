// Options of a multigrid preconditioner, before the lattice and its location
// are known (multigrid/settings.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "multigrid/settings.hpp"

namespace plaq {

/// Options of a multigrid preconditioner.
struct MultigridOptions {
  /// Aggregates of each lattice but the coarsest; empty: chosen by the lattice.
  std::vector<Extents> blocks = {};
  std::vector<int> vectors = {24};  ///< near-null vectors of each of these lattices; one number holds for all
  int candidates = 0;  ///< near-null vectors from which these are chosen on the finest lattice; 0: no choice
  SmootherKind smoother = SmootherKind::polynomial;  ///< smoother of all lattices
  /// Smoothing steps after each coarse correction; none: chosen by the setup.
  std::optional<int> smoothing_steps = {};
  double omega = 0.85;          ///< relaxation of the smoother
  bool local_smoother = false;  ///< smoothers without halos (MultigridSettings::local_smoother)
  /// Factor by which a coarse solve reduces its residual; none: chosen by the setup.
  std::optional<double> coarse_tolerance = {};
  int coarse_iterations = 16;  ///< largest number of iterations of a coarse solve
  /// Locations of coarse lattices, the finest first; those left out: that of the lattice above.
  std::vector<Location> coarse_locations = {};
  int least_sites = 512;  ///< sites of a rank below which a coarse lattice moves to fewer ranks
  int dense_rows = 1024;  ///< up to this size the coarsest lattice is solved by a dense inverse
  /// Precision of the finest lattice within a cycle; none: half on a GPU, single on the host.
  std::optional<Precision> precision = {};
  /// Precision of near-null vectors; none: half on a GPU, single on the host.
  std::optional<Precision> storage = {};
  /// Precision of coarse links; none: quarter on a GPU, single on the host.
  std::optional<Precision> link_storage = {};
  int filter_iterations = 12;  ///< iterations of BiCGstab that make near-null vectors of noise
  int rounds = 6;              ///< setup iterations, at most
  std::int64_t seed = 1;       ///< seed of the noise
  double solves = 12;          ///< right-hand sides that the setup is for

  bool operator==(const MultigridOptions&) const = default;
  /// Precision of the finest lattice within a cycle at a location.
  Precision precision_at(Location location) const;
  /// Settings of each level of this lattice. Throws Error(job_file) if the blocks do not fit.
  std::vector<LevelSettings> levels(const Extents& lattice) const;
  /// All settings for this lattice, whose finest level is at `location`.
  /// @param lattice  extents of the whole lattice
  /// @param location  host or device
  /// @param solves  right-hand sides that the setup is for
  /// @param tolerance  tolerance of the solves
  MultigridSettings settings(const Extents& lattice, Location location, double solves,
                             double tolerance) const;
  /// Options with nothing left for the setup to choose, for measurements of one cycle everywhere.
  MultigridOptions without_choice() const;
};

/// Files that a solver reads and writes for one gauge field.
struct SetupPaths {
  std::string own = {};  ///< multigrid setup of this field, read if it exists, and written; empty: none
  /// Setup of the gauge field before, from which this one is refreshed; empty: none.
  std::string before = {};
  bool refresh = false;           ///< a setup of other links is refreshed, too
  double checkpoint_minutes = 0;  ///< least time between two checkpoints of a setup
  std::string modes = {};         ///< eigenvectors that deflate (quarks/solve/low_modes.hpp); empty: none
};

}  // namespace plaq
