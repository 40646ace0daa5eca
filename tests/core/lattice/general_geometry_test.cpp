// Lattices of any extents, with and without a checkerboard: sites, faces and regions against coordinates
// counted by hand.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "core/lattice/domain.hpp"
#include "core/system/error.hpp"
#include "tests/support/shapes.hpp"

namespace plaq {
namespace {

using test::describe;
using test::general_geometries;

int parity_of(const Geometry& g, const Coordinates& c) {
  if (g.order() == LatticeOrder::lexicographic) return 0;
  const Extents first = g.offset();
  return (c.x[0] + c.x[1] + c.x[2] + c.x[3] + first[0] + first[1] + first[2] + first[3]) % 2;
}

// This rank's sites, x fastest.
std::vector<Coordinates> sites_of(const Geometry& g) {
  std::vector<Coordinates> all;
  const Extents& e = g.local();
  for (int t = 0; t < e[3]; ++t)
    for (int z = 0; z < e[2]; ++z)
      for (int y = 0; y < e[1]; ++y)
        for (int x = 0; x < e[0]; ++x) all.push_back({{x, y, z, t}});
  return all;
}

void expect_equal(const Coordinates& a, const Coordinates& b) {
  for (int mu = 0; mu < 4; ++mu) ASSERT_EQ(a.x[mu], b.x[mu]);
}

TEST(GeneralGeometry, ExtentsAndOffsets) {
  for (const auto& g : general_geometries()) {
    SCOPED_TRACE(describe(*g));
    const auto& d = g->decomposition();
    std::int64_t volume = 1;
    for (std::size_t mu = 0; mu < 4; ++mu) {
      const int local = d.global[mu] / d.ranks[mu];
      EXPECT_EQ(g->local()[mu], local);
      EXPECT_EQ(g->general_shape().extent[mu], local);
      EXPECT_EQ(g->offset()[mu], d.position[mu] * local);
      EXPECT_EQ(g->partitioned(static_cast<int>(mu)), d.ranks[mu] > 1 || ((d.forced >> mu) & 1u));
      volume *= local;
    }
    EXPECT_EQ(g->local_volume(), volume);
    EXPECT_EQ(g->parities(), g->order() == LatticeOrder::checkerboard ? 2 : 1);
  }
}

// Every site has one index, in lexicographic order within its parity; the parities share the volume.
TEST(GeneralGeometry, CoordinatesIndexAndParity) {
  for (const auto& g : general_geometries()) {
    SCOPED_TRACE(describe(*g));
    const auto& shape = g->general_shape();
    int next[2] = {0, 0};
    for (const Coordinates& c : sites_of(*g)) {
      const int parity = parity_of(*g, c);
      ASSERT_EQ(shape.parity(c), parity);
      ASSERT_EQ(shape.index(c), next[parity]++);
      expect_equal(shape.coordinates(parity, shape.index(c)), c);
      std::int64_t lexicographic = 0;
      for (int mu = 3; mu >= 0; --mu) {
        const auto m = static_cast<std::size_t>(mu);
        lexicographic = lexicographic * g->global()[m] + c.x[mu] + g->offset()[m];
      }
      ASSERT_EQ(shape.global_index(c), lexicographic);
    }
    EXPECT_EQ(shape.stored_sites(), std::max(next[0], next[1]));
    for (int parity = 0; parity < g->parities(); ++parity)
      EXPECT_EQ(shape.parity_sites(parity), next[parity]);
  }
}

TEST(GeneralGeometry, EvenExtentsKeepTheirOrder) {
  for (const auto& g : test::geometries()) {
    SCOPED_TRACE(describe(*g));
    ASSERT_TRUE(g->has_lattice_shape());
    const auto& general = g->general_shape();
    const auto& even = g->shape();
    ASSERT_EQ(general.stored_sites(), even.half_volume);
    for (int parity = 0; parity < 2; ++parity) {
      ASSERT_EQ(general.parity_sites(parity), even.half_volume);
      for (int s = 0; s < even.half_volume; ++s) {
        const Coordinates c = even.coordinates(parity, s);
        expect_equal(general.coordinates(parity, s), c);
        ASSERT_EQ(general.index(c), s);
        ASSERT_EQ(general.parity(c), parity);
        for (int mu = 0; mu < 4; ++mu) {
          ASSERT_EQ(general.face_sites(mu), even.face_sites(mu));
          const int face = even.face_index(mu, c);
          ASSERT_EQ(general.face_index(mu, c), face);
          expect_equal(general.face_coordinates(parity, mu, c.x[mu], face), c);
        }
      }
    }
  }
}

// A face's sites are numbered without gaps, those of the neighbouring slice alike.
TEST(GeneralGeometry, FaceIndicesAreABijection) {
  for (const auto& g : general_geometries()) {
    SCOPED_TRACE(describe(*g));
    const auto& shape = g->general_shape();
    for (int mu = 0; mu < 4; ++mu) {
      std::set<std::vector<int>> found;  // slice, parity, number
      for (const Coordinates& c : sites_of(*g)) {
        const int parity = parity_of(*g, c), face = shape.face_index(mu, c);
        ASSERT_TRUE(face >= 0 && face < shape.face_sites(mu));
        ASSERT_TRUE(found.insert({c.x[mu], parity, face}).second);
        ASSERT_TRUE(shape.has_face_site(parity, mu, c.x[mu], face));
        expect_equal(shape.face_coordinates(parity, mu, c.x[mu], face), c);
        Coordinates next = c;
        ++next.x[mu];
        ASSERT_EQ(shape.face_index(mu, next), face);
      }
      for (int slice = 0; slice < shape.extent[mu]; ++slice)
        for (int parity = 0; parity < g->parities(); ++parity)
          for (int face = 0; face < shape.face_sites(mu) + 2; ++face)
            ASSERT_EQ(shape.has_face_site(parity, mu, slice, face), found.contains({slice, parity, face}));
    }
  }
}

std::set<int> indices(const Geometry& g, Region region, int parity) {
  const Domain d = make_domain(g, region, parity, Location::host);
  std::set<int> sites;
  for (int s = d.begin; s < d.end; ++s)
    if (d.masks == nullptr || ((d.masks[s / 64] >> (s % 64)) & 1u)) sites.insert(s);
  EXPECT_EQ(g.region(region, parity, Location::host).count, static_cast<int>(sites.size()));
  return sites;
}

TEST(GeneralGeometry, RegionsPartitionTheSites) {
  for (const auto& g : general_geometries()) {
    SCOPED_TRACE(describe(*g));
    std::set<int> all[2], interior[2], boundary[2];
    std::size_t inside = 0;
    for (const Coordinates& c : sites_of(*g)) {
      bool inner = true;
      for (int mu = 0; mu < 4; ++mu)
        if (g->partitioned(mu))
          inner = inner && c.x[mu] > 0 && c.x[mu] < g->local()[static_cast<std::size_t>(mu)] - 1;
      const int parity = parity_of(*g, c), s = g->general_shape().index(c);
      all[parity].insert(s);
      (inner ? interior : boundary)[parity].insert(s);
      inside += inner ? 1 : 0;
    }
    for (int parity = 0; parity < g->parities(); ++parity) {
      EXPECT_EQ(indices(*g, Region::all, parity), all[parity]);
      EXPECT_EQ(indices(*g, Region::interior, parity), interior[parity]);
      EXPECT_EQ(indices(*g, Region::boundary, parity), boundary[parity]);
      if (!g->has_lattice_shape()) {
        EXPECT_EQ(make_domain(*g, Region::all, parity, Location::host).shape, nullptr);
      }
    }
    if (g->any_partitioned()) {
      EXPECT_EQ(g->region_bytes(Region::interior, Location::device), inside * sizeof(int));
    }
  }
}

std::string error_of(ErrorKind kind, const Decomposition& d, LatticeOrder order) {
  try {
    const auto g = Geometry::create_general(d, order);
    (void)g->shape();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), kind);
    return e.what();
  }
  return "no error";
}

