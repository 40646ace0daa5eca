// The gluon field in momentum space against sums over sites, plane waves with a known answer, and equal bits.
#include "kernels/gluon/gluon_transform.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/reference/gluon.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/same_as_alone.hpp"

namespace plaq {
namespace {

GluonTransform transform_of(const reference::GaugeField& links, const ProcessGrid& grid, const GeometryPtr& g,
                            Location location) {
  const Field gauge = test::to_plaq(links, g, Precision::double_precision, location);
  return GluonTransform(grid, gauge, Queue(location));
}

// Averages over the members, each by the formula; of four-momenta, or of one slice after the other.
GluonPoint expected_point(const reference::GaugeField& links, const MomentumOrbit& orbit, int n_t) {
  const auto& extents = links.lattice.extents;
  GluonPoint point;
  int count = 0;
  for (const Momentum& m : orbit.members)
    for (const int sign : {1, -1}) {
      const std::array<int, 4> n{m[0], m[1], m[2], sign * n_t};
      const auto modes = reference::gluon_modes(links, n);
      for (std::size_t a = 0; a < 8; ++a) {
        reference::Complex divergence = 0;
        for (std::size_t mu = 0; mu < 4; ++mu) {
          point.square += std::norm(modes[mu][a]);
          divergence += 2 * std::sin(std::numbers::pi * n[mu] / extents[mu]) * modes[mu][a];
        }
        point.longitudinal += std::norm(divergence);
      }
      ++count;
    }
  point.square /= count;
  point.longitudinal /= count;
  return point;
}
SlicePoint expected_slices(const reference::GaugeField& links, const MomentumOrbit& orbit) {
  const auto& extents = links.lattice.extents;
  SlicePoint point;
  int count = 0;
  for (const Momentum& m : orbit.members)
    for (int t = 0; t < extents[3]; ++t) {
      const auto modes = reference::gluon_modes(links, {m[0], m[1], m[2], 0}, t);
      for (std::size_t a = 0; a < 8; ++a) {
        reference::Complex divergence = 0;
        for (std::size_t i = 0; i < 3; ++i) {
          point.spatial += std::norm(modes[i][a]);
          divergence += 2 * std::sin(std::numbers::pi * m[i] / extents[i]) * modes[i][a];
        }
        point.longitudinal += std::norm(divergence);
        point.temporal += std::norm(modes[3][a]);
      }
      ++count;
    }
  point.spatial /= count;
  point.longitudinal /= count;
  point.temporal /= count;
  return point;
}

TEST(GluonTransform, MatchesTheFormula) {
  const Extents extents{4, 4, 2, 6};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  reference::Generator generator(51);
  const auto links = reference::random_gauge({extents}, generator);
  const auto orbits = momentum_orbits(extents, 2);
  for (const std::size_t o : {std::size_t{0}, std::size_t{3}, orbits.size() - 2}) {
    std::array<GluonPoint, 4> points;
    for (int n = 0; n < 4; ++n) points[static_cast<std::size_t>(n)] = expected_point(links, orbits[o], n);
    const SlicePoint slices = expected_slices(links, orbits[o]);
    const auto near = [](double found, double expected) {
      EXPECT_NEAR(found, expected, 1e-12 * (1 + expected));
    };
    const ProcessGrid grid(MPI_COMM_WORLD, allowed_grids(test::world_size(), extents).front());
    for (const Location location : test::locations()) {
      const auto transform = transform_of(links, grid, grid.geometry(extents), location);
      const auto found = transform.points(orbits[o], 4);
      for (std::size_t n = 0; n < 4; ++n) {
        near(found[n].square, points[n].square);
        near(found[n].longitudinal, points[n].longitudinal);
      }
      const SlicePoint s = transform.slices(orbits[o]);
      near(s.spatial, slices.spatial);
      near(s.longitudinal, slices.longitudinal);
      near(s.temporal, slices.temporal);
    }
  }
}

TEST(GluonTransform, SameBitsOnEveryGrid) {
  const Extents extents{4, 4, 2, 8};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  reference::Generator generator(52);
  const auto links = reference::random_gauge({extents}, generator);
  const auto orbits = momentum_orbits(extents, 2);
  test::for_all_geometries(
      extents, test::same_as_alone(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location l) {
        std::vector<double> found;
        const auto transform = transform_of(links, grid, g, l);
        for (const std::size_t o : {1, 4}) {
          for (const auto& point : transform.points(orbits[o], 5)) {
            found.push_back(point.square);
            found.push_back(point.longitudinal);
          }
          const SlicePoint s = transform.slices(orbits[o]);
          found.insert(found.end(), {s.spatial, s.longitudinal, s.temporal});
        }
        return found;
      }));
}

// A^3_mu = 2 epsilon e_mu cos(k (x + mu/2)), exactly, in a subgroup U(1).
reference::GaugeField plane_wave_links(const Extents& extents, const Momentum4& k,
                                       const std::array<double, 4>& e, double epsilon) {
  reference::GaugeField links({extents});
  const auto p = links.lattice.momentum({1, 1, 1, 1}, k);
  for (int x = 0; x < links.lattice.volume(); ++x)
    for (std::size_t mu = 0; mu < 4; ++mu) {
      const double sine = epsilon * e[mu] * std::cos(links.lattice.angle(p, x) + p[mu] / 2);
      auto& u = links.link[static_cast<std::size_t>(x)][mu];
      u(0, 0) = std::polar(1.0, std::asin(sine));
      u(1, 1) = std::conj(u(0, 0));
      u(2, 2) = 1;
    }
  return links;
}

TEST(GluonTransform, OnePlaneWaveAlone) {
  const Extents extents{6, 6, 4, 8};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const Momentum4 k{2, -1, 1, 3};
  std::array<double, 4> hat{};
  for (std::size_t mu = 0; mu < 4; ++mu) hat[mu] = lattice_momentum(k[mu], extents[mu]);
  const double volume = 6 * 6 * 4 * 8, epsilon = 0.1;
  const std::array<double, 4> across{hat[1], -hat[0], 0, 0};
  const ProcessGrid grid(MPI_COMM_WORLD, allowed_grids(test::world_size(), extents).front());
  for (const bool along : {false, true}) {
    const auto& e = along ? hat : across;
    double square = 0, product = 0;
    for (std::size_t mu = 0; mu < 4; ++mu) {
      square += e[mu] * e[mu];
      product += e[mu] * hat[mu];
    }
    const auto transform =
        transform_of(plane_wave_links(extents, k, e, epsilon), grid, grid.geometry(extents), Location::host);
    const double mode = epsilon * epsilon * volume * volume;
    for (const MomentumOrbit& orbit : momentum_orbits(extents, 3)) {
      const auto points = transform.points(orbit, 5);
      for (int n_t = 0; n_t < 5; ++n_t) {
        // Two of the members and signs +-k.
        const bool mine = orbit.n == Momentum{2, 1, 1} && n_t == 3;
        const double share = mine ? 2.0 / (2.0 * static_cast<double>(orbit.members.size())) : 0.0;
        const GluonPoint& point = points[static_cast<std::size_t>(n_t)];
        EXPECT_NEAR(point.square, share * mode * square, 1e-9 * mode) << orbit.n[0] << n_t;
        EXPECT_NEAR(point.longitudinal, share * mode * product * product, 1e-9 * mode) << along;
      }
    }
  }
}

TEST(LatticeMomenta, OrbitsHaveEachMomentumOnce) {
  const auto orbits = momentum_orbits({8, 8, 6, 4}, 4);
  std::set<Momentum> seen;
  for (const MomentumOrbit& orbit : orbits)
    for (const Momentum& n : orbit.members) {
      EXPECT_TRUE(seen.insert(n).second);
      EXPECT_DOUBLE_EQ(momentum_squared({n[0], n[1], n[2], 1}, {8, 8, 6, 4}),
                       momentum_squared({orbit.n[0], orbit.n[1], orbit.n[2], 1}, {8, 8, 6, 4}));
    }
  EXPECT_EQ(seen.size(), 8u * 8 * 6);
  EXPECT_EQ(orbits.front().n, Momentum{});
  // x and y alone may be exchanged.
  EXPECT_EQ(momentum_orbits({8, 8, 8, 4}, 1).size(), 4u);
  EXPECT_EQ(momentum_orbits({8, 8, 6, 4}, 1).size(), 6u);
  EXPECT_EQ(momentum_orbits({8, 6, 4, 4}, 1).size(), 8u);
}

TEST(LatticeMomenta, DistancesToTheDiagonal) {
  const Extents extents{16, 16, 16, 32};
  const auto on = distance_to_diagonal({2, 2, 2, 4}, extents);
  EXPECT_NEAR(on.length, 0, 1e-7);
  EXPECT_NEAR(on.degrees, 0, 1e-6);
  const auto axis = distance_to_diagonal({0, 3, 0, 0}, extents);
  EXPECT_NEAR(axis.length, 3 * std::sqrt(0.75), 1e-12);
  EXPECT_NEAR(axis.degrees, 60, 1e-12);
  EXPECT_NEAR(distance_to_diagonal({0, 0, 0, 3}, extents).length, 1.5 * std::sqrt(0.75), 1e-12);
  EXPECT_NEAR(distance_to_diagonal({0, 0, 1, 0}, extents, 3).length, std::sqrt(2.0 / 3), 1e-12);
  EXPECT_EQ(distance_to_diagonal({}, extents).length, 0);
}

}  // namespace
}  // namespace plaq
