// How a multigrid preconditioner is made and works, in numbers. What stands here are the
// defaults; users need none of them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "core/system/location.hpp"

namespace plaq {

// The solve of a coarse system within a cycle: GCR until either of these.
struct CoarseSolveSettings {
  double tolerance = 0.25;  // of the residual, relative
  int most_iterations = 16;
};

// Choices of a setup for a lattice and the transfer from it, made only if the settings leave them open.
struct CycleParameters {
  int smoothing_steps = 0;
  double coarse_tolerance = 0;
  bool operator==(const CycleParameters&) const = default;
};

// What smooths: a fixed polynomial that is fitted to residuals of coarse corrections, or minimal residuals,
// whose weights are found for each gauge field. The second stands in where there is no such
// polynomial, or it had more than 12 roots.
enum class SmootherKind { polynomial, minimal_residual };

// One lattice, and the transfer to the next coarse level.
struct LevelSettings {
  Extents block{4, 4, 4, 4};
  int vectors = 24;    // near-null vectors that are kept
  int candidates = 0;  // of which they are the leading singular vectors in each aggregate; 0: as many
  int made() const { return candidates > vectors ? candidates : vectors; }
  int smoothing_steps = 4;  // after the correction of the levels below
  CoarseSolveSettings coarse;
  // True if setups choose them, beginning with these (multigrid/setup/choose_cycles.hpp).
  bool chooses_steps = false, chooses_tolerance = false;
  CycleParameters cycle() const { return {smoothing_steps, coarse.tolerance}; }
  std::optional<Location> coarse_location;  // where the next lattice is; none: where this one is
};

struct MultigridSettings {
  std::vector<LevelSettings> levels;  // the finest first; as many as there are coarse lattices, one at least
  Precision storage = Precision::half_precision;       // of near-null vectors
  Precision link_storage = Precision::half_precision;  // of coarse links
  Precision narrowest() const { return bytes_of(link_storage) < bytes_of(storage) ? link_storage : storage; }
  SmootherKind smoother = SmootherKind::polynomial;
  double omega = 0.85;  // relaxation of minimal residuals
  int least_sites =
      512;  // of a rank: a coarse lattice with fewer moves to fewer ranks; 0: none moves for that
  int most_dense_rows =
      1024;  // the coarsest lattice is solved by a dense inverse where it has no more and is on one rank

  std::uint64_t seed = 1;  // of the noise that near-null vectors begin with
  int filter_iterations = 12, coarse_filter_iterations = 12;
  int least_rounds = 2, most_rounds = 6;
  // What the setup is for: it is improved for as long as that takes less than it saves.
  double solves = 12;  // right-hand sides
  double tolerance = 1e-10;
};

inline constexpr int chiral_components = 6;  // of a site of the finest lattice, for each chirality

// Chooses the blocks of the lattices of a hierarchy where nobody says them. The finest first: blocks near
// 4^4, then near 2^4 until what is left is solved easily. They follow the lattice alone, so that they are the
// same on every process grid; where they do not divide the sites of a rank, a lattice is on fewer ranks
// (multigrid/levels/agglomeration.hpp). Throws Error(job_file) where a lattice has no block that gathers
// enough sites for so many near-null vectors.
std::vector<Extents> choose_blocks(const Extents& lattice, int vectors);

}  // namespace plaq