TEST(GeneralGeometry, RefusesWhatItCannotStore) {
  const auto lexicographic = LatticeOrder::lexicographic, checkerboard = LatticeOrder::checkerboard;
  EXPECT_EQ(error_of(ErrorKind::job_file, {{5, 4, 4, 4}, {2, 1, 1, 1}}, lexicographic),
            "lattice 5x4x4x4 does not split over process grid 2x1x1x1: in x each rank would hold 5/2 slices; "
            "a whole number of at least 1 is needed");
  EXPECT_NE(error_of(ErrorKind::job_file, {{4, 4, 0, 4}}, lexicographic).find("in z"), std::string::npos);
  EXPECT_EQ(error_of(ErrorKind::job_file, {{4, 3, 4, 4}}, checkerboard),
            "lattice 4x3x4x4 has no checkerboard: its extent 3 in y is odd; even global extents are needed");
  EXPECT_NE(error_of(ErrorKind::job_file, {{1291, 1291, 1291, 1}}, lexicographic).find("2^31"),
            std::string::npos);
  // What only even extents have.
  const std::string even = "internal error: a lattice of even extents with a checkerboard is needed here";
  EXPECT_EQ(error_of(ErrorKind::internal, {{4, 4, 4, 4}}, lexicographic), even);
  EXPECT_EQ(error_of(ErrorKind::internal, {{6, 4, 4, 4}, {2, 1, 1, 1}}, checkerboard), even);
  EXPECT_EQ(error_of(ErrorKind::internal, {{4, 4, 4, 4}, {2, 1, 1, 1}}, checkerboard), "no error");
  EXPECT_THROW(Geometry::create_general({{6, 4, 4, 4}, {2, 1, 1, 1}}, checkerboard)->extended(1), Error);
  EXPECT_EQ(lattice_order_for({4, 2, 6, 8}), checkerboard);
  EXPECT_EQ(lattice_order_for({4, 2, 3, 8}), lexicographic);
}

}  // namespace
}  // namespace plaq
