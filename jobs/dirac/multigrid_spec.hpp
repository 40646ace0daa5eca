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
  int smoothing_steps = 4;
  double omega = 0.85;
  double coarse_tolerance = 0.25;
  int coarse_iterations = 16;
  std::vector<Location> coarse_locations;  // of coarse lattices, the finest first; the rest: as the one above
  int least_sites = 512, dense_rows = 1024;
  // Of vectors of the finest lattice within a cycle; none: half on a GPU, single on the host.
  std::optional<Precision> precision;
  Precision storage = Precision::half_precision;  // of near-null vectors and coarse links
  int filter_iterations = 12, rounds = 6;         // rounds: at most
  std::int64_t seed = 1;
  double solves = 12;  // right-hand sides that a setup is for

  bool operator==(const MultigridSpec&) const = default;
  Precision precision_at(Location location) const;
  // For this lattice. Throws Error(job_file) where blocks do not fit.
  MultigridSettings settings(const Extents& lattice, double solves, double tolerance) const;
};

Table multigrid_table(const std::vector<Key>& more = {});
std::vector<Rule> multigrid_rules();
MultigridSpec multigrid_spec(const JobFile& job);

}  // namespace plaq::jobs
