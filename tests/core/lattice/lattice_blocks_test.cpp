// Blocks hold every owned site once, near each other, with and without a halo or slices of it.
#include "core/lattice/lattice_blocks.hpp"

#include <algorithm>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "tests/support/test.hpp"

namespace plaq {
namespace {

constexpr int places = LatticeBlocks::places;

// How often each stored site of a parity is found.
std::vector<int> found_in_blocks(const LatticeShape& shape, std::uint32_t beyond, int parity) {
  const LatticeBlocks blocks(shape, beyond);
  std::vector<int> found(static_cast<std::size_t>(shape.half_volume), 0);
  for (unsigned block = 0; block < blocks.count(); ++block)
    for (unsigned place = 0; place < places; ++place)
      if (const int site = blocks.site(block, place, parity); site >= 0) ++found.at(site);
  for (unsigned place = 0; place < places; ++place)
    for (unsigned after = 0; after < 3; ++after)
      EXPECT_EQ(blocks.site(blocks.count() + after, place, parity), -1);
  return found;
}

TEST(LatticeBlocks, HoldEveryOwnedSiteOnce) {
  for (const Extents& extents :
       {Extents{2, 2, 2, 2}, {8, 8, 8, 16}, {6, 10, 2, 14}, {4, 6, 10, 2}, {24, 6, 4, 8}, {2, 22, 34, 6}})
    for (const std::uint32_t split : {0u, 1u, 8u, 6u, 15u})
      for (const int depth : {0, 1, 2}) {
        const auto geometry = Geometry::create({extents, {1, 1, 1, 1}, {0, 0, 0, 0}, split});
        const auto stored = depth == 0 ? geometry : geometry->extended(depth);
        const LatticeShape& shape = stored->shape();
        for (const std::uint32_t beyond : {0u, 7u, 9u})
          for (int parity = 0; parity < 2; ++parity) {
            const auto found = found_in_blocks(shape, beyond, parity);
            for (int i = 0; i < shape.half_volume; ++i) {
              const Coordinates c = shape.coordinates(parity, i);
              bool taken = true;
              for (int mu = 0; mu < 4; ++mu) {
                const int more = depth > 0 && ((split >> mu) & (beyond >> mu) & 1u) != 0 ? 1 : 0;
                const int first = shape.halo[mu] - more, end = shape.extent[mu] - shape.halo[mu] + more;
                taken = taken && c.x[mu] >= first && c.x[mu] < end;
              }
              ASSERT_EQ(shape.is_within(c, beyond), taken);
              ASSERT_EQ(found[i], taken ? 1 : 0) << to_string(extents) << ", split " << split << ", halo "
                                                 << depth << ", beyond " << beyond << ", site " << i;
            }
          }
      }
}

TEST(LatticeBlocks, AreFullAndSmallWhereExtentsAllowIt) {
  for (const Extents& extents :
       {Extents{32, 32, 32, 64}, {16, 16, 16, 32}, {64, 64, 64, 128}, {48, 48, 48, 96}}) {
    const LatticeShape& shape = Geometry::create({extents})->shape();
    const LatticeBlocks blocks(shape);
    for (const unsigned block : {0u, blocks.count() / 3, blocks.count() - 1}) {
      int least[4] = {1 << 20, 1 << 20, 1 << 20, 1 << 20}, most[4] = {-1, -1, -1, -1};
      for (int parity = 0; parity < 2; ++parity)
        for (unsigned place = 0; place < places; ++place) {
          const int site = blocks.site(block, place, parity);
          ASSERT_GE(site, 0);
          const Coordinates c = shape.coordinates(parity, site);
          for (int mu = 0; mu < 4; ++mu) {
            least[mu] = std::min(least[mu], c.x[mu]);
            most[mu] = std::max(most[mu], c.x[mu]);
          }
        }
      EXPECT_GE(most[0] - least[0], 15);
      for (int mu = 1; mu < 4; ++mu) EXPECT_LE(most[mu] - least[mu], 1);
    }
  }
}

}  // namespace
}  // namespace plaq
