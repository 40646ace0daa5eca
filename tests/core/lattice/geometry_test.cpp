// Index arithmetic and the sets of sites, against coordinates counted by hand.
#include "core/lattice/geometry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "core/system/error.hpp"
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

// Stored coordinates in the order in which the sites of a parity are numbered.
template <class Visit>
void for_stored_coordinates(const Geometry& g, Visit&& visit) {
  const auto& e = g.shape().extent;
  Coordinates c;
  for (c.x[3] = 0; c.x[3] < e[3]; ++c.x[3])
    for (c.x[2] = 0; c.x[2] < e[2]; ++c.x[2])
      for (c.x[1] = 0; c.x[1] < e[1]; ++c.x[1])
        for (c.x[0] = 0; c.x[0] < e[0]; ++c.x[0]) {
          if (testing::Test::HasFatalFailure()) return;  // one bad site says enough
          visit(c);
        }
}

int global(const Geometry& g, const Coordinates& c, int mu) {
  const auto& d = g.decomposition();
  const auto m = static_cast<std::size_t>(mu);
  const int halo = g.partitioned(mu) ? g.halo_depth() : 0;
  const int x = c.x[mu] - halo + d.position[m] * (d.global[m] / d.ranks[m]);
  return (x + 4 * d.global[m]) % d.global[m];
}

TEST(Geometry, CoordinatesIndexAndParity) {
  for (const auto& g : test::geometries()) {
    SCOPED_TRACE(describe(*g));
    const auto& shape = g->shape();
    int next[2] = {0, 0};
    for_stored_coordinates(*g, [&](const Coordinates& c) {
      int sum = 0;
      std::int64_t lexicographic = 0;
      for (int mu = 3; mu >= 0; --mu) {
        ASSERT_EQ(shape.global_coordinate(c, mu), global(*g, c, mu));
        sum += global(*g, c, mu);
        lexicographic = lexicographic * g->global()[static_cast<std::size_t>(mu)] + global(*g, c, mu);
      }
      const int parity = sum % 2;  // of the global coordinates
      ASSERT_EQ(shape.parity(c), parity);
      ASSERT_EQ(shape.global_index(c), lexicographic);
      ASSERT_EQ(shape.index(c), next[parity]++);
      const Coordinates back = shape.coordinates(parity, shape.index(c));
      for (int mu = 0; mu < 4; ++mu) ASSERT_EQ(back.x[mu], c.x[mu]);
    });
    EXPECT_EQ(next[0], shape.half_volume);
    EXPECT_EQ(next[1], shape.half_volume);
  }
}

TEST(Geometry, ExtentsAndOffsets) {
  for (const auto& g : test::geometries()) {
    SCOPED_TRACE(describe(*g));
    const auto& d = g->decomposition();
    std::int64_t volume = 1, stored = 1;
    for (std::size_t mu = 0; mu < 4; ++mu) {
      const int m = static_cast<int>(mu), local = d.global[mu] / d.ranks[mu];
      const bool split = d.ranks[mu] > 1 || ((d.forced >> mu) & 1u);
      EXPECT_EQ(g->partitioned(m), split);
      EXPECT_EQ(g->local()[mu], local);
      EXPECT_EQ(g->offset()[mu], local * d.position[mu]);
      EXPECT_EQ(g->shape().halo[mu], split ? g->halo_depth() : 0);
      EXPECT_EQ(g->shape().extent[mu], local + 2 * g->shape().halo[mu]);
      const auto edges = g->shape().at_global_edge;
      EXPECT_EQ((edges >> directed(m, true)) & 1u, d.position[mu] == d.ranks[mu] - 1 ? 1u : 0u);
      EXPECT_EQ((edges >> directed(m, false)) & 1u, d.position[mu] == 0 ? 1u : 0u);
      volume *= local;
      stored *= g->shape().extent[mu];
    }
    EXPECT_EQ(g->local_volume(), volume);
    EXPECT_EQ(g->shape().half_volume, stored / 2);
    EXPECT_EQ(g->global_volume(), std::int64_t{1} * d.global[0] * d.global[1] * d.global[2] * d.global[3]);
  }
}

TEST(Geometry, FaceIndicesAreABijection) {
  for (const auto& g : test::geometries()) {
    SCOPED_TRACE(describe(*g));
    const auto& shape = g->shape();
    for (int mu = 0; mu < 4; ++mu) {
      for (int parity = 0; parity < 2; ++parity) {
        for (int slice = 0; slice < shape.extent[mu]; ++slice) {
          for (int face = 0; face < shape.face_sites(mu); ++face) {
            const Coordinates c = shape.face_coordinates(parity, mu, slice, face);
            ASSERT_EQ(c.x[mu], slice);
            for (int nu = 0; nu < 4; ++nu) ASSERT_TRUE(c.x[nu] >= 0 && c.x[nu] < shape.extent[nu]);
            ASSERT_EQ(shape.parity(c), parity);
            ASSERT_EQ(shape.face_index(mu, c), face);
          }
        }
      }
    }
    // ... and onto: every site has a number on its slice, the same as its neighbour in mu has.
    for_stored_coordinates(*g, [&](const Coordinates& c) {
      for (int mu = 0; mu < 4; ++mu) {
        const int face = shape.face_index(mu, c);
        ASSERT_TRUE(face >= 0 && face < shape.face_sites(mu));
        Coordinates n = c;
        n.x[mu] = (c.x[mu] + 1) % shape.extent[mu];
        ASSERT_EQ(shape.face_index(mu, n), face);
      }
    });
  }
}

