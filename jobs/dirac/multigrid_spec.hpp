// How a multigrid preconditioner is made and works, as jobs say it: [multigrid].
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "jobs/schema/job_file.hpp"
#include "multigrid/settings.hpp"

namespace plaq::jobs {

struct MultigridSpec {
  std::vector<Extents> blocks;      // of each lattice but the coarsest; empty: by the lattice
  std::vector<int> vectors = {24};  // near-null ones of each of these lattices; one number: of all
  int candidates = 0;               // that these are chosen from; 0: no choice
  SmootherKind smoother = SmootherKind::polynomial;
  std::optional<int> smoothing_steps;  // none: setups choose, as of the tolerance
  double omega = 0.85;
  std::optional<double> coarse_tolerance;
  int coarse_iterations = 16;
  std::vector<Location> coarse_locations;  // of coarse lattices, the finest first; the rest: as the one above
  int least_sites = 512, dense_rows = 1024;
  // Of vectors of the finest lattice within a cycle; none: half on a GPU, single on the host.
  std::optional<Precision> precision;
  // Of near-null vectors; of coarse links; none: half and quarter on a GPU, single on the host.
  std::optional<Precision> storage, link_storage;
  int filter_iterations = 12, rounds = 6;  // rounds: at most
  std::int64_t seed = 1;
  double solves = 12;  // right-hand sides that a setup is for

  bool operator==(const MultigridSpec&) const = default;
  Precision precision_at(Location location) const;
  // For this lattice, the finest one at this location. Throws Error(job_file) where blocks do not fit.
  std::vector<LevelSettings> levels(const Extents& lattice) const;
  MultigridSettings settings(const Extents& lattice, Location location, double solves,
                             double tolerance) const;
  // Where nothing is chosen: for measurements of the same cycle everywhere.
  MultigridSpec without_choice() const;
};

Table multigrid_table(const std::vector<Key>& more = {});
std::vector<Rule> multigrid_rules();
MultigridSpec multigrid_spec(const JobFile& job);

}  // namespace plaq::jobs
