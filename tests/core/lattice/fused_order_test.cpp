// Launches that exchange faces take every site once: those with ghosts when faces may be awaited. Their
// lists, as plans know them, are as long as those that are made.
#include "core/lattice/fused_order.hpp"

#include "core/lattice/geometry.hpp"
#include "core/launch/launch_shape.hpp"
#include "tests/support/test.hpp"

namespace plaq {
namespace {

constexpr unsigned warp = 32;

GeometryPtr split(const Extents& extents, std::uint32_t directions) {
  return Geometry::create({extents, {1, 1, 1, 1}, {0, 0, 0, 0}, directions});
}
// Blocks of these sizes, and all boxes.
std::vector<FusedShape> fused_shapes(const LatticeShape& shape, const std::vector<int>& blocks) {
  std::vector<FusedShape> all;
  for (const int block : blocks) all.push_back({block, {}});
  for (const BoxRows& box : box_candidates(shape, 256))
    all.push_back({(shape.half_x * box.count() + 31) / 32 * 32, box});
  return all;
}
std::string describe(const Extents& extents, std::uint32_t directions, const FusedShape& fused) {
  return to_string(extents) + " split " + std::to_string(directions) + " blocks of " +
         std::to_string(fused.block) + " rows " + std::to_string(fused.box.y) + "x" +
         std::to_string(fused.box.z) + "x" + std::to_string(fused.box.t);
}

struct Taken {
  std::vector<int> inside, edge;  // how often each site was taken, without and with its faces at hand
  unsigned waiting = 0;           // warps
};

// What a launch does (core/launch/fused_launch_device.hpp), block by block.
Taken take(const LatticeShape& shape, int parity, const FusedShape& fused, int depth,
           const FusedView& order) {
  const auto sites = static_cast<std::size_t>(shape.half_volume);
  Taken taken{std::vector<int>(sites), std::vector<int>(sites)};
  for (unsigned place = 0; place < order.groups + order.again; ++place) {
    const bool again = place >= order.groups;
    const unsigned group = again ? order.list[place - order.groups] : place;
    for (unsigned first = 0; first < static_cast<unsigned>(fused.block); first += warp) {
      std::vector<std::size_t> members;
      bool waits = false;
      for (unsigned i = first; i < first + warp; ++i) {
        const int site = order.boxes.count() != 0
                             ? order.boxes.site(group, i)
                             : static_cast<int>(group * static_cast<unsigned>(fused.block) + i);
        if (site < 0 || site >= shape.half_volume) continue;
        members.push_back(static_cast<std::size_t>(site));
        const Coordinates c = shape.coordinates(parity, site);
        for (int mu = 0; mu < 4; ++mu)
          waits = waits ||
                  (shape.is_partitioned(mu) && (c.x[mu] - depth < 0 || c.x[mu] + depth >= shape.extent[mu]));
      }
      if (waits != again) continue;
      taken.waiting += waits ? 1 : 0;
      for (const std::size_t site : members) ++(waits ? taken.edge : taken.inside)[site];
    }
  }
  return taken;
}

TEST(FusedOrder, TakesEverySiteOnce) {
  for (const Extents& extents : {Extents{8, 6, 10, 4}, Extents{2, 2, 2, 2}, Extents{16, 4, 2, 6}}) {
    for (const std::uint32_t forced : {1u, 4u, 8u, 12u, 15u}) {
      const auto geometry = split(extents, forced);
      const LatticeShape& shape = geometry->shape();
      for (const FusedShape& fused : fused_shapes(shape, {32, 96, 256})) {
        for (const int trial : {0, 1, 2, 3}) {
          const int parity = trial % 2, depth = trial < 2 ? 1 : 3;
          SCOPED_TRACE("depth " + std::to_string(depth) + " " + describe(extents, forced, fused));
          const FusedOrder order(shape, parity, fused, Location::host, depth);
          const Taken taken = take(shape, parity, fused, depth, order.view());
          EXPECT_EQ(taken.waiting, order.view().waiting);
          const std::set<unsigned> again(order.view().list, order.view().list + order.view().again);
          EXPECT_EQ(again.size(), order.view().again);
          for (int s = 0; s < shape.half_volume; ++s) {
            const auto i = static_cast<std::size_t>(s);
            ASSERT_EQ(taken.inside[i] + taken.edge[i], 1) << "site " << s;
            if (shape.at_split_edge(shape.coordinates(parity, s), depth)) {
              ASSERT_EQ(taken.edge[i], 1) << "site " << s;
            }
          }
        }
      }
    }
  }
}

void expect_as_made(const Extents& extents, std::uint32_t directions, const std::vector<int>& blocks) {
  const auto geometry = split(extents, directions);
  for (const FusedShape& fused : fused_shapes(geometry->shape(), blocks))
    for (int parity = 0; parity < 2; ++parity) {
      const std::size_t before = Buffer::in_use(Location::host);
      const FusedOrder order(geometry->shape(), parity, fused, Location::host);
      EXPECT_EQ(fused_order_bytes(geometry->shape(), parity, fused), Buffer::in_use(Location::host) - before)
          << describe(extents, directions, fused) << ", parity " << parity;
    }
}

TEST(FusedOrderBytes, AreThoseOfEveryKindOfGroup) {
  const std::vector<int> blocks = {32, 64, 96, 128, 192, 256};
  for (const Extents& extents : {Extents{2, 2, 2, 2}, Extents{4, 2, 6, 2}, Extents{16, 4, 2, 6},
                                 Extents{8, 6, 10, 4}, Extents{48, 6, 4, 8}, Extents{16, 16, 16, 32}})
    for (std::uint32_t split = 0; split < 16; ++split) expect_as_made(extents, split, blocks);
}

TEST(FusedOrderBytes, AreThoseOfAnyLattice) {
  std::mt19937 random(5);
  const auto even = [&](int most) {
    return 2 * (1 + static_cast<int>(random() % static_cast<unsigned>(most)));
  };
  for (int i = 0; i < 60; ++i)
    expect_as_made({even(20), even(8), even(8), even(8)}, random() % 16, {32, 96, 256});
}

}  // namespace
}  // namespace plaq
