#include "core/lattice/site_tiles.hpp"

#include <algorithm>

#include "core/system/error.hpp"

namespace plaq {

std::vector<BoxRows> tile_candidates(const LatticeShape& shape, const TileSize& size) {
  constexpr std::size_t most = 4;
  struct Choice {
    BoxRows rows;
    double cost;  // sites fetched for a site, times threads for a site
  };
  std::vector<Choice> choices;
  for (int y = 1; y <= shape.extent[1] && shape.half_x * y <= size.threads; ++y)
    for (int z = 1; z <= shape.extent[2] && shape.half_x * y * z <= size.threads; ++z)
      for (int t = 1; t <= shape.extent[3] && shape.half_x * y * z * t <= size.threads; ++t) {
        const SiteTiles tiles(shape, {y, z, t});
        if (!tiles.fit(size)) continue;
        const double threads = static_cast<double>(tiles.count()) * size.threads / shape.half_volume;
        choices.push_back({{y, z, t}, static_cast<double>(tiles.staged()) / tiles.places() * threads});
      }
  std::stable_sort(choices.begin(), choices.end(),
                   [](const Choice& a, const Choice& b) { return a.cost < b.cost; });
  std::vector<BoxRows> rows;
  for (const Choice& c : choices)
    if (rows.size() < most) rows.push_back(c.rows);
  return rows;
}

SiteTiles::SiteTiles(const LatticeShape& shape, const BoxRows& rows)
    : by_half_x_(static_cast<std::uint32_t>(shape.half_x)) {
  const int wanted[] = {rows.y, rows.z, rows.t};
  unsigned tiles[3];
  for (int d = 0; d < 3; ++d) {
    require(shape.halo[d + 1] == 0 && shape.halo[0] == 0, "tiles of a lattice with halo");
    require(wanted[d] >= 1 && wanted[d] <= shape.extent[d + 1], "a tile has rows of the lattice");
    extent_[d] = static_cast<unsigned>(shape.extent[d + 1]);
    const auto in_tile = static_cast<unsigned>(wanted[d]);
    tiles[d] = (extent_[d] + in_tile - 1) / in_tile;
  }
  by_y_ = Divisor(static_cast<std::uint32_t>(rows.y)), by_z_ = Divisor(static_cast<std::uint32_t>(rows.z));
  t_ = static_cast<unsigned>(rows.t);
  by_tiles_y_ = Divisor(tiles[0]), by_tiles_z_ = Divisor(tiles[1]);
  tiles_ = tiles[0] * tiles[1] * tiles[2];
}

}  // namespace plaq
