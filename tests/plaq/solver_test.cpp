// Propagators, correlators and operators of the C++ interface.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "comms/start/shared_lattice.hpp"
#include "quarks/action/action.hpp"
#include "quarks/source/quark_derivative.hpp"
#include "tests/plaq/session.hpp"
#include "tests/support/errors.hpp"

namespace plaq {
namespace {

const Extents solver_extents{4, 4, 4, 8};

struct Actions {
  ActionPtr action;
  const char* channel;
};

std::vector<Actions> some_actions() {
  return {
      {wilson({.kappa = 0.1}), "pion"},
      {clover({.mass = 1.0, .c_sw = 1.2}), "pion"},
      {staggered({.mass = 0.5}), "pion_ps"},
      {hisq({.mass = 0.5}), "pion_ps"},
      {domain_wall({.variant = DomainWall::moebius, .n_s = 4, .mass = 0.3, .b5 = 1.5, .c5 = 0.5}), "pion"}};
}

double relative(const SpinorField& difference, const SpinorField& of) {
  double largest = 0;
  const auto a = norm2(difference), b = norm2(of);
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::sqrt(a[i] / b[i]));
  return largest;
}

// By M itself: b - M x. In five dimensions quark fields are projections of x,
// and the report has the residual.
TEST(Solver, PropagatorsSolveTheDiracEquation) {
  test::for_one_lattice(solver_extents, [](const Lattice& lattice) {
    const GaugeField U = random_gauge(lattice, 1);
    for (const auto& [action, channel] : some_actions()) {
      const Extents local = lattice.local_extents();
      if (action->least_slices() > *std::min_element(local.begin(), local.end())) continue;
      DiracSolver solver(action, U, {.tolerance = 1e-9});
      const Propagator q = solver.propagator(point_source({1, 2, 3, 5}));
      for (const double residual : q.solved()->true_residuals) EXPECT_LE(residual, 1e-9);
      ASSERT_EQ(q.solved()->iterations.size(), static_cast<std::size_t>(q.columns()));
      const Correlator c = meson(q, channel);
      ASSERT_EQ(c.size(), 8u);
      for (const auto& z : c) EXPECT_GT(z.real(), 0);
      DiracOperator m(action, U);
      if (m.settings(1).Ls > 1) continue;
      SpinorField b(lattice, q.settings()), source(lattice, q.settings());
      m.apply(b, q);
      point_source({1, 2, 3, 5})->fill(source.field());
      EXPECT_LE(relative(b - source, source), 1.01e-9);
    }
  });
}

// 1 at one site and -1 at another.
class Dipole final : public Source {
 public:
  Dipole(const Extents& position, const Extents& other) : Source(position), other_(other) {}
  std::string type() const override { return "dipole"; }
  void fill(Field& b, int first_column) const override {
    FieldSpec spec = b.spec();
    spec.location = Location::host;
    Field plus(b.geometry_ptr(), spec), minus(b.geometry_ptr(), spec);
    point_source(plus, position(), first_column);
    point_source(minus, other_, first_column);
    const int sites = static_cast<int>(b.geometry().local_volume() / 2);
    for (int column = 0; column < b.subfields(); ++column)
      for (int parity = 0; parity < 2; ++parity)
        for (int site = 0; site < sites; ++site)
          for (int real = 0; real < spec.reals(); ++real)
            set_real(
                plus, column, parity, site, real,
                get_real(plus, column, parity, site, real) - get_real(minus, column, parity, site, real));
    copy(b, plus);
  }
  std::string summed() const override { return "over pairs of points of the source's dipole"; }

