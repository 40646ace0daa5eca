// Low modes of the C++ interface: eigenvectors of M^dagger M on the even sites, files, and what they and
// setup files of multigrid save of a solve.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/plaq/session.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/files.hpp"

namespace plaq {
namespace {

const Extents mode_extents{4, 4, 4, 8};

GaugeField smooth_field(const Lattice& lattice) {
  HeatbathChain chain(unit_gauge(lattice), {.beta = 8, .seed = 3});
  chain.update(2);
  return chain.gauge();
}

// M^dagger M of staggered quarks is m^2 - D^2/4, which leaves the even sites among themselves.
TEST(LowModes, AreEigenvectors) {
  std::vector<double> first;
  test::for_some_lattices(mode_extents, [&](const Lattice& lattice) {
    const GaugeField U = smooth_field(lattice);
    const ActionPtr action = staggered({.mass = 0.1});
    const LowModes modes = low_modes(action, U, {.modes = 3, .tolerance = 1e-4, .filter_degree = 10});
    ASSERT_EQ(modes.count(), 3);
    EXPECT_TRUE(std::is_sorted(modes.values().begin(), modes.values().end()));
    EXPECT_GT(modes.applications(), 0);
    if (first.empty()) first = modes.values();
    if (lattice.location() == Location::host) {
      EXPECT_EQ(modes.values(), first);
    }
    DiracOperator m(action, U);
    std::vector<double> found;
    for (int i = 0; i < 3; ++i) {
      const SpinorField v = modes.mode(i);
      EXPECT_NEAR(norm2(v)[0], 1, 1e-5);
      SpinorField mv(lattice, v.settings()), a(lattice, v.settings());
      m.apply(mv, v);
      m.apply_dagger(a, mv);
      const double value = inner_product(v, a)[0].real() / norm2(v)[0];
      add(a, -value, v);
      EXPECT_LT(std::sqrt(norm2(a)[0]), 3e-4 * value);
      const auto sites = v.staggered_on_host();
      for (const LocalSite& site : lattice.local_sites())
        if ((site.x[0] + site.x[1] + site.x[2] + site.x[3]) % 2 == 1) {
          ASSERT_EQ(sites[site.index].values, SiteColorVector().values);
        }
      found.push_back(value);
    }
    EXPECT_NEAR(found[1] / found[0], modes.values()[1] / modes.values()[0], 1e-6);
    EXPECT_NEAR(found[2] / found[0], modes.values()[2] / modes.values()[0], 1e-6);
    EXPECT_GT(found[0], 0.01);  // m^2
  });
}

TEST(LowModes, FilesComeBackAndDeflate) {
  const test::SharedDirectory folder;
  test::for_one_lattice(mode_extents, [&](const Lattice& lattice) {
    const GaugeField U = smooth_field(lattice);
    const std::string path = folder / "field.eig.lime";
    for (const ActionPtr& action : {wilson({.mass = -0.1}), domain_wall({.n_s = 2, .mass = 0.1})}) {
      const LowModes modes =
          low_modes(DiracOperator(action, U), {.modes = 8, .tolerance = 1e-2, .filter_degree = 10});
      write_low_modes(modes, path, {.overwrite = true});
      const LowModes back = read_low_modes(path, lattice);
      EXPECT_EQ(back.values(), modes.values());
      EXPECT_EQ(back.bounds(), modes.bounds());
      EXPECT_EQ(norm2(back.mode(7) - modes.mode(7))[0], 0);
      const SolverSettings cg{.method = SolverMethod::cg, .tolerance = 1e-8};
      DiracSolver plain(action, U, cg), deflated(action, U, cg, {.modes = path});
      const Propagator a = plain.propagator(point_source({0, 0, 0, 0})),
                       b = deflated.propagator(point_source({0, 0, 0, 0}));
      EXPECT_NE(deflated.name().find("deflation"), std::string::npos);
      for (std::size_t i = 0; i < 12; ++i) {
        EXPECT_LE(b.solved()->true_residuals[i], 1e-8);
        EXPECT_LT(b.solved()->iterations[i], a.solved()->iterations[i]);
      }
    }
    // The file is that of domain walls.
    DiracSolver other(wilson({.mass = -0.1}), U, {}, {.modes = path});
    test::expect_error(
        [&] {
          other.propagator(point_source({0, 0, 0, 0}));
        },
        ErrorKind::input_file, {"another operator"});
    SolverSettings many;
    many.modes = 9;
    DiracSolver more(domain_wall({.n_s = 2, .mass = 0.1}), U, many, {.modes = path});
    test::expect_error(
        [&] {
          more.propagator(point_source({0, 0, 0, 0}));
        },
        ErrorKind::input_file, {"holds 8 eigenvectors, 9"});
  });
}

TEST(LowModes, WrongCallsAreErrors) {
  const test::SharedDirectory folder;
  const test::TestSession test;
  if (!test::fits(mode_extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const Lattice lattice(test.session, mode_extents);
  const GaugeField U = unit_gauge(lattice);
  const ActionPtr action = wilson({.mass = 0.5});
  const auto refuse = [&](const test::Parts& parts, const EigenvectorSettings& settings,
                          Preconditioning form = Preconditioning::even_odd) {
    test::expect_error([&] { low_modes(action, U, settings, form); }, ErrorKind::usage, parts);
  };
  refuse({"setting 'modes': found 0, must be 1 to 65536"}, {.modes = 0});
  refuse({"setting 'tolerance'"}, {.tolerance = 1});
  refuse({"setting 'basis'", "12"}, {.modes = 10, .basis = 11});
  refuse({"setting 'filter_degree'"}, {.filter_degree = -1});
  refuse({"setting 'seed'"}, {.seed = -1});
  refuse({"even-odd"}, {}, Preconditioning::none);
  test::expect_error([&] { low_modes(staggered({.mass = 1}), U, {}, Preconditioning::even_odd_asymmetric); },
                     ErrorKind::usage, {"staggered"});
  test::expect_error([&] { low_modes(action, U, {.modes = 4, .max_applications = 3}); },
                     ErrorKind::not_converged, {"4 modes"});
  EXPECT_THROW(read_low_modes(folder / "none", lattice), Error);
  const LowModes modes = low_modes(action, U, {.modes = 1, .tolerance = 0.5});
  test::expect_error([&] { modes.mode(1); }, ErrorKind::usage, {"0 to 0"});
  EXPECT_THROW(write_low_modes(modes, folder / "m", {.precision = Precision::double_precision}), Error);
  write_low_modes(modes, folder / "m", {.precision = Precision::half_precision});
  test::expect_error([&] { write_low_modes(modes, folder / "m"); }, ErrorKind::output_file, {"m"});
  const auto refuse_solver = [&](const test::Parts& parts, const SolverSettings& settings,
                                 const SetupPaths& files) {
    test::expect_error([&] { DiracSolver(action, U, settings, files); }, ErrorKind::usage, parts);
  };
  const SetupPaths deflation{.modes = folder / "m"};
  SolverSettings settings;
  settings.modes = 1;
  refuse_solver({"settings.modes", "files.modes is missing"}, settings, {});
  refuse_solver({"settings.method", "cgne"}, {.method = SolverMethod::bicgstab}, deflation);
  refuse_solver({"settings.preconditioning"}, {.preconditioning = Preconditioning::none}, deflation);
  refuse_solver({"files.own"}, {}, {.own = folder / "setup"});
  SolverSettings multigrid;
  multigrid.multigrid = MultigridOptions();
  refuse_solver({"settings.multigrid", "take one"}, multigrid, deflation);
  refuse_solver({"files.own is missing"}, multigrid, {.refresh = true});
}

TEST(SetupFiles, AreKeptAndRead) {
  const test::SharedDirectory folder;
  const test::TestSession test;
  if (!test::fits(mode_extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const Lattice lattice(test.session, mode_extents);
  const GaugeField U = smooth_field(lattice);
  SolverSettings settings{.tolerance = 1e-7};
  settings.multigrid = MultigridOptions{.blocks = {{4, 4, 4, 4}}, .vectors = {8}, .rounds = 1};
  const SetupPaths files{.own = folder / "field.mg.lime"};
  const ActionPtr action = wilson({.mass = -0.1});
  const Propagator made = DiracSolver(action, U, settings, files).propagator(point_source({0, 0, 0, 0}));
  const std::string bytes = test::read_bytes(folder / "field.mg.lime");
  ASSERT_GT(bytes.size(), 1000u);
  const Propagator read = DiracSolver(action, U, settings, files).propagator(point_source({0, 0, 0, 0}));
  EXPECT_EQ(norm2(made - read), std::vector<double>(12, 0.0));
  EXPECT_EQ(test::read_bytes(folder / "field.mg.lime"), bytes);
  // A setup of other links is refused, and refreshed where that is asked for.
  const GaugeField V = random_gauge(lattice, 4);
  test::expect_error(
      [&] {
        DiracSolver(action, V, settings, files).propagator(point_source({0, 0, 0, 0}));
      },
      ErrorKind::input_file, {"field.mg.lime"});
}

}  // namespace
}  // namespace plaq
