// Launches that exchange faces take every site once: those with ghosts when faces may be awaited.
#include "core/lattice/fused_order.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "core/launch/launch_shape.hpp"

namespace plaq {
namespace {

constexpr unsigned warp = 32;

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
      const auto geometry = Geometry::create({extents, {1, 1, 1, 1}, {0, 0, 0, 0}, forced});
      const LatticeShape& shape = geometry->shape();
      std::vector<FusedShape> fuseds = {{32, {}}, {96, {}}, {256, {}}};
      for (const BoxRows& box : box_candidates(shape, 256)) {
        const int places = shape.half_x * box.count();
        fuseds.push_back({(places + 31) / 32 * 32, box});
      }
      for (const FusedShape& fused : fuseds) {
        for (const int trial : {0, 1, 2, 3}) {
          const int parity = trial % 2, depth = trial < 2 ? 1 : 3;
          SCOPED_TRACE("depth " + std::to_string(depth) + " " + to_string(extents) + " split " +
                       std::to_string(forced) + " blocks of " + std::to_string(fused.block) + " rows " +
                       std::to_string(fused.box.count()));
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

}  // namespace
}  // namespace plaq