 private:
  Extents other_;
};

// By a class of Source, by a field of all columns, and by a function that makes some of them.
TEST(Solver, SourcesOfOnesOwn) {
  const Extents here{1, 2, 3, 5}, there{0, 0, 1, 6};
  test::for_one_lattice(solver_extents, [&](const Lattice& lattice) {
    DiracSolver solver(wilson({.kappa = 0.1}), random_gauge(lattice, 1), {.tolerance = 1e-11});
    const Propagator one = solver.propagator(point_source(here)),
                     other = solver.propagator(point_source(there));
    const SpinorField expected = one - other;
    const Propagator by_class = solver.propagator(std::make_shared<Dipole>(here, there));
    EXPECT_LT(relative(by_class - expected, expected), 1e-9);
    EXPECT_EQ(by_class.note().source_type, "dipole");
    EXPECT_EQ(by_class.note().position, here);
    SpinorField columns(lattice, {.columns = 12});
    Dipole(here, there).fill(columns.field(), 0);
    EXPECT_LT(relative(solver.propagator(columns) - expected, expected), 1e-9);
    const SpinorField by_function = solver.solve(
        [&](SpinorField& batch, int first_column) { Dipole(here, there).fill(batch.field(), first_column); },
        12, {.position = here});
    EXPECT_LT(relative(by_function - expected, expected), 1e-9);
  });
}

// Derivatives of sources are fields of one's own.
TEST(Solver, DerivativesOfSources) {
  test::for_one_lattice(solver_extents, [&](const Lattice& lattice) {
    const GaugeField U = random_gauge(lattice, 1);
    DiracSolver solver(wilson({.kappa = 0.1}), U, {.tolerance = 1e-11});
    SpinorField b(lattice, {.columns = 12});
    point_source({1, 2, 3, 5})->fill(b.field());
    SpinorField derived = covariant_derivative(U, covariant_derivative(U, b, 1), 0);
    derived.note().position = Extents{1, 2, 3, 5};
    const QuarkDerivative of_jobs(lattice.shared(), U.field(), {}, periodic_in_space, "xy");
    of_jobs.apply(b.field());
    EXPECT_LT(relative(b - derived, derived), 1e-14);
    EXPECT_GT(meson(solver.propagator(derived), pion)[0].real(), 0);
  });
}

TEST(Solver, ContractionsOfOnesOwn) {
  test::for_one_lattice(solver_extents, [](const Lattice& lattice) {
    const GaugeField U = random_gauge(lattice, 1);
    DiracSolver light(wilson({.kappa = 0.1}), U), heavy(wilson({.kappa = 0.08}), U);
    const Extents at{0, 1, 2, 3};
    const Propagator q = light.propagator(point_source(at)), s = heavy.propagator(point_source(at));
    const auto S = q.on_host(), R = s.on_host();
    HostField<std::complex<double>> pion_density(lattice), kaon_density(lattice);
    for (const LocalSite& site : lattice.local_sites()) {
      pion_density[site.index] = trace(S[site.index] * adjoint(S[site.index]));
      kaon_density[site.index] = trace(S[site.index] * adjoint(R[site.index]));
    }
    const Momentum n{1, 0, 0};
    const Correlator mine = momentum_sum(pion_density, n, at), kaon = momentum_sum(kaon_density, {}, at);
    const Correlator reference = meson(q, pion, {.momentum = n}), other = meson(q, s, pion);
    const Correlator by_matrices = meson(q, s, SpinStructure{gamma5(), gamma5()});
    for (std::size_t t = 0; t < mine.size(); ++t) {
      EXPECT_LT(std::abs(mine[t] - reference[t]), 1e-12 * std::abs(meson(q, pion)[t]));
      EXPECT_LT(std::abs(kaon[t] - other[t]), 1e-12 * std::abs(other[t]));
      EXPECT_LT(std::abs(by_matrices[t] - other[t]), 1e-12 * std::abs(other[t]));
    }
    // Spin matrices at a site, and sums of matrices: their traces are sums of traces.
    const SpinStructure spins{gamma(3) * gamma5(), gamma5()};
    HostField<SpinColorMatrix> product(lattice);
    HostField<std::complex<double>> traces(lattice);
    const SpinColorMatrix five = spin_color(gamma5());
    for (const LocalSite& site : lattice.local_sites()) {
      const int i = site.index;
      product[i] = spin_color(spins.sink) * S[i] * spin_color(spins.source) * five * adjoint(R[i]) * five;
      traces[i] = trace(product[i]);
    }
    const Correlator of_traces = momentum_sum(traces, {}, at), axial = meson(q, s, spins);
    const auto of_matrices = momentum_sum(product, {}, at);
    ASSERT_EQ(of_matrices.size(), of_traces.size());
    for (std::size_t t = 0; t < of_traces.size(); ++t) {
      EXPECT_LT(std::abs(of_traces[t] - axial[t]), 1e-12 * std::abs(other[t]));
      EXPECT_LT(std::abs(trace(of_matrices[t]) - of_traces[t]), 1e-12 * std::abs(other[t]));
    }
    EXPECT_THROW(momentum_sum(HostField<SpinColorMatrix>(lattice, 2)), Error);
    EXPECT_EQ(baryon(q, proton), baryon({q, q, q}, proton));
    EXPECT_NE(baryon({q, q, s}, "sigma"), baryon(q, proton));
    // The quarks know where they come from.
    EXPECT_THROW(meson(q, "rhoo"), Error);
    EXPECT_THROW(meson(q, pion, {.source = Extents{0, 0, 0, 0}}), Error);
    EXPECT_THROW(meson(q, light.propagator(point_source({0, 0, 0, 0})), pion), Error);
  });
}

// Twisted mass by hand, with the Wilson operator of plaq inside.
class Twisted : public SpinorOperator {
 public:
  Twisted(const GaugeField& U, double mu)
      : SpinorOperator(U.lattice()), wilson_(wilson({.mass = 1.0}), U), mu_(mu) {}
  void apply(SpinorField& out, const SpinorField& in) override {
    wilson_.apply(out, in);
    out += std::complex<double>(0, mu_) * (gamma5() * in);
  }
  void apply_dagger(SpinorField& out, const SpinorField& in) override {
    wilson_.apply_dagger(out, in);
    out = out - std::complex<double>(0, mu_) * (gamma5() * in);  // a field that is assigned to
  }

