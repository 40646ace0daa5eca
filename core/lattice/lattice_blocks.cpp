#include "core/lattice/lattice_blocks.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace plaq {
namespace {

using Four = std::array<unsigned, 4>;

unsigned blocks_in(unsigned extent, unsigned log) { return (extent + (1u << log) - 1) >> log; }

// Time of a launch over a lattice in units of that in the best blocks. It follows from the places side by
// side in x, which fill the lines of the cache, as measured on an H100 (docs/notes/speed-observables.md).
// Places without a site take the time of others. Among equals, sites that read fewer neighbours outside of
// their block are better.
double time_of_blocks(const Four& sites, const Four& log) {
  constexpr double time[] = {2.5, 1.65, 1.15, 1.05, 1};
  double outside = 0, padded = 1;
  for (std::size_t mu = 0; mu < 4; ++mu) {
    outside += 1.0 / std::min((mu == 0 ? 2u : 1u) << log[mu], sites[mu]);
    padded *= static_cast<double>(blocks_in(sites[mu], log[mu]) << log[mu]) / sites[mu];
  }
  return padded * time[log[0]] * (1 + 0.01 * outside);
}

Four best_block(const Four& sites) {
  constexpr unsigned all = 5, most_x = 4;
  static_assert(LatticeBlocks::places == 1 << all);
  Four best{};
  double least = std::numeric_limits<double>::infinity();
  for (unsigned x = 0; x <= most_x; ++x)
    for (unsigned y = 0; x + y <= all; ++y)
      for (unsigned z = 0; x + y + z <= all; ++z) {
        const Four log{x, y, z, all - x - y - z};
        const double time = time_of_blocks(sites, log);
        if (time < least) {
          least = time;
          best = log;
        }
      }
  return best;
}

}  // namespace

LatticeBlocks::LatticeBlocks(const LatticeShape& shape, std::uint32_t beyond) : shape_(shape) {
  Four sites{};
  for (std::size_t mu = 0; mu < 4; ++mu) {
    first_[mu] = shape.halo[mu] - shape.slices_beyond(static_cast<int>(mu), beyond);
    sites[mu] = static_cast<unsigned>(shape.extent[mu] - 2 * first_[mu]) / (mu == 0 ? 2 : 1);
  }
  const Four log = best_block(sites);
  Four blocks{};
  for (std::size_t mu = 0; mu < 4; ++mu) {
    sites_[mu] = sites[mu];
    log_[mu] = log[mu];
    blocks[mu] = blocks_in(sites[mu], log[mu]);
  }
  // Sites of one time slice of a column: 5 Mbyte of links in double precision.
  constexpr unsigned most_sites = 8192;
  unsigned column_y = blocks[1], column_z = blocks[2];
  while (2 * sites[0] * (column_y << log[1]) * (column_z << log[2]) > most_sites && column_y * column_z > 1) {
    unsigned& longer = column_y << log[1] > column_z << log[2] || column_z == 1 ? column_y : column_z;
    longer = (longer + 1) / 2;
  }
  in_x_ = Divisor(blocks[0]);
  in_column_y_ = Divisor(column_y);
  in_column_z_ = Divisor(column_z);
  in_t_ = Divisor(blocks[3]);
  columns_y_ = Divisor((blocks[1] + column_y - 1) / column_y);
  const unsigned columns_z = (blocks[2] + column_z - 1) / column_z;
  count_ = blocks[0] * column_y * column_z * blocks[3] * columns_y_.value * columns_z;
}

}  // namespace plaq
