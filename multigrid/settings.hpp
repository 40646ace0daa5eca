// Parameters of a multigrid preconditioner and its setup. Their values here are the
// defaults; users need none of them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "core/system/location.hpp"

namespace plaq {

/// The solve of a coarse system within a cycle: GCR until one of these limits.
struct CoarseSolveSettings {
  double tolerance = 0.25;   ///< relative residual
  int most_iterations = 16;  ///< largest number of iterations
};

/// Choices of a setup for a lattice and the transfer from it, made only if the settings leave them open.
struct CycleParameters {
  int smoothing_steps = 0;      ///< after each coarse correction
  double coarse_tolerance = 0;  ///< relative residual of coarse solves
  bool operator==(const CycleParameters&) const = default;
};

/// Smoother: a fixed polynomial that is fitted to residuals of coarse corrections, or minimal residuals,
/// whose weights are found for each gauge field. The second one is taken if there is no such polynomial, or
/// if it had more than 12 roots.
enum class SmootherKind { polynomial, minimal_residual };

/// One lattice, and the transfer to the next coarse level.
struct LevelSettings {
  Extents block{4, 4, 4, 4};  ///< sites of an aggregate in x, y, z, t
  int vectors = 24;           ///< near-null vectors that are kept
  int candidates = 0;  ///< of which they are the leading singular vectors in each aggregate; 0: as many
  /// Near-null vectors that the setup makes.
  int made() const { return candidates > vectors ? candidates : vectors; }
  int smoothing_steps = 4;     ///< after the correction of the levels below
  CoarseSolveSettings coarse;  ///< the solve on the next lattice
  /// True if setups choose them, beginning with these (multigrid/setup/choose_cycles.hpp).
  bool chooses_steps = false, chooses_tolerance = false;
  /// Steps and tolerance with which the cycle begins.
  CycleParameters cycle() const { return {smoothing_steps, coarse.tolerance}; }
  std::optional<Location> coarse_location;  ///< where the next lattice is; none: where this one is
};

/// All settings of a multigrid preconditioner.
struct MultigridSettings {
  /// The finest first; as many as there are coarse lattices, one at least.
  std::vector<LevelSettings> levels;
  Precision storage = Precision::half_precision;       ///< of near-null vectors
  Precision link_storage = Precision::half_precision;  ///< of coarse links
  /// The lower one of both.
  Precision narrowest() const { return bytes_of(link_storage) < bytes_of(storage) ? link_storage : storage; }
  SmootherKind smoother = SmootherKind::polynomial;  ///< of all lattices
  double omega = 0.85;                               ///< relaxation of minimal residuals
  /// Smoothers take no halos: each rank smooths its own sites (additive Schwarz, Babich et al.,
  /// arXiv:1109.2935). Iterations then depend on the process grid.
  bool local_smoother = false;
  /// Sites of a rank below which a coarse lattice moves to fewer ranks; 0: none moves for that.
  int least_sites = 512;
  /// Rows up to which the coarsest lattice is solved by a dense inverse, if it is on one rank.
  int most_dense_rows = 1024;

  std::uint64_t seed = 1;  ///< of the noise that near-null vectors begin with
  /// Iterations for each near-null vector of the finest lattice, and of coarse ones.
  int filter_iterations = 12, coarse_filter_iterations = 12;
  int least_rounds = 2, most_rounds = 6;  ///< least and largest number of setup iterations
  /// Right-hand sides that the setup is for: it is improved for as long as that takes less than it saves.
  double solves = 12;
  double tolerance = 1e-10;  ///< of the solves
};

inline constexpr int chiral_components = 6;  ///< components of a chirality on the finest lattice

/// Chooses the blocks of the lattices of a hierarchy where nobody says them. The finest first: blocks near
/// 4^4, then near 2^4 until what is left is solved easily. They follow the lattice alone, and so are equal
/// on every process grid; where they do not divide the sites of a rank, a lattice is on fewer ranks
/// (multigrid/levels/agglomeration.hpp). Throws Error(job_file) where a lattice has no block that gathers
/// enough sites for so many near-null vectors.
std::vector<Extents> choose_blocks(const Extents& lattice, int vectors);

}  // namespace plaq