 private:
  DiracOperator wilson_;
  double mu_;
};

TEST(Solver, OperatorsOfOnesOwn) {
  test::for_one_lattice(solver_extents, [](const Lattice& lattice) {
    const GaugeField U = random_gauge(lattice, 1);
    Twisted twisted(U, 0.3);
    SpinorField b(lattice, {.columns = 2}), check(lattice, {.columns = 2});
    b.set(test::numbers_on<SiteSpinor>(lattice, 2));
    for (const char* method : {"cg", "cgne", "bicgstab", "gcr"}) {
      ColumnsSolved solved;
      const SpinorField x = solve(twisted, b, {.method = method, .tolerance = 1e-8}, &solved);
      twisted.apply(check, x);
      EXPECT_LE(relative(b - check, b), 2e-8) << method;
      EXPECT_EQ(solved.iterations.size(), 2u);
      // From its own solution there is nothing left to do.
      solve_from(x, twisted, b, {.method = method, .tolerance = 1e-7}, &solved);
      EXPECT_EQ(solved.iterations, std::vector<std::int64_t>(2, 0)) << method;
    }
    EXPECT_THROW(solve_from(SpinorField(lattice), twisted, b), Error);
    test::expect_error([&] { solve(twisted, b, {.max_iterations = 2}); }, ErrorKind::not_converged,
                       {"bicgstab", "2 iterations"});
    EXPECT_THROW(solve(twisted, b, {.method = "magic"}), Error);
    EXPECT_THROW(solve(twisted, SpinorField(lattice, {.spins = 1})), Error);
  });
}

TEST(Solver, WrongParametersAreErrors) {
  const test::TestSession test;
  if (!test::fits(solver_extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const Lattice lattice(test.session, solver_extents);
  EXPECT_THROW(wilson({}), Error);
  EXPECT_THROW(wilson({.mass = 1.0, .kappa = 0.1}), Error);
  EXPECT_THROW(clover({.kappa = 0.1}), Error);
  EXPECT_THROW(clover({.kappa = 0.1, .c_sw = 1.0, .xi = 2}), Error);
  EXPECT_THROW(wilson({.kappa = 0.1, .boundary = {1, 0, 1, 1}}), Error);
  EXPECT_NO_THROW(wilson({.kappa = 0.1, .boundary = {1, 1, 1, 0}}));
  EXPECT_THROW(staggered({.mass = 0.1, .boundary = {1, 1, 1, 0}}), Error);
  EXPECT_THROW(staggered({}), Error);
  EXPECT_THROW(domain_wall({.variant = DomainWall::general}), Error);
  EXPECT_THROW(domain_wall({.m0 = 3}), Error);
  EXPECT_THROW(clover({.kappa = 0.1, .c_sw = std::nan("")}), Error);
  EXPECT_THROW(hisq({.mass = 0.1, .epsilon = std::nan("")}), Error);
  const GaugeField U = unit_gauge(lattice);
  const auto refuse = [&](const char* member, const SolverSettings& settings) {
    test::expect_error([&] { DiracSolver(wilson({.kappa = 0.1}), U, settings); }, ErrorKind::usage,
                       {"DiracSolver: ", member});
  };
  refuse("'links': found 7, must be 8 to 18", {.outer = {Precision::double_precision, 7}});
  refuse("settings.outer.reconstruction: found 13, must be 18, 12 or 8",
         {.outer = {Precision::double_precision, 13}});
  refuse("'precision': found \"a value without a name\", must be \"double\" or \"single\"",
         {.outer = {Precision::half_precision, 18}});
  refuse("'restart': found 0, must be 1 to 1000", {.restart = 0});
  refuse("'inner_tolerance': needs mixed = \"defect\"", {.inner_tolerance = 0.1});
  refuse("'multigrid.rounds': found -1, must be 0 to 100", {.multigrid = MultigridOptions{.rounds = -1}});
  refuse("tolerance", {.tolerance = -1});
  refuse("tolerance", {.tolerance = std::nan("")});
  refuse("max_iterations", {.max_iterations = 0});
  refuse("delta", {.delta = 1});
  refuse("modes", {.modes = 4});
  refuse("columns", {.columns = 0});
  refuse("columns", {.columns = 5});
  refuse("method", {.method = SolverMethod::cg, .multigrid = MultigridOptions()});
  test::expect_error([&] { DiracSolver(staggered({.mass = 0.5}), U, {.multigrid = MultigridOptions()}); },
                     ErrorKind::usage, {"settings.multigrid"});
  EXPECT_THROW(DiracSolver(nullptr, U), Error);
  EXPECT_THROW(DiracOperator(nullptr, U), Error);
  DiracSolver solver(wilson({.kappa = 0.1}), U);
  EXPECT_THROW(solver.propagator(SourcePtr()), Error);
  test::expect_error(
      [&] {
        solver.propagator(gaussian_source({0, 0, 0, 0}, -1));
      },
      ErrorKind::usage, {"width"});
  test::expect_error(
      [&] {
        solver.propagator(box_source({0, 0, 0, 0}, {2, 0, 2}));
      },
      ErrorKind::usage, {"size"});
  EXPECT_THROW(solver.propagator(point_source({4, 0, 0, 0})), Error);
  EXPECT_THROW(solver.solve(SpinorField(lattice, {.spins = 1})), Error);
  EXPECT_THROW(solver.propagator(SpinorField(lattice)), Error);  // one column
}

}  // namespace
}  // namespace plaq
