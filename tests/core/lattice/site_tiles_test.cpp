// Tiles hold every site once, and stage every neighbour of its sites where they say.
#include "core/lattice/site_tiles.hpp"

#include "core/lattice/geometry.hpp"
#include "core/system/error.hpp"
#include "tests/support/test.hpp"

namespace plaq {
namespace {

const std::vector<Extents> lattices{
    {2, 2, 2, 2}, {8, 8, 8, 16}, {6, 10, 2, 14}, {4, 6, 10, 2}, {24, 6, 4, 8}};

int wrapped(int x, int extent) { return (x + extent) % extent; }

template <int D>
void expect_neighbor(const LatticeShape& shape, const SiteTiles& tiles, unsigned tile, unsigned place,
                     int parity) {
  const Coordinates c = shape.coordinates(parity, tiles.site(tile, place));
  Coordinates n = c;
  n.x[D / 2] = wrapped(n.x[D / 2] + (D % 2 == 0 ? 1 : -1), shape.extent[D / 2]);
  const int staged = tiles.neighbor<D>(place, static_cast<unsigned>(c.x[0] & 1));
  ASSERT_GE(staged, 0);
  ASSERT_LT(staged, tiles.staged());
  EXPECT_EQ(tiles.staged_site(tile, static_cast<unsigned>(staged)), shape.index(n)) << "direction " << D;
}

template <int... D>
void expect_neighbors(const LatticeShape& shape, const SiteTiles& tiles, unsigned tile, unsigned place,
                      int parity, std::integer_sequence<int, D...>) {
  (expect_neighbor<D>(shape, tiles, tile, place, parity), ...);
}

TEST(SiteTiles, HoldEverySiteAndItsNeighbors) {
  for (const Extents& extents : lattices) {
    const auto geometry = Geometry::create({extents});
    const LatticeShape& shape = geometry->shape();
    for (const BoxRows& rows : {BoxRows{1, 1, 1}, {2, 2, 2}, {1, 2, 1}, {5, 2, 3}, {3, 4, 7}}) {
      if (rows.y > extents[1] || rows.z > extents[2] || rows.t > extents[3]) continue;
      const SiteTiles tiles(shape, rows);
      EXPECT_EQ(tiles.places(), shape.half_x * rows.count());
      EXPECT_EQ(tiles.staged(),
                shape.half_x * (rows.count() + 2 * (rows.y * rows.z + rows.y * rows.t + rows.z * rows.t)));
      std::vector<int> found(static_cast<std::size_t>(shape.half_volume), 0);
      for (unsigned tile = 0; tile < tiles.count(); ++tile) {
        for (unsigned staged = 0; staged < static_cast<unsigned>(tiles.staged()); ++staged) {
          ASSERT_GE(tiles.staged_site(tile, staged), 0);
          ASSERT_LT(tiles.staged_site(tile, staged), shape.half_volume);
        }
        for (unsigned place = 0; place < static_cast<unsigned>(tiles.places()); ++place) {
          // Also where the tile reaches over the end.
          for (const unsigned odd : {0u, 1u}) {
            ASSERT_LT(tiles.neighbor<0>(place, odd), tiles.staged());
            ASSERT_GE(tiles.neighbor<1>(place, odd), 0);
          }
          const int site = tiles.site(tile, place);
          if (site < 0) continue;
          ASSERT_LT(site, shape.half_volume);
          ++found[site];
          for (const int parity : {0, 1}) {
            expect_neighbors(shape, tiles, tile, place, parity, std::make_integer_sequence<int, 8>());
          }
        }
      }
      EXPECT_EQ(std::count(found.begin(), found.end(), 1), shape.half_volume)
          << to_string(extents) << " in tiles of " << rows.y << "x" << rows.z << "x" << rows.t;
    }
  }
}

TEST(SiteTiles, CandidatesFitTheKernel) {
  for (const Extents& extents : {Extents{32, 32, 32, 64}, {24, 24, 24, 48}, {6, 10, 2, 14}, {2, 2, 2, 2}})
    for (const TileSize size : {TileSize{384, 1152, 4}, {256, 896, 4}}) {
      const LatticeShape& shape = Geometry::create({extents})->shape();
      const auto candidates = tile_candidates(shape, size);
      EXPECT_FALSE(candidates.empty()) << to_string(extents);
      for (const BoxRows& rows : candidates) {
        const SiteTiles tiles(shape, rows);
        EXPECT_LE(tiles.places(), size.threads);
        EXPECT_LE(tiles.staged(), size.staged);
        EXPECT_LE(tiles.staged(), size.rounds * tiles.threads());
      }
    }
  // A row of 512 sites has no room.
  EXPECT_TRUE(tile_candidates(Geometry::create({{1024, 2, 2, 2}})->shape(), {384, 1152, 4}).empty());
}

TEST(SiteTiles, RefusesRowsThatTheLatticeDoesNotHave) {
  const auto geometry = Geometry::create({{8, 4, 4, 8}});
  EXPECT_THROW(SiteTiles(geometry->shape(), {5, 1, 1}), Error);
  EXPECT_THROW(SiteTiles(geometry->shape(), {1, 0, 1}), Error);
}

}  // namespace
}  // namespace plaq
