// The lists of joint launches, as plans know them, are as long as those that are made.
#include "core/joint_order_bytes.hpp"

#include <gtest/gtest.h>

#include <random>

#include "core/geometry.hpp"
#include "core/launch_shape.hpp"

namespace plaq {
namespace {

void expect_as_made(const Extents& extents, std::uint32_t split, const std::vector<int>& blocks) {
  const auto geometry = Geometry::create({extents, {1, 1, 1, 1}, {0, 0, 0, 0}, split});
  const LatticeShape& shape = geometry->shape();
  std::vector<JointShape> joints;
  for (const int block : blocks) joints.push_back({block, {}});
  for (const BoxRows& box : box_candidates(shape, 256))
    joints.push_back({(shape.half_x * box.count() + 31) / 32 * 32, box});
  for (const JointShape& joint : joints)
    for (int parity = 0; parity < 2; ++parity) {
      const std::size_t before = Buffer::in_use(Location::host);
      const JointOrder order(shape, parity, joint, Location::host);
      EXPECT_EQ(joint_order_bytes(shape, parity, joint), Buffer::in_use(Location::host) - before)
          << to_string(extents) << " split " << split << ", parity " << parity << ", blocks of "
          << joint.block << ", rows " << joint.box.y << "x" << joint.box.z << "x" << joint.box.t;
    }
}

TEST(JointOrderBytes, AreThoseOfEveryKindOfGroup) {
  const std::vector<int> blocks = {32, 64, 96, 128, 192, 256};
  for (const Extents& extents : {Extents{2, 2, 2, 2}, Extents{4, 2, 6, 2}, Extents{16, 4, 2, 6},
                                 Extents{8, 6, 10, 4}, Extents{48, 6, 4, 8}, Extents{16, 16, 16, 32}})
    for (std::uint32_t split = 0; split < 16; ++split) expect_as_made(extents, split, blocks);
}

TEST(JointOrderBytes, AreThoseOfAnyLattice) {
  std::mt19937 random(5);
  const auto even = [&](int most) {
    return 2 * (1 + static_cast<int>(random() % static_cast<unsigned>(most)));
  };
  for (int i = 0; i < 60; ++i)
    expect_as_made({even(20), even(8), even(8), even(8)}, random() % 16, {32, 96, 256});
}

}  // namespace
}  // namespace plaq
