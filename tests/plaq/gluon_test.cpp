// Gluon and ghost propagators against Fourier transforms of A_mu(x) and free fields, and Wilson
// loops against products of links.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numbers>

#include "tests/plaq/session.hpp"

namespace plaq {
namespace {

const Extents gluon_extents{4, 4, 4, 8};
// A field that is roughly fixed, and the bound that lets it pass.
constexpr double rough_theta = 0.2;
GaugeField rough_gauge(const Lattice& lattice, Gauge condition) {
  return fix_gauge(random_gauge(lattice, 7), {.gauge = condition, .theta = rough_theta / 2}).gauge;
}

// A_mu(x) = (U - U^dagger) / (2i) without its trace, as value mu.
HostField<ColorMatrix> gluon_field(const GaugeField& gauge) {
  HostField<ColorMatrix> a = gauge.on_host();
  for (const LocalSite& site : gauge.lattice().local_sites())
    for (int mu = 0; mu < 4; ++mu) {
      ColorMatrix m = std::complex<double>(0, -0.5) * (a(mu, site.index) - adjoint(a(mu, site.index)));
      const auto mean = trace(m) / 3.0;
      for (int i = 0; i < 3; ++i) m(i, i) -= mean;
      a(mu, site.index) = m;
    }
  return a;
}

// n as the class of momenta names it: without signs, space in falling order.
std::array<int, 4> class_of(const Lattice& lattice, const Extents& n) {
  std::array<int, 4> found{};
  for (std::size_t mu = 0; mu < 4; ++mu) found[mu] = std::min(n[mu], lattice.extents()[mu] - n[mu]);
  std::sort(found.begin(), found.begin() + 3, std::greater<>());
  return found;
}

// The average of 2 tr A_mu A_mu^dagger = sum_a |A_mu^a|^2 over the sites (momenta) of a
// class, summed over `directions`.
double average_square(const HostField<ColorMatrix>& a, const std::array<int, 4>& n, int first, int last,
                      bool all_times) {
  const Lattice& lattice = a.lattice();
  HostField<std::complex<double>> sum(lattice);
  for (const LocalSite& site : lattice.local_sites()) {
    auto of = class_of(lattice, site.x);
    if (all_times) of[3] = n[3];
    if (of != n) continue;
    double square = 0;
    for (int mu = first; mu <= last; ++mu)
      square += 2 * trace(a(mu, site.index) * adjoint(a(mu, site.index))).real();
    sum[site.index] = {square, 1};
  }
  std::complex<double> total = 0;
  for (const auto& c : momentum_sum(sum)) total += c;
  return total.real() / total.imag();
}

TEST(Gluon, LandauPropagatorIsTheTransformOfTheField) {
  test::for_all_lattices(gluon_extents, [](const Lattice& lattice) {
    const GaugeField U = rough_gauge(lattice, Gauge::landau);
    const auto a = fourier_transform(gluon_field(U));
    const auto found = gluon_propagator(U, {.max_theta = rough_theta, .max_n = 2, .beta = 5.5});
    ASSERT_EQ(found.momenta.size(), found.propagator.size());
    ASSERT_GT(found.momenta.size(), 20u);
    for (std::size_t i = 0; i < found.momenta.size(); ++i) {
      const auto& row = found.momenta[i];
      const double transverse = row.is_zero() ? 4 : 3;
      const double expected = 5.5 / 6 * average_square(a, row.n, 0, 3, false) /
                              (8 * transverse * static_cast<double>(lattice.volume()));
      EXPECT_NEAR(found.propagator[i] / expected, 1, 1e-12);
    }
  });
}

TEST(Gluon, CoulombPropagatorsAreThoseOfTimeSlices) {
  test::for_all_lattices(gluon_extents, [](const Lattice& lattice) {
    const GaugeField U = rough_gauge(lattice, Gauge::coulomb);
    const auto a = fourier_transform(gluon_field(U), {.directions = {true, true, true, false}});
    const auto found = gluon_propagator(U, {.gauge = Gauge::coulomb, .max_theta = rough_theta});
    ASSERT_EQ(found.momenta.size(), found.temporal.size());
    for (std::size_t i = 0; i < found.momenta.size(); ++i) {
      const auto& row = found.momenta[i];
      const double space = 64, transverse = row.is_zero() ? 3 : 2;
      EXPECT_NEAR(found.propagator[i] / (average_square(a, row.n, 0, 2, true) / (8 * transverse * space)), 1,
                  1e-12);
      EXPECT_NEAR(found.temporal[i] / (average_square(a, row.n, 3, 3, true) / (8 * space)), 1, 1e-12);
    }
  });
}

TEST(Gluon, GhostsOfUnitLinksAreFree) {
  test::for_all_lattices(gluon_extents, [](const Lattice& lattice) {
    const GaugeField U = unit_gauge(lattice);
    const auto found = ghost_propagator(U, {.momenta = GhostMomenta::all, .count = 5});
    ASSERT_EQ(found.points.size(), 5u);
    for (std::size_t i = 0; i < found.points.size(); ++i) {
      double squared = 0;
      for (std::size_t mu = 0; mu < 4; ++mu)
        squared +=
            std::pow(2 * std::sin(std::numbers::pi * found.momenta[i].n[mu] / lattice.extents()[mu]), 2);
      EXPECT_NEAR(found.points[i].propagator * squared, 1, 1e-9);
    }
    EXPECT_FALSE(ghost_propagator(U).points.empty());
  });
}

TEST(Gluon, FieldsThatAreNotFixedAreErrors) {
  const test::TestSession test;
  if (!test::fits(gluon_extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const Lattice lattice(test.session, gluon_extents);
  const GaugeField U = random_gauge(lattice, 7), one = unit_gauge(lattice);
  try {
    gluon_propagator(U);
    FAIL() << "a propagator of a field that is not fixed";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("above max_theta = 1e-10: the field is not fixed to this gauge"),
              std::string::npos)
        << e.what();
  }
  EXPECT_THROW(ghost_propagator(U), Error);
  EXPECT_THROW(gluon_propagator(one, {.gauge = Gauge::maximally_abelian}), Error);
  EXPECT_THROW(gluon_propagator(one, {.max_n = -1}), Error);
  EXPECT_THROW(ghost_propagator(one, {.momenta = GhostMomenta::none}), Error);
  EXPECT_THROW(ghost_propagator(one, {.momenta = GhostMomenta::all}, {.gauge = Gauge::coulomb}), Error);
}

// The mean of Re tr / 3 of loops of r steps in direction i and t slices, as products of links.
double loops_by_paths(const GaugeField& U, const std::vector<int>& way, int t) {
  std::vector<Hop> path;
  for (const int i : way) path.push_back(forward(i));
  for (int k = 0; k < t; ++k) path.push_back(forward(3));
  for (std::size_t k = way.size(); k-- > 0;) path.push_back(backward(way[k]));
  for (int k = 0; k < t; ++k) path.push_back(backward(3));
  const auto products = path_product(U, path).on_host();
  HostField<std::complex<double>> traces(U.lattice());
  for (const LocalSite& site : U.lattice().local_sites()) traces[site.index] = trace(products[site.index]);
  double sum = 0;
  for (const auto& c : momentum_sum(traces)) sum += c.real();
  return sum / (3 * static_cast<double>(U.lattice().volume()));
}

TEST(WilsonLoops, AreProductsOfLinks) {
  test::for_all_lattices(gluon_extents, [](const Lattice& lattice) {
    const GaugeField U = random_gauge(lattice, 11);
    const auto found = wilson_loops(U, {.max_r = 3, .max_t = 2});
    ASSERT_EQ(found.size(), 1u);
    ASSERT_EQ(found[0].multiples, 3);
    ASSERT_EQ(found[0].slices, 2);
    for (int n = 1; n <= 3; ++n)
      for (int t = 1; t <= 2; ++t) {
        double expected = 0;
        for (int i = 0; i < 3; ++i) expected += loops_by_paths(U, std::vector<int>(n, i), t) / 3;
        EXPECT_NEAR(found[0].values[static_cast<std::size_t>((n - 1) * 2 + t - 1)], expected, 1e-14);
      }
    // On unit links each loop is 1, in all directions and with the default extents.
    for (const StaticLoops& loops :
         wilson_loops(unit_gauge(lattice), {.directions = {"100", "110", "111"}})) {
      ASSERT_EQ(loops.values.size(), 8u);
      for (const double w : loops.values) EXPECT_NEAR(w, 1, 1e-15);
    }
    EXPECT_NEAR(wilson_loops(U)[0].values[0], plaquettes(U)[2], 1e-14);
  });
}

TEST(PolyakovCorrelators, SumUpToTheSquareOfTheLoop) {
  test::for_some_lattices(gluon_extents, [](const Lattice& lattice) {
    const GaugeField U = random_gauge(lattice, 5);
    const PolyakovCorrelators found = polyakov_correlators(U);
    const Extents extents = lattice.extents();
    EXPECT_EQ(found.r_squared.front(), 0);
    EXPECT_NEAR(found.singlet.front(), 1, 1e-14);
    const auto loop = polyakov_loop(U);
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < found.average.size(); ++i) {
      sum += static_cast<double>(found.separations[i]) * found.average[i];
      count += static_cast<double>(found.separations[i]);
    }
    EXPECT_EQ(count, extents[0] * extents[1] * extents[2]);
    EXPECT_NEAR(sum / count, std::norm(loop), 1e-14);  // of all pairs
    for (const double one : polyakov_correlators(unit_gauge(lattice)).average) EXPECT_NEAR(one, 1, 1e-14);
  });
}

TEST(WilsonLoops, ThatDoNotFitAreErrors) {
  const test::TestSession test;
  if (!test::fits(gluon_extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const GaugeField U = unit_gauge(Lattice(test.session, gluon_extents));
  EXPECT_THROW(wilson_loops(U, {.max_r = 5}), Error);
  EXPECT_THROW(wilson_loops(U, {.max_r = 0}), Error);
  EXPECT_THROW(wilson_loops(U, {.max_t = 9}), Error);
  EXPECT_THROW(wilson_loops(U, {.max_r = 1, .directions = {"210"}}), Error);
  EXPECT_THROW(wilson_loops(U, {.directions = {"up"}}), Error);
}

}  // namespace
}  // namespace plaq
