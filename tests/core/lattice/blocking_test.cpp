// Blocks of sites: from fine to coarse and back, against division of coordinates.
#include "core/lattice/blocking.hpp"

#include "tests/support/errors.hpp"
#include "tests/support/shapes.hpp"

namespace plaq {
namespace {

// All blocks that tile the local lattice.
std::vector<Extents> blocks_of(const Geometry& g) {
  std::vector<Extents> blocks{{1, 1, 1, 1}};
  for (std::size_t mu = 0; mu < 4; ++mu) {
    std::vector<Extents> wider;
    for (Extents b : blocks)
      for (b[mu] = 1; b[mu] <= g.local()[mu]; ++b[mu])
        if (g.local()[mu] % b[mu] == 0) wider.push_back(b);
    blocks = wider;
  }
  return blocks;
}

// Geometries of even extents and of any.
std::vector<GeometryPtr> fine_geometries() {
  std::vector<GeometryPtr> all = test::general_geometries();
  for (const auto& d : test::decompositions()) all.push_back(Geometry::create(d));
  return all;
}

Coordinates global(const Geometry& g, int parity, int index) {
  Coordinates c = g.general_shape().coordinates(parity, index);
  for (int mu = 0; mu < 4; ++mu) c.x[mu] += g.offset()[mu];
  return c;
}

void expect_one_to_one(const Blocking& blocking) {
  const Geometry &fine = blocking.fine(), &coarse = blocking.coarse();
  const BlockMap& map = blocking.map();
  std::set<std::tuple<int, int, int, int>> found;  // fine parity, coarse parity and index, place
  for (int parity = 0; parity < fine.parities(); ++parity)
    for (int s = 0; s < fine.general_shape().parity_sites(parity); ++s) {
      const BlockSite at = map.block_site(parity, s);
      ASSERT_TRUE(at.place >= 0 && at.place < map.places());
      ASSERT_TRUE(at.parity < coarse.parities());
      ASSERT_LT(at.index, coarse.general_shape().parity_sites(at.parity));
      const Coordinates c = global(fine, parity, s), block = global(coarse, at.parity, at.index);
      int inside = 0;  // lexicographic
      for (int mu = 3; mu >= 0; --mu) {
        const int b = blocking.block()[mu];
        ASSERT_EQ(block.x[mu], c.x[mu] / b);
        inside = inside * b + c.x[mu] % b;
      }
      ASSERT_EQ(at.place, fine.parities() == 2 ? inside / 2 : inside);
      ASSERT_TRUE(found.insert({parity, at.parity, at.index, at.place}).second);
      ASSERT_EQ(map.fine_index(parity, at), s);
    }
  // All other places are empty.
  for (int parity = 0; parity < fine.parities(); ++parity)
    for (int coarse_parity = 0; coarse_parity < coarse.parities(); ++coarse_parity)
      for (int s = 0; s < coarse.general_shape().parity_sites(coarse_parity); ++s)
        for (int place = 0; place < map.places(); ++place)
          ASSERT_EQ(map.fine_index(parity, {coarse_parity, s, place}) >= 0,
                    found.contains({parity, coarse_parity, s, place}));
}

TEST(Blocking, SitesAndPlacesAreOneToOne) {
  for (const auto& g : fine_geometries()) {
    if (g->local_volume() > 700) continue;  // many blocks each
    for (const Extents& block : blocks_of(*g)) {
      SCOPED_TRACE(test::describe(*g) + " blocks " + to_string(block));
      const Blocking blocking(g, block);
      EXPECT_EQ(blocking.block_volume(), block[0] * block[1] * block[2] * block[3]);
      for (std::size_t mu = 0; mu < 4; ++mu)
        ASSERT_EQ(blocking.coarse().global()[mu] * block[mu], g->global()[mu]);
      ASSERT_EQ(blocking.coarse().order(), lattice_order_for(blocking.coarse().global()));
      ASSERT_EQ(blocking.coarse().decomposition().position, g->decomposition().position);
      ASSERT_EQ(blocking.coarse().general_shape().partitioned, g->general_shape().partitioned);
      expect_one_to_one(blocking);
      expect_one_to_one(Blocking(g, block, LatticeOrder::lexicographic));
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

// Blocks of blocks are larger blocks.
TEST(Blocking, LevelsFollowEachOther) {
  const auto fine = Geometry::create({{12, 4, 8, 6}, {2, 1, 2, 1}, {1, 0, 0, 0}, 8});
  const Blocking first(fine, {3, 2, 2, 3}), second(first.coarse_ptr(), {1, 2, 2, 2}),
      both(fine, {3, 4, 4, 6});
  EXPECT_EQ(first.coarse().global(), (Extents{4, 2, 4, 2}));
  EXPECT_EQ(second.coarse().global(), (Extents{4, 1, 2, 1}));
  EXPECT_EQ(second.coarse().order(), LatticeOrder::lexicographic);
  for (int parity = 0; parity < 2; ++parity)
    for (int s = 0; s < fine->shape().half_volume; ++s) {
      const BlockSite middle = first.map().block_site(parity, s);
      const BlockSite stepwise = second.map().block_site(middle.parity, middle.index);
      const BlockSite at_once = both.map().block_site(parity, s);
      ASSERT_EQ(stepwise.parity, at_once.parity);
      ASSERT_EQ(stepwise.index, at_once.index);
    }
}

TEST(Blocking, RefusesBlocksThatDoNotTile) {
  const auto fine = Geometry::create({{12, 8, 8, 8}, {2, 1, 1, 1}});
  const auto refused = [&](const Extents& block, const std::string& part) {
    test::expect_error([&] { Blocking(fine, block); }, ErrorKind::job_file, {part});
  };
  refused({4, 4, 4, 4},
          "blocks of 4x4x4x4 sites do not tile the 6x8x8x8 sites of a rank (lattice 12x8x8x8 on process "
          "grid 2x1x1x1): 4 in x must be one of 1, 2, 3, 6");
  refused({3, 2, 0, 2}, "0 in z must be one of 1, 2, 4, 8");
  refused({3, 2, 2, 16}, "16 in t");
  EXPECT_NO_THROW(Blocking(fine, {6, 8, 1, 2}));
  EXPECT_THROW(Blocking(fine, {6, 8, 8, 8}, LatticeOrder::checkerboard), Error);  // 2x1x1x1 has none
}

}  // namespace
}  // namespace plaq
