// The lists of fused halo kernels, as plans know them, are as long as those that are made.
#include "core/lattice/fused_order_bytes.hpp"

#include <gtest/gtest.h>

#include <random>

#include "core/lattice/geometry.hpp"
#include "core/launch/launch_shape.hpp"

namespace plaq {
namespace {

void expect_as_made(const Extents& extents, std::uint32_t split, const std::vector<int>& blocks) {
  const auto geometry = Geometry::create({extents, {1, 1, 1, 1}, {0, 0, 0, 0}, split});
  const LatticeShape& shape = geometry->shape();
  std::vector<FusedShape> fuseds;
  for (const int block : blocks) fuseds.push_back({block, {}});
  for (const BoxRows& box : box_candidates(shape, 256))
    fuseds.push_back({(shape.half_x * box.count() + 31) / 32 * 32, box});
  for (const FusedShape& fused : fuseds)
    for (int parity = 0; parity < 2; ++parity) {
      const std::size_t before = Buffer::in_use(Location::host);
      const FusedOrder order(shape, parity, fused, Location::host);
      EXPECT_EQ(fused_order_bytes(shape, parity, fused), Buffer::in_use(Location::host) - before)
          << to_string(extents) << " split " << split << ", parity " << parity << ", blocks of "
          << fused.block << ", rows " << fused.box.y << "x" << fused.box.z << "x" << fused.box.t;
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
