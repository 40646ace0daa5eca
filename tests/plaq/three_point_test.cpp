// Three-point functions of the C++ interface: the scalar current summed over the lattice is minus the
// derivative of two-point functions by the mass (Feynman, Hellmann), with the same bits on any process grid.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/plaq/session.hpp"
#include "tests/support/errors.hpp"

namespace plaq {
namespace {

const Extents three_point_extents{4, 4, 4, 8};
const Extents at{0, 1, 2, 6};  // the sink is behind the boundary in time
constexpr int sink_time = 3;
constexpr double mass = 0.9;

const QuarkSmearingSettings sink_smearing{.gaussian = {.sigma = 1.2, .steps = 3}};

Propagator quark_of_mass(const GaugeField& U, double m) {
  return DiracSolver(wilson({.mass = m}), U, {.tolerance = 1e-13}).propagator(point_source(at));
}

// At the sink time.
std::complex<double> two_point(const Propagator& quark, std::string_view channel, QuarkSmearer* sink) {
  const Propagator q = sink != nullptr ? Propagator((*sink)(quark)) : quark;
  return (channel == pion ? meson(q, channel) : baryon(q, channel))[sink_time];
}

std::size_t current(const std::string& name) {
  const auto names = current_names();
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

std::complex<double> sum_of_scalar(const ThreePointFunctions& found) {
  std::complex<double> sum = 0;
  for (const auto& z : found.values[current("scalar")][0]) sum += z;
  return sum;
}

TEST(ThreePoint, ScalarCurrentsAreDerivativesByTheMass) {
  const test::TestSession test;
  if (!test::fits(three_point_extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const Lattice lattice(test.session, three_point_extents);
  const GaugeField U = random_gauge(lattice, 5);
  constexpr double step = 1e-4;
  const Propagator above = quark_of_mass(U, mass + step), below = quark_of_mass(U, mass - step);
  DiracSolver solver(wilson({.mass = mass}), U, {.tolerance = 1e-13});
  const Propagator quark = solver.propagator(point_source(at));
  QuarkSmearer smearer(U, sink_smearing);
  for (QuarkSmearer* sink : {static_cast<QuarkSmearer*>(nullptr), &smearer}) {
    const auto slope = [&](std::string_view channel) {
      return (two_point(above, channel, sink) - two_point(below, channel, sink)) / (2 * step);
    };
    const auto found = three_point(solver, quark,
                                   {.insertions = {Insertion::pion, Insertion::up, Insertion::down},
                                    .sink_time = sink_time,
                                    .momenta = {{0, 0, 0}, {1, 0, 0}}},
                                   sink);
    ASSERT_EQ(found.size(), 3u);
    EXPECT_EQ(found[1].insertion, Insertion::up);
    for (const ThreePointFunctions& one : found) {
      ASSERT_EQ(one.values.size(), current_names().size());
      ASSERT_EQ(one.values[0].size(), 2u);
      EXPECT_EQ(one.values[0][1].size(), 8u);
      ASSERT_EQ(one.true_residuals.size(), 12u);
      for (const double residual : one.true_residuals) EXPECT_LE(residual, 1e-13);
    }
    EXPECT_LT(std::abs(slope(pion) + 2 * sum_of_scalar(found[0]).real()), 1e-6 * std::abs(slope(pion)));
    EXPECT_LT(std::abs(slope(proton) + sum_of_scalar(found[1]) + sum_of_scalar(found[2])),
              1e-6 * std::abs(slope(proton)));
  }
}

TEST(ThreePoint, BitsAreThoseOfAnyGrid) {
  std::vector<std::vector<Correlators>> all;  // by location
  test::for_some_lattices(three_point_extents, [&](const Lattice& lattice) {
    const GaugeField U = random_gauge(lattice, 5);
    DiracSolver solver(wilson({.mass = mass}), U, {.tolerance = 1e-4});
    QuarkSmearer sink(U, sink_smearing);
    const auto found = three_point(solver, solver.propagator(point_source(at)),
                                   {.insertions = {Insertion::up_polarized, Insertion::pion},
                                    .sink_time = sink_time,
                                    .momenta = {{0, 1, 0}}},
                                   &sink);
    std::vector<Correlators> values;
    for (const ThreePointFunctions& one : found) values.push_back(one.values);
    const auto location = static_cast<std::size_t>(lattice.location() == Location::device);
    all.resize(2);
    if (all[location].empty()) all[location] = values;
    EXPECT_EQ(values, all[location]);
  });
}

TEST(ThreePoint, WrongCallsAreErrors) {
  const test::TestSession test;
  if (!test::fits(three_point_extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const Lattice lattice(test.session, three_point_extents);
  const GaugeField U = unit_gauge(lattice);
  DiracSolver solver(wilson({.mass = mass}), U);
  Propagator quark(lattice);
  quark.note().position = at;
  const auto refuse = [&](const test::Parts& parts, const Propagator& q, const ThreePointSettings& settings,
                          QuarkSmearer* sink = nullptr) {
    test::expect_error([&] { three_point(solver, q, settings, sink); }, ErrorKind::usage, parts);
  };
  const ThreePointSettings good{.insertions = {Insertion::up}, .sink_time = 3};
  refuse({"insertions"}, quark, {.sink_time = 3});
  refuse({"sink_time", "1 to 7"}, quark, {.insertions = {Insertion::pion}});
  refuse({"sink_time", "1 to 7"}, quark, {.insertions = {Insertion::pion}, .sink_time = 8});
  refuse({"momenta"}, quark, {.insertions = {Insertion::pion}, .sink_time = 3, .momenta = {{3, 0, 0}}});
  refuse({"staggered"}, Propagator(lattice, 1), good);
  refuse({"position"}, Propagator(lattice), good);
  Propagator other = quark;
  other.note().boundary = 1;
  refuse({"the operator"}, other, good);
  other = quark;
  other.note().source_type = "z2";
  refuse({"noise"}, other, good);
  QuarkSmearer twisted(U, {.gaussian = {.sigma = 1.2, .steps = 3, .boundary = {-1, 1, 1}}});
  refuse({"signs", "smearing"}, quark, good, &twisted);
  const Lattice same(test.session, three_point_extents);
  refuse({"different lattices"}, Propagator(same), good);
}

}  // namespace
}  // namespace plaq
