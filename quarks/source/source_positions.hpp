// Sites of the sources on a gauge field.
#pragma once

#include <cstdint>
#include <optional>

#include "core/lattice/geometry.hpp"
#include "core/system/error.hpp"

namespace plaq {

/// Numbers of a gauge field in its Markov chains.
struct FieldNumbers {
  std::int64_t trajectory = 0;  ///< below 2^48
  std::int64_t replica = 0;     ///< below 2^32
};

/// Seed of noise on a gauge field, for noise that has other numbers on each field: a random number of (seed,
/// trajectory, replica) from 0 to 2^63 - 1, by Philox.
std::int64_t noise_seed(std::int64_t seed, const FieldNumbers& field);

/// Order of sites: each a shift from the one before, random ones, or a grid over the lattice.
enum class PositionOrder { shift, random, grid };

/// Sites of a number of sources.
struct SourcePositions {
  PositionOrder order = PositionOrder::shift;  ///< order of the sites
  Extents first{};                             ///< site of the first one; not of random ones
  Extents shift{};                             ///< from each one to the next
  Extents grid{1, 1, 1, 1};                    ///< sites of the grid in x, y, z, t
  int count = 1;                               ///< number of sources; that of a grid is that of its sites
  std::optional<std::int64_t> seed = {};       ///< of random sites
  bool random_origin = false;                  ///< the first site of a shift or grid is a random one

  int number() const;  ///< number of sources
  /// True if sites belong to the numbers of the gauge field.
  bool are_random() const { return order == PositionOrder::random || random_origin; }
  /// The first parameter that does not fit a lattice of these extents; none if all do.
  std::optional<ParameterFault> fault(const Extents& lattice) const;
};

/// Site of source `k` on a gauge field. Random sites are a function of (seed, trajectory, replica, k),
/// uniform to L / 2^32 in each direction, by Philox: x_mu = floor(w_mu L_mu / 2^32) for the words w of a
/// draw. Site k of a grid has the coordinates first_mu + k_mu L_mu / grid_mu modulo the lattice, k_x fastest.
/// @param sites  order of the sites
/// @param field  numbers of the gauge field
/// @param k  number of the source
/// @param lattice  extents of the whole lattice
Extents source_position(const SourcePositions& sites, const FieldNumbers& field, int k,
                        const Extents& lattice);

}  // namespace plaq
