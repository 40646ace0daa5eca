// Three-point functions of the C++ interface: the scalar current summed over the lattice is minus the
// derivative of two-point functions by the mass (Feynman, Hellmann), with the same bits on any process grid.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

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

// gamma S(y) exp(-i q (y - source)) on the slice t from the source on, 0 elsewhere.
SpinorField on_slice(const Propagator& quark, const GammaMatrix& gamma, const Momentum& q, int t) {
  const Lattice& lattice = quark.lattice();
  auto numbers = Propagator(gamma * quark).on_host();
  for (const LocalSite& site : lattice.local_sites()) {
    double turns = 0;
    for (std::size_t i = 0; i < 3; ++i)
      turns -= static_cast<double>(q[i] * (site.x[i] - at[i])) / three_point_extents[i];
    const bool there = (site.x[3] - at[3] + 2 * three_point_extents[3]) % three_point_extents[3] == t;
    numbers[site.index] *= there ? std::polar(1.0, 2 * std::numbers::pi * turns) : 0.0;
  }
  Propagator made(lattice);
  made.set(numbers);
  return made;
}

// The other sequential propagator, through the current, at one of its slices: its two-point functions at the
// momentum of the sink are the three-point functions.
TEST(ThreePoint, SinksMoveAsTwoPointFunctions) {
  const test::TestSession test;
  if (!test::fits(three_point_extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const Lattice lattice(test.session, three_point_extents);
  const GaugeField U = random_gauge(lattice, 5);
  DiracSolver solver(wilson({.mass = mass}), U, {.tolerance = 1e-13});
  const Propagator quark = solver.propagator(point_source(at));
  const Momentum q{0, 1, -1}, moving{1, 1, 0};
  constexpr std::size_t slice = 2;
  Propagator through(solver.solve(on_slice(quark, gamma(2) * gamma5(), q, slice)));
  through.note() = quark.note();
  QuarkSmearer smearer(U, sink_smearing);
  for (QuarkSmearer* sink : {static_cast<QuarkSmearer*>(nullptr), &smearer}) {
    const auto at_sink = [&](const SpinorField& field) {
      Propagator made(sink != nullptr ? (*sink)(field) : field);
      made.note() = quark.note();
      return made;
    };
    const Propagator s = at_sink(quark), g = at_sink(through), sum = at_sink(quark + through),
                     difference = at_sink(quark - through);
    for (const Momentum& p : {moving, Momentum{}}) {
      const CorrelatorSettings of_sink{.momentum = p};
      const Correlator of_pion = meson(g, s, pion, of_sink), plus = baryon({sum, s, s}, proton, of_sink),
                       minus = baryon({difference, s, s}, proton, of_sink),
                       of_down = baryon({s, g, s}, proton, of_sink);
      // The first sink is before the boundary in time, the other one behind it.
      const std::vector<int> times{1, sink_time};
      const auto found = three_point(solver, quark,
                                     {.insertions = {Insertion::pion, Insertion::up, Insertion::down},
                                      .momenta = {q},
                                      .sink_times = times,
                                      .sink_momentum = p},
                                     sink);
      ASSERT_EQ(found.size(), 6u);
      for (std::size_t k = 0; k < 2; ++k) {
        const auto t = static_cast<std::size_t>(times[k]);
        const std::complex<double> expected[] = {of_pion[t], 0.5 * (plus[t] - minus[t]), of_down[t]};
        for (std::size_t i = 0; i < 3; ++i) {
          const ThreePointFunctions& one = found[2 * i + k];
          EXPECT_EQ(one.insertion, found[2 * i].insertion);
          EXPECT_EQ(one.sink_time, times[k]);
          EXPECT_LT(std::abs(one.values[current("axial_z")][0][slice] - expected[i]),
                    1e-9 * std::abs(expected[i]))
              << i << " " << t;
        }
      }
    }
  }
}

// Each sink time has the bits that it has alone, and sequential_source() gives the same numbers.
TEST(ThreePoint, SinkTimesAndSourcesHaveTheirBitsAlone) {
  const test::TestSession test;
  if (!test::fits(three_point_extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const Lattice lattice(test.session, three_point_extents);
  const GaugeField U = random_gauge(lattice, 5);
  DiracSolver solver(wilson({.mass = mass}), U, {.tolerance = 1e-5});
  const Propagator quark = solver.propagator(point_source(at));
  QuarkSmearer sink(U, sink_smearing);
  const Momentum q{0, 1, 0}, p{1, 0, 0};
  ThreePointSettings settings{.insertions = {Insertion::up_polarized, Insertion::pion},
                              .momenta = {q},
                              .sink_times = {1, sink_time},
                              .sink_momentum = p};
  const auto both = three_point(solver, quark, settings, &sink);
  ASSERT_EQ(both.size(), 4u);
  for (std::size_t k = 0; k < 2; ++k) {
    settings.sink_time = settings.times()[k];
    ThreePointSettings alone = settings;
    alone.sink_times.clear();
    const auto one = three_point(solver, quark, alone, &sink);
    settings.sink_time = 0;
    ASSERT_EQ(one.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(both[2 * i + k].values, one[i].values);
      EXPECT_EQ(both[2 * i + k].true_residuals, one[i].true_residuals);
    }
    const Propagator psi =
        solver.propagator(sequential_source(quark, Insertion::up_polarized, {alone.sink_time, p}, &sink));
    for (const auto& [name, gamma_of] :
         {std::pair{"vector_t", gamma(3)}, std::pair{"axial_z", gamma(2) * gamma5()}})
      EXPECT_EQ(meson(quark, psi, SpinStructure{gamma_of, gamma5()}, {.momentum = q}),
                one[0].values[current(name)][0])
          << name;
  }
}

// The charge of an insertion.
double charge_of(Insertion insertion) { return insertion == Insertion::up ? 2 : 1; }

// The conserved current's divergence vanishes on all slices but those of source and sink, where it is the
// two-point function with the momentum of the line that ends there.
void expect_ward_identity(DiracSolver& solver, bool proton_too) {
  const bool walls = solver.action()->has_walls();
  SpinorField current(solver.lattice());
  const Propagator quark = solver.propagator(point_source(at), nullptr, walls ? &current : nullptr);
  const Momentum p{0, 1, 0};
  const std::vector<Momentum> momenta{{0, 0, 0}, {0, 0, -1}, {1, 1, 0}};
  std::vector<Insertion> insertions{Insertion::pion};
  if (proton_too) insertions.insert(insertions.end(), {Insertion::up, Insertion::down});
  const auto found = three_point(solver, quark,
                                 {.insertions = insertions,
                                  .sink_time = sink_time,
                                  .momenta = momenta,
                                  .sink_momentum = p,
                                  .bilinears = {.conserved = true}},
                                 nullptr, nullptr, walls ? &current : nullptr);
  for (const ThreePointFunctions& one : found) {
    for (std::size_t k = 0; k < momenta.size(); ++k) {
      const Momentum& q = momenta[k];
      const auto two = [&](const Momentum& n) {
        const CorrelatorSettings of{.momentum = n};
        return (one.insertion == Insertion::pion ? meson(quark, pion, of)
                                                 : baryon(quark, proton, of))[sink_time];
      };
      const std::complex<double> at_source = two(p), at_sink = two({p[0] + q[0], p[1] + q[1], p[2] + q[2]});
      const auto& v = one.bilinears.conserved;
      ASSERT_EQ(v.size(), walls ? 8u : 4u);
      for (std::size_t t = 0; t < 8; ++t) {
        // Around the lattice in time the proton's sign, which is taken out, is in all slices alike.
        std::complex<double> divergence = v[3][k][t] - v[3][k][(t + 7) % 8];
        for (std::size_t i = 0; i < 3; ++i)
          divergence +=
              (1.0 - std::polar(1.0, -2 * std::numbers::pi * q[i] / three_point_extents[i])) * v[i][k][t];
        std::complex<double> expected = 0;
        if (t == 0) expected = charge_of(one.insertion) * at_source;
        if (t == sink_time) expected = -charge_of(one.insertion) * at_sink;
        EXPECT_LT(std::abs(divergence - expected), 1e-10 * std::abs(at_source))
            << static_cast<int>(one.insertion) << " q " << k << " t " << t;
      }
    }
  }
}

TEST(ThreePoint, ConservedCurrentsObeyTheWardIdentity) {
  const test::TestSession test;
  if (!test::fits(three_point_extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const Lattice lattice(test.session, three_point_extents);
  const GaugeField U = random_gauge(lattice, 5);
  const SolverSettings exact{.tolerance = 1e-13};
  {
    DiracSolver solver(wilson({.mass = mass}), U, exact);
    expect_ward_identity(solver, true);
  }
  {
    SCOPED_TRACE("anisotropic clover, antiperiodic in x");
    DiracSolver solver(
        clover({.mass = mass, .c_r = 0.7, .c_t = 0.9, .boundary = {-1, 1, 1, -1}, .xi = 1.5, .nu = 1.2}), U,
        exact);
    expect_ward_identity(solver, false);
  }
  {
    SCOPED_TRACE("smeared links");
    DiracSolver solver(
        DiracOperator(wilson({.mass = mass}), U,
                      ActionSmearing{.links = {.type = LinkSmearingKind::stout, .steps = 1, .rho = 0.1}}),
        exact);
    expect_ward_identity(solver, false);
  }
  {
    SCOPED_TRACE("optimal walls");
    DiracSolver solver(
        domain_wall({.variant = DomainWall::optimal, .n_s = 2, .mass = mass, .bounds = {{0.5, 6}}}), U,
        exact);
    expect_ward_identity(solver, false);
  }
}

// Derivatives and lines by functions of quark fields and the sequential propagator, on links of choice.
TEST(ThreePoint, PointSplitOperatorsAreThoseOfQuarkFields) {
  const test::TestSession test;
  if (!test::fits(three_point_extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const Lattice lattice(test.session, three_point_extents);
  const GaugeField U = random_gauge(lattice, 5), other = random_gauge(lattice, 6);
  DiracSolver solver(wilson({.mass = mass, .boundary = {1, 1, 1, 1}}), U, {.tolerance = 1e-6});
  const Propagator quark = solver.propagator(point_source(at));
  const Propagator psi = solver.propagator(sequential_source(quark, Insertion::pion, {sink_time, {}}));
  const Momentum q{1, 0, 0};
  const std::vector<std::string> names = bilinear_names();
  const auto name =
      static_cast<std::size_t>(std::find(names.begin(), names.end(), "vector_t") - names.begin());
  const SpinStructure spins{gamma(3), gamma5()};
  for (const GaugeField* links : {static_cast<const GaugeField*>(nullptr), &other}) {
    const auto found =
        three_point(solver, quark,
                    {.insertions = {Insertion::pion},
                     .sink_time = sink_time,
                     .momenta = {q},
                     .bilinears = {.derivatives = {"z"}, .line_directions = {2}, .line_length = 2}},
                    nullptr, links);
    const GaugeField& of_hops = links == nullptr ? U : *links;
    const CorrelatorSettings here{.momentum = q, .source = at};
    const auto con = [&](const SpinorField& left, const SpinorField& right) {
      return meson(Propagator(right), Propagator(left), spins, here);
    };
    const auto expect_near = [&](const Correlator& a, const Correlator& b) {
      double scale = 0;
      for (const auto& z : b) scale = std::max(scale, std::abs(z));
      for (std::size_t t = 0; t < 8; ++t) EXPECT_LT(std::abs(a[t] - b[t]), 1e-13 * scale) << t;
    };
    const Correlator to_right = con(psi, covariant_derivative(of_hops, quark, 2)),
                     to_left = con(covariant_derivative(of_hops, psi, 2), quark);
    Correlator both;
    for (std::size_t t = 0; t < 8; ++t) both.push_back(0.5 * (to_right[t] - to_left[t]));
    expect_near(found[0].bilinears.derivatives[0][name][0], both);
    const auto& lines = found[0].bilinears.lines[0];
    ASSERT_EQ(lines.size(), 5u);
    expect_near(lines[2][name][0], found[0].values[current("vector_t")][0]);
    SpinorField up = quark, down = quark;
    for (std::size_t z = 1; z <= 2; ++z) {
      up = covariant_shift(of_hops, up, forward(2));
      down = covariant_shift(of_hops, down, backward(2));
      expect_near(lines[2 + z][name][0], con(psi, up));
      expect_near(lines[2 - z][name][0], con(psi, down));
    }
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
    const auto moving = three_point(
        solver, solver.propagator(point_source(at)),
        {.insertions = {Insertion::down},
         .sink_times = {1, 4},
         .sink_momentum = {1, 0, -1},
         .bilinears = {.conserved = true, .derivatives = {"yt"}, .line_directions = {0}, .line_length = 1}},
        &sink);
    std::vector<Correlators> values;
    for (const ThreePointFunctions& one : found) values.push_back(one.values);
    for (const ThreePointFunctions& one : moving) {
      values.push_back(one.values);
      values.push_back(one.bilinears.conserved);
      values.push_back(one.bilinears.derivatives[0]);
      values.insert(values.end(), one.bilinears.lines[0].begin(), one.bilinears.lines[0].end());
    }
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
  refuse({"sink_times", "1 to 7"}, quark, {.insertions = {Insertion::pion}, .sink_times = {3, 8}});
  refuse({"sink_time", "both given"}, quark,
         {.insertions = {Insertion::pion}, .sink_time = 3, .sink_times = {3}});
  refuse({"sink_momentum"}, quark,
         {.insertions = {Insertion::pion}, .sink_time = 3, .sink_momentum = {0, 3, 0}});
  refuse({"staggered"}, Propagator(lattice, 1), good);
  refuse({"position"}, Propagator(lattice), good);
  refuse({"bilinears.derivatives", "letters"}, quark,
         {.insertions = {Insertion::pion}, .sink_time = 3, .bilinears = {.derivatives = {"w"}}});
  DiracSolver walls(domain_wall({.mass = 0.1}), U),
      not_hermitian(
          domain_wall(
              {.variant = DomainWall::general, .n_s = 2, .mass = 0.1, .omega = {1, 2}, .sigma = {0.5, 0.5}}),
          U);
  SpinorField current(lattice);
  const auto refuse_currents = [&](const test::Parts& parts, DiracSolver& of, const SpinorField* field) {
    test::expect_error(
        [&] {
          three_point(of, quark,
                      {.insertions = {Insertion::pion}, .sink_time = 3, .bilinears = {.conserved = true}},
                      nullptr, nullptr, field);
        },
        ErrorKind::usage, parts);
  };
  refuse_currents({"conserved", "gamma5-hermitian"}, not_hermitian, nullptr);
  refuse_currents({"conserved", "current field"}, walls, nullptr);
  refuse_currents({"not that of the quark"}, walls, &current);
  test::expect_error([&] { solver.propagator(point_source(at), nullptr, &current); }, ErrorKind::usage,
                     {"current field", "only domain-wall quarks"});
  const auto refuse_source = [&](const test::Parts& parts, const Propagator& q, Insertion insertion,
                                 const SinkSettings& to, QuarkSmearer* sink = nullptr) {
    test::expect_error([&] { sequential_source(q, insertion, to, sink); }, ErrorKind::usage, parts);
  };
  refuse_source({"sequential_source", "1 to 7"}, quark, Insertion::pion, {});
  refuse_source({"momentum"}, quark, Insertion::pion, {3, {0, 3, 0}});
  refuse_source({"position"}, Propagator(lattice), Insertion::pion, {3});
  refuse_source({"time_boundary"}, quark, Insertion::up, {3});  // which the quark does not know
  EXPECT_NO_THROW(sequential_source(quark, Insertion::up, {1}));
  Propagator other = quark;
  other.note().boundary = 1;
  refuse({"the operator"}, other, good);
  other = quark;
  other.note().source_type = "z2";
  refuse({"noise"}, other, good);
  refuse_source({"noise"}, other, Insertion::up, {1});
  refuse({"noise", "momentum 0"}, other,
         {.insertions = {Insertion::pion}, .sink_time = 3, .sink_momentum = {1, 0, 0}});
  other = quark;
  other.note().twisted_mass = 0.1;
  refuse_source({"twist"}, other, Insertion::pion, {1});
  QuarkSmearer twisted(U, {.gaussian = {.sigma = 1.2, .steps = 3, .boundary = {-1, 1, 1}}});
  refuse({"signs", "smearing"}, quark, good, &twisted);
  other = quark;
  other.note().space_boundary = periodic_in_space;
  refuse_source({"signs", "smearing"}, other, Insertion::pion, {1}, &twisted);
  const Lattice same(test.session, three_point_extents);
  refuse({"different lattices"}, Propagator(same), good);
}

}  // namespace
}  // namespace plaq