std::set<int> sites_of(const Geometry& g, Region region, int parity, int depth) {
  const auto r = g.region(region, parity, Location::host, depth);
  std::set<int> sites;
  for (int s = 0; s < r.span; ++s)
    if (r.masks == nullptr || ((r.masks[s / 64] >> (s % 64)) & 1u)) sites.insert(s);
  EXPECT_EQ(r.count, static_cast<int>(sites.size()));
  return sites;
}

std::vector<std::pair<GeometryPtr, int>> with_depths() {
  std::vector<std::pair<GeometryPtr, int>> all;
  for (const auto& g : test::geometries())
    for (const int depth : {1, 3}) all.emplace_back(g, depth);
  return all;
}

TEST(Geometry, RegionsPartitionTheOwnedSites) {
  for (const auto& [g, depth] : with_depths()) {
    SCOPED_TRACE(describe(*g) + " depth " + std::to_string(depth));
    std::int64_t interior_sites = 0;
    for (int parity = 0; parity < 2; ++parity) {
      std::set<int> all, interior, boundary;
      for_stored_coordinates(*g, [&](const Coordinates& c) {
        bool owned = true, inner = true;
        for (int mu = 0; mu < 4; ++mu) {
          const auto m = static_cast<std::size_t>(mu);
          const int x = c.x[mu] - g->shape().halo[mu];  // among the owned ones
          owned = owned && x >= 0 && x < g->local()[m];
          if (g->partitioned(mu)) inner = inner && x - depth >= 0 && x + depth < g->local()[m];
        }
        if (!owned || g->shape().parity(c) != parity) return;
        all.insert(g->shape().index(c));
        (inner ? interior : boundary).insert(g->shape().index(c));
      });
      EXPECT_EQ(static_cast<std::int64_t>(all.size()) * 2, g->local_volume());
      EXPECT_EQ(sites_of(*g, Region::all, parity, depth), all);
      EXPECT_EQ(sites_of(*g, Region::interior, parity, depth), interior);
      EXPECT_EQ(sites_of(*g, Region::boundary, parity, depth), boundary);
      interior_sites += static_cast<std::int64_t>(interior.size());
    }
    if (g->any_partitioned()) {
      const auto bytes = sizeof(int) * static_cast<std::size_t>(interior_sites);
      EXPECT_EQ(g->region_bytes(Region::interior, Location::device, depth), bytes);
    }
  }
}

TEST(Geometry, ExtendedIsSharedAndNeedsSlices) {
  const auto whole = Geometry::create({{4, 4, 4, 4}});
  EXPECT_EQ(whole->extended(1), whole);  // nothing is split
  const auto split = Geometry::create({{4, 4, 4, 4}, {1, 1, 1, 2}});
  EXPECT_EQ(split->extended(0), split);
  EXPECT_EQ(split->extended(1), split->extended(1));
  EXPECT_NE(split->extended(1), split->extended(2));
}

ErrorKind kind_of(const Decomposition& d, std::string& message, int depth = 0) {
  try {
    Geometry::create(d)->extended(depth);
  } catch (const Error& e) {
    message = e.what();
    return e.kind();
  }
  message = "no error";
  return ErrorKind::usage;
}

TEST(Geometry, RefusesWhatItCannotStore) {
  std::string message;
  EXPECT_EQ(kind_of({{6, 4, 4, 4}, {2, 1, 1, 1}}, message), ErrorKind::job_file);
  EXPECT_EQ(message,
            "lattice 6x4x4x4 does not split over process grid 2x1x1x1: in x each rank would hold 6/2 slices; "
            "an even number of at least 2 is needed");
  EXPECT_EQ(kind_of({{4, 4, 8, 4}, {1, 1, 3, 1}}, message), ErrorKind::job_file);
  EXPECT_NE(message.find("in z each rank would hold 8/3 slices"), std::string::npos) << message;
  for (const int extent : {-2, 0, 1, 3, 5})
    EXPECT_EQ(kind_of({{4, 4, 4, extent}}, message), ErrorKind::job_file);
  EXPECT_NE(message.find("in t each rank would hold 5/1 slices"), std::string::npos) << message;
  EXPECT_EQ(kind_of({{4, 4, 4, 4}, {1, 1, 1, 1}, {0, 0, 0, 1}}, message), ErrorKind::internal);
  EXPECT_EQ(kind_of({{4, 4, 4, 4}, {1, 1, 1, 0}}, message), ErrorKind::internal);
  EXPECT_EQ(kind_of({{256, 256, 256, 256}}, message), ErrorKind::job_file);
  EXPECT_NE(message.find("4294967296 sites a rank are more than 2^31"), std::string::npos) << message;
  EXPECT_EQ(kind_of({{4, 4, 4, 4}, {1, 2, 1, 1}}, message, 3), ErrorKind::job_file);
  EXPECT_NE(message.find("halo of depth 3"), std::string::npos) << message;
}

}  // namespace
}  // namespace plaq
