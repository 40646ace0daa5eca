// Boxes hold every site once, and those of a box are near each other.
#include "core/lattice/site_boxes.hpp"

#include "core/lattice/geometry.hpp"
#include "core/launch/launch_shape.hpp"
#include "core/system/error.hpp"
#include "tests/support/test.hpp"

namespace plaq {
namespace {

TEST(SiteBoxes, HoldEverySiteOnce) {
  for (const Extents& extents :
       {Extents{2, 2, 2, 2}, {8, 8, 8, 16}, {6, 10, 2, 14}, {4, 6, 10, 2}, {24, 6, 4, 8}}) {
    const auto geometry = Geometry::create({extents});
    const LatticeShape& shape = geometry->shape();
    for (const BoxRows& rows : {BoxRows{1, 1, 1}, {2, 2, 2}, {4, 2, 2}, {1, 8, 1}, {16, 1, 4}}) {
      const SiteBoxes boxes(shape, rows);
      EXPECT_EQ(boxes.places(), shape.half_x * rows.count());
      std::vector<int> found(static_cast<std::size_t>(shape.half_volume), 0);
      for (unsigned box = 0; box < boxes.count(); ++box) {
        int least[3] = {1 << 20, 1 << 20, 1 << 20}, most[3] = {-1, -1, -1};
        for (int place = 0; place < boxes.places(); ++place) {
          const int site = boxes.site(box, static_cast<unsigned>(place));
          if (site < 0) continue;
          ASSERT_LT(site, shape.half_volume);
          ++found[site];
          const Coordinates c = shape.coordinates(0, site);
          for (int i = 0; i < 3; ++i) {
            least[i] = std::min(least[i], c.x[i + 1]);
            most[i] = std::max(most[i], c.x[i + 1]);
          }
        }
        ASSERT_GE(most[0], 0) << "an empty box";
        EXPECT_LT(most[0] - least[0], rows.y);
        EXPECT_LT(most[1] - least[1], rows.z);
        EXPECT_LT(most[2] - least[2], rows.t);
        // A block may have more threads than its box has places.
        for (int place = boxes.places(); place < (boxes.places() + 31) / 32 * 32; ++place)
          EXPECT_EQ(boxes.site(box, static_cast<unsigned>(place)), -1);
      }
      EXPECT_EQ(std::count(found.begin(), found.end(), 1), shape.half_volume)
          << to_string(extents) << " in boxes of " << rows.y << "x" << rows.z << "x" << rows.t;
    }
  }
}

TEST(SiteBoxes, CandidatesFitTheBlock) {
  for (const Extents& extents : {Extents{32, 32, 32, 64}, {24, 24, 24, 48}, {6, 10, 2, 14}, {512, 2, 2, 2}})
    for (const int block : {128, 256}) {
      const LatticeShape& shape = Geometry::create({extents})->shape();
      for (const BoxRows& rows : box_candidates(shape, block)) {
        EXPECT_LE(shape.half_x * rows.count(), block);
        EXPECT_GT(2 * shape.half_x * rows.count(), block / 2);
      }
    }
  const auto rows = box_candidates(Geometry::create({Extents{32, 32, 32, 64}})->shape(), 256);
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows.front().count(), 16);
  EXPECT_TRUE(box_candidates(Geometry::create({Extents{1024, 2, 2, 2}})->shape(), 256).empty());
}

TEST(SiteBoxes, RefusesOtherRowsThanPowersOfTwo) {
  const auto geometry = Geometry::create({Extents{8, 8, 8, 8}});
  EXPECT_THROW(SiteBoxes(geometry->shape(), {3, 1, 1}), Error);
  EXPECT_THROW(SiteBoxes(geometry->shape(), {1, 0, 1}), Error);
}

}  // namespace
}  // namespace plaq
