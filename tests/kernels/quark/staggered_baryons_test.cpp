// The local staggered nucleon, of one quark or of three, against the sum over all corners and colors, on
// every process grid and location; the free theory; shifts by one site; gauge transformations.
#include "kernels/quark/staggered_baryons.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/kernels/quark/correlators.hpp"
#include "tests/reference/staggered_correlators.hpp"
#include "tests/support/on_lattices.hpp"

namespace plaq::staggered_baryons_test {
namespace {

using test::CorrelatorInTime;
using test::expect_near;
using test::largest;
using test::propagator_field;

const std::vector<Momentum> momenta{{0, 0, 0}, {1, 0, 0}, {1, 2, -1}};

// At rest.
CorrelatorInTime nucleon(const ProcessGrid& grid, const GeometryPtr& g, Location location,
                         const reference::ColorPropagator& s, const Extents& source, int boundary = -1) {
  StaggeredBaryonContraction contraction(grid, g, {{0, 0, 0}}, Queue(location));
  return contraction(propagator_field(s, g, location), source, boundary)[0][0];
}

class StaggeredBaryons : public test::OnLattices {};

TEST_P(StaggeredBaryons, MatchTheSumOverCornersAndColors) {
  const reference::Lattice lattice{GetParam()};
  reference::Generator generator(71);
  reference::ColorPropagator s;
  for (auto& column : s) column = reference::random_colors(lattice, generator);
  for (const int site : {0, lattice.volume() * 5 / 7, lattice.volume() - 1}) {
    const auto source = lattice.coordinates(site);
    for (const int boundary : {-1, 1}) {
      const auto expected = test::from_first_rank([&] {
        Correlators all(1);
        for (const auto& p : momenta)
          all[0].push_back(reference::staggered_nucleon(lattice, s, p, source, boundary));
        return all;
      });
      const auto contract = [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
        StaggeredBaryonContraction contraction(grid, g, momenta, Queue(location));
        const Correlators c = contraction(propagator_field(s, g, location), source, boundary);
        expect_near(c, expected, 1e-13 * largest(expected[0][0]));
        return c;
      };
      test::for_all_geometries(GetParam(), test::same_as_alone(GetParam(), contract));
    }
  }
}

TEST_P(StaggeredBaryons, OfThreeQuarks) {
  const reference::Lattice lattice{GetParam()};
  reference::Generator generator(72);
  std::array<reference::ColorPropagator, 3> quarks;
  for (auto& quark : quarks)
    for (auto& column : quark) column = reference::random_colors(lattice, generator);
  const auto source = lattice.coordinates(lattice.volume() * 5 / 7);
  const auto expected = test::from_first_rank([&] {
    Correlators all(1);
    for (const auto& p : momenta)
      all[0].push_back(
          reference::staggered_nucleon(lattice, {&quarks[0], &quarks[1], &quarks[2]}, p, source, -1));
    return all;
  });
  const double bound = 1e-13 * largest(expected[0][0]);
  const auto contract = [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    StaggeredBaryonContraction contraction(grid, g, momenta, Queue(location));
    std::array<Field, 3> fields;
    for (std::size_t i = 0; i < 3; ++i) fields[i] = propagator_field(quarks[i], g, location);
    const Correlators c = contraction(fields[0], fields[1], fields[2], source, -1);
    expect_near(c, expected, bound);
    expect_near(contraction(fields[2], fields[0], fields[1], source, -1), expected, bound);
    // Equal numbers in other fields are six determinants, too.
    const Field again = propagator_field(quarks[0], g, location);
    const Correlators one = contraction(fields[0], source, -1);
    expect_near(contraction(fields[0], again, fields[0], source, -1), one, 1e-12 * largest(one[0][0]));
    return c;
  };
  test::for_all_geometries(GetParam(), test::same_as_alone(GetParam(), contract));
}

INSTANTIATE_TEST_SUITE_P(Extents, StaggeredBaryons, testing::Values(Extents{4, 4, 4, 4}, Extents{2, 4, 6, 8}),
                         test::by_extents);

// Two sites in each direction of space: every quark has the energy E = asinh(m), and goes around time with
// signs that alternate.
TEST(FreeStaggeredNucleon, IsThreeQuarks) {
  const Extents extents{2, 2, 2, 16};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const reference::Lattice lattice{extents};
  const double mass = 0.2, energy = std::asinh(mass);
  const reference::StaggeredLinks links{reference::unit_gauge(lattice), reference::unit_gauge(lattice)};
  for (const Extents& source : {Extents{0, 0, 0, 0}, Extents{1, 0, 0, 5}, Extents{1, 0, 1, 15}})
    for (const int boundary : {-1, 1}) {
      const auto s = test::from_first_rank([&] {
        return reference::staggered_propagator({mass, {1, 1, 1, boundary}, 0}, links, lattice.index(source));
      });
      test::for_all_geometries(
          extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
            const auto c = nucleon(grid, g, location, s, source, boundary);
            const auto quark = [&](int t) {
              return std::exp(-energy * t) + boundary * (t % 2 == 0 ? 1 : -1) * std::exp(-energy * (16 - t));
            };
            EXPECT_GT(c[1].real(), 0);
            for (int t = 1; t < 16; ++t)
              EXPECT_NEAR(c[t].real() / c[1].real(), std::pow(quark(t) / quark(1), 3), 1e-10) << "t " << t;
          });
    }
}

// Random links, all moved by one site and the source with them, and gauge copies.
TEST(StaggeredNucleon, IsTheSameOnALatticeMovedByOneSiteAndInAnyGauge) {
  const Extents extents{2, 4, 2, 4};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const reference::Lattice lattice{extents};
  reference::Generator generator(63);
  const reference::StaggeredParameters parameters{0.4, {1, 1, 1, -1}, -0.1};
  const reference::StaggeredLinks links{reference::random_gauge(lattice, generator),
                                        reference::random_gauge(lattice, generator)};
  const auto g = reference::random_transformation(lattice, generator);
  const int site = 9;
  const auto solved = [&](const reference::StaggeredLinks& u, int source) {
    return test::from_first_rank([&] { return reference::staggered_propagator(parameters, u, source); });
  };
  const auto s = solved(links, site);
  std::vector<std::pair<int, reference::ColorPropagator>> others{{site, solved(transformed(links, g), site)}};
  for (int nu = 0; nu < 4; ++nu) {
    const int end = lattice.forward(site, nu);
    others.emplace_back(end, solved(reference::moved(links, nu), end));
  }
  test::for_all_geometries(
      extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
        if (geometry->decomposition().forced != 0) return;
        const auto here = nucleon(grid, geometry, location, s, lattice.coordinates(site));
        EXPECT_GT(std::abs(here[1]), 1e-6 * largest(here));  // a sign there is seen
        for (const auto& [source, other] : others)
          expect_near(nucleon(grid, geometry, location, other, lattice.coordinates(source)), here,
                      1e-10 * std::abs(here[1]));
      });
}

}  // namespace
}  // namespace plaq::staggered_baryons_test
