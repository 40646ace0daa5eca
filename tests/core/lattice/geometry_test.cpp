// Index arithmetic and the sets of sites, against coordinates counted by hand: of lattices with even extents
// and a checkerboard, and of any.
#include "core/lattice/geometry.hpp"

#include "core/lattice/domain.hpp"
#include "core/lattice/lattice_view.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/shapes.hpp"

namespace plaq {
namespace {

using test::describe;

TEST(Divisor, DividesEveryNumeratorBelow2To31) {
  std::mt19937_64 generator(1);
  std::vector<std::uint32_t> divisors;
  for (std::uint32_t d = 1; d <= 300; ++d) divisors.push_back(d);
  for (int shift = 9; shift < 31; ++shift)
    for (const int off : {-1, 0, 1}) divisors.push_back((1u << shift) + static_cast<std::uint32_t>(off));
  for (int i = 0; i < 200; ++i)
    divisors.push_back(static_cast<std::uint32_t>(1 + (generator() >> (33 + i % 30))));
  const std::uint32_t last = 0x7fffffff;
  divisors.push_back(last);
  for (const auto d : divisors) {
    const Divisor by(d);
    std::vector<std::uint32_t> numerators{0, 1, d - 1, d, last, last - 1, last / d * d, last / d * d - 1};
    for (int i = 0; i < 200; ++i) {
      const auto n = static_cast<std::uint32_t>(generator() >> (33 + i % 31));
      numerators.push_back(n);
      numerators.push_back(n / d * d);  // the ends of a quotient's range
      numerators.push_back(n / d * d + (d - 1));
    }
    for (const auto n : numerators) {
      if (n > last) continue;
      ASSERT_EQ(by.divide(n), n / d) << n << " / " << d;
    }
  }
}

template <class Shape>
constexpr bool is_even = std::is_same_v<Shape, LatticeShape>;

template <class Shape>
class Shapes : public testing::Test {
 public:
  // Calls visit(geometry, shape) for those with even extents, with halos too,
  // and of GeneralShape for all others.
  template <class Visit>
  static void for_all(Visit&& visit) {
    auto all = test::geometries();
    if constexpr (!is_even<Shape>) {
      const auto others = test::general_geometries();
      all.insert(all.end(), others.begin(), others.end());
    }
    for (const auto& g : all) {
      SCOPED_TRACE(describe(*g));
      visit(*g, shape_of<Shape>(*g));
      if (testing::Test::HasFatalFailure()) return;
    }
  }
};
using Kinds = testing::Types<LatticeShape, GeneralShape>;
TYPED_TEST_SUITE(Shapes, Kinds);

int halo(const Geometry& g, int mu) { return g.partitioned(mu) ? g.halo_depth() : 0; }

int global(const Geometry& g, const Coordinates& c, int mu) {
  const auto& d = g.decomposition();
  const auto m = static_cast<std::size_t>(mu);
  const int x = c.x[mu] - halo(g, mu) + d.position[m] * (d.global[m] / d.ranks[m]);
  return (x + 4 * d.global[m]) % d.global[m];
}
int parity_of(const Geometry& g, const Coordinates& c) {
  if (g.order() == LatticeOrder::lexicographic) return 0;
  return (global(g, c, 0) + global(g, c, 1) + global(g, c, 2) + global(g, c, 3)) % 2;
}

// Stored coordinates, x fastest.
template <class Shape, class Visit>
void for_stored_coordinates(const Shape& shape, Visit&& visit) {
  const auto& e = shape.extent;
  Coordinates c;
  for (c.x[3] = 0; c.x[3] < e[3]; ++c.x[3])
    for (c.x[2] = 0; c.x[2] < e[2]; ++c.x[2])
      for (c.x[1] = 0; c.x[1] < e[1]; ++c.x[1])
        for (c.x[0] = 0; c.x[0] < e[0]; ++c.x[0]) {
          if (testing::Test::HasFatalFailure()) return;  // one bad site says enough
          visit(c);
        }
}

void expect_equal(const Coordinates& a, const Coordinates& b) {
  for (int mu = 0; mu < 4; ++mu) ASSERT_EQ(a.x[mu], b.x[mu]);
}

TYPED_TEST(Shapes, ExtentsAndOffsets) {
  this->for_all([](const Geometry& g, const auto& shape) {
    const auto& d = g.decomposition();
    std::int64_t volume = 1, stored = 1;
    for (std::size_t mu = 0; mu < 4; ++mu) {
      const int m = static_cast<int>(mu), local = d.global[mu] / d.ranks[mu];
      const bool split = d.ranks[mu] > 1 || ((d.forced >> mu) & 1u);
      EXPECT_EQ(g.partitioned(m), split);
      EXPECT_EQ(g.local()[mu], local);
      EXPECT_EQ(g.offset()[mu], local * d.position[mu]);
      EXPECT_EQ(shape.extent[mu], local + 2 * halo(g, m));
      if constexpr (is_even<TypeParam>) {
        EXPECT_EQ(shape.halo[mu], split ? g.halo_depth() : 0);
        EXPECT_EQ((shape.at_global_edge >> directed(m, true)) & 1u,
                  d.position[mu] == d.ranks[mu] - 1 ? 1u : 0u);
        EXPECT_EQ((shape.at_global_edge >> directed(m, false)) & 1u, d.position[mu] == 0 ? 1u : 0u);
      }
      volume *= local;
      stored *= shape.extent[mu];
    }
    EXPECT_EQ(g.local_volume(), volume);
    EXPECT_EQ(g.parities(), g.order() == LatticeOrder::checkerboard ? 2 : 1);
    EXPECT_EQ(g.global_volume(), std::int64_t{1} * d.global[0] * d.global[1] * d.global[2] * d.global[3]);
    if constexpr (is_even<TypeParam>) {
      EXPECT_EQ(shape.half_volume, stored / 2);
    }
  });
}

// Every site has one index, in lexicographic order within its parity; the parities share the volume.
TYPED_TEST(Shapes, CoordinatesIndexAndParity) {
  this->for_all([](const Geometry& g, const auto& shape) {
    int next[2] = {0, 0};
    for_stored_coordinates(shape, [&](const Coordinates& c) {
      std::int64_t lexicographic = 0;
      for (int mu = 3; mu >= 0; --mu) {
        if constexpr (is_even<TypeParam>) {
          ASSERT_EQ(shape.global_coordinate(c, mu), global(g, c, mu));
        }
        lexicographic = lexicographic * g.global()[mu] + global(g, c, mu);
      }
      const int parity = parity_of(g, c);
      ASSERT_EQ(shape.parity(c), parity);
      if (is_even<TypeParam> || g.halo_depth() == 0) {
        ASSERT_EQ(shape.global_index(c), lexicographic);
      }
      ASSERT_EQ(shape.index(c), next[parity]++);
      expect_equal(shape.coordinates(parity, shape.index(c)), c);
    });
    for (int parity = 0; parity < g.parities(); ++parity) EXPECT_EQ(shape.parity_sites(parity), next[parity]);
    if constexpr (is_even<TypeParam>) {
      EXPECT_EQ(next[0], shape.half_volume);
      EXPECT_EQ(next[1], shape.half_volume);
    } else {
      EXPECT_EQ(shape.stored_sites(), std::max(next[0], next[1]));
    }
  });
}

// A face's sites are numbered without gaps, those of the neighbouring slice alike.
TYPED_TEST(Shapes, FaceIndicesAreABijection) {
  this->for_all([](const Geometry& g, const auto& shape) {
    for (int mu = 0; mu < 4; ++mu) {
      std::set<std::array<int, 3>> found;  // slice, parity, number
      for_stored_coordinates(shape, [&](const Coordinates& c) {
        const int parity = parity_of(g, c), face = shape.face_index(mu, c);
        ASSERT_TRUE(face >= 0 && face < shape.face_sites(mu));
        ASSERT_TRUE(found.insert({c.x[mu], parity, face}).second);
        ASSERT_TRUE(shape.has_face_site(parity, mu, c.x[mu], face));
        expect_equal(shape.face_coordinates(parity, mu, c.x[mu], face), c);
        Coordinates next = c;
        ++next.x[mu];
        if (is_even<TypeParam>) next.x[mu] %= shape.extent[mu];
        ASSERT_EQ(shape.face_index(mu, next), face);
      });
      for (int slice = 0; slice < shape.extent[mu]; ++slice)
        for (int parity = 0; parity < g.parities(); ++parity)
          for (int face = 0; face < shape.face_sites(mu) + 2; ++face)
            ASSERT_EQ(shape.has_face_site(parity, mu, slice, face), found.contains({slice, parity, face}));
    }
  });
}

TEST(GeneralGeometry, EvenExtentsKeepTheirOrder) {
  for (const auto& g : test::geometries()) {
    SCOPED_TRACE(describe(*g));
    ASSERT_TRUE(g->has_lattice_shape());
    for_stored_coordinates(g->shape(), [&](const Coordinates& c) {
      ASSERT_EQ(g->general_shape().index(c), g->shape().index(c));
      for (int mu = 0; mu < 4; ++mu)
        ASSERT_EQ(g->general_shape().face_index(mu, c), g->shape().face_index(mu, c));
    });
    for (int mu = 0; mu < 4; ++mu) ASSERT_EQ(g->general_shape().face_sites(mu), g->shape().face_sites(mu));
  }
}

std::set<int> sites_of(const Geometry& g, Region region, int parity, int depth) {
  const Domain d = make_domain(g, region, parity, Location::host, 1, depth);
  std::set<int> sites;
  for (int s = d.begin; s < d.end; ++s)
    if (d.masks == nullptr || ((d.masks[s / 64] >> (s % 64)) & 1u)) sites.insert(s);
  EXPECT_EQ(g.region(region, parity, Location::host, depth).count, static_cast<int>(sites.size()));
  return sites;
}

TYPED_TEST(Shapes, RegionsPartitionTheOwnedSites) {
  this->for_all([](const Geometry& g, const auto& shape) {
    for (const int depth : {1, 3}) {
      if (depth > 1 && !g.has_lattice_shape()) continue;
      std::set<int> all[2], interior[2], boundary[2];
      for_stored_coordinates(shape, [&](const Coordinates& c) {
        bool owned = true, inner = true;
        for (int mu = 0; mu < 4; ++mu) {
          const int x = c.x[mu] - halo(g, mu), local = g.local()[mu];
          owned = owned && x >= 0 && x < local;
          if (g.partitioned(mu)) inner = inner && x - depth >= 0 && x + depth < local;
        }
        if (!owned) return;
        const int parity = parity_of(g, c);
        all[parity].insert(shape.index(c));
        (inner ? interior : boundary)[parity].insert(shape.index(c));
      });
      for (int parity = 0; parity < g.parities(); ++parity) {
        EXPECT_EQ(sites_of(g, Region::all, parity, depth), all[parity]);
        EXPECT_EQ(sites_of(g, Region::interior, parity, depth), interior[parity]);
        EXPECT_EQ(sites_of(g, Region::boundary, parity, depth), boundary[parity]);
        if (!g.has_lattice_shape()) {
          EXPECT_EQ(make_domain(g, Region::all, parity, Location::host).shape, nullptr);
        }
      }
      EXPECT_EQ(static_cast<std::int64_t>(all[0].size() + all[1].size()), g.local_volume());
      if (g.has_lattice_shape()) {
        EXPECT_EQ(all[0].size(), all[1].size());
      }
      if (g.any_partitioned()) {
        EXPECT_EQ(g.region_bytes(Region::interior, Location::device, depth),
                  sizeof(int) * (interior[0].size() + interior[1].size()));
      }
    }
  });
}

TEST(Geometry, ExtendedIsSharedAndNeedsSlices) {
  const auto whole = Geometry::create({{4, 4, 4, 4}});
  EXPECT_EQ(whole->extended(1), whole);  // nothing is split
  const auto split = Geometry::create({{4, 4, 4, 4}, {1, 1, 1, 2}});
  EXPECT_EQ(split->extended(0), split);
  EXPECT_EQ(split->extended(1), split->extended(1));
  EXPECT_NE(split->extended(1), split->extended(2));
}

TEST(Geometry, RefusesWhatItCannotStore) {
  const auto refused = [](ErrorKind kind, const Decomposition& d, const test::Parts& parts, int depth = 0) {
    test::expect_error([&] { Geometry::create(d)->extended(depth); }, kind, parts);
  };
  refused(ErrorKind::job_file, {{6, 4, 4, 4}, {2, 1, 1, 1}},
          {"lattice 6x4x4x4 does not split over process grid 2x1x1x1: in x each rank would hold 6/2 slices; "
           "an even number of at least 2 is needed"});
  refused(ErrorKind::job_file, {{4, 4, 8, 4}, {1, 1, 3, 1}}, {"in z each rank would hold 8/3 slices"});
  for (const int extent : {-2, 0, 1, 3, 5})
    refused(ErrorKind::job_file, {{4, 4, 4, extent}},
            {"in t each rank would hold " + std::to_string(extent) + "/1 slices"});
  refused(ErrorKind::internal, {{4, 4, 4, 4}, {1, 1, 1, 1}, {0, 0, 0, 1}}, {});
  refused(ErrorKind::internal, {{4, 4, 4, 4}, {1, 1, 1, 0}}, {});
  refused(ErrorKind::job_file, {{256, 256, 256, 256}}, {"4294967296 sites a rank are more than 2^31"});
  refused(ErrorKind::job_file, {{4, 4, 4, 4}, {1, 2, 1, 1}}, {"halo of depth 3"}, 3);
}

TEST(GeneralGeometry, RefusesWhatItCannotStore) {
  const auto lexicographic = LatticeOrder::lexicographic, checkerboard = LatticeOrder::checkerboard;
  const auto refused = [](ErrorKind kind, const Decomposition& d, LatticeOrder order,
                          const std::string& part) {
    test::expect_error([&] { (void)Geometry::create_general(d, order)->shape(); }, kind, {part});
  };
  refused(ErrorKind::job_file, {{5, 4, 4, 4}, {2, 1, 1, 1}}, lexicographic,
          "lattice 5x4x4x4 does not split over process grid 2x1x1x1: in x each rank would hold 5/2 slices; "
          "a whole number of at least 1 is needed");
  refused(ErrorKind::job_file, {{4, 4, 0, 4}}, lexicographic, "in z");
  refused(ErrorKind::job_file, {{4, 3, 4, 4}}, checkerboard,
          "lattice 4x3x4x4 has no checkerboard: its extent 3 in y is odd; even global extents are needed");
  refused(ErrorKind::job_file, {{1291, 1291, 1291, 1}}, lexicographic, "2^31");
  // What only even extents have.
  const std::string even = "internal error: a lattice of even extents with a checkerboard is needed here";
  refused(ErrorKind::internal, {{4, 4, 4, 4}}, lexicographic, even);
  refused(ErrorKind::internal, {{6, 4, 4, 4}, {2, 1, 1, 1}}, checkerboard, even);
  EXPECT_NO_THROW(Geometry::create_general({{4, 4, 4, 4}, {2, 1, 1, 1}}, checkerboard)->shape());
  EXPECT_THROW(Geometry::create_general({{6, 4, 4, 4}, {2, 1, 1, 1}}, checkerboard)->extended(1), Error);
  EXPECT_EQ(lattice_order_for({4, 2, 6, 8}), checkerboard);
  EXPECT_EQ(lattice_order_for({4, 2, 3, 8}), lexicographic);
}

}  // namespace
}  // namespace plaq
