// Multigrid of domain-wall quarks: its solutions are those of CG, with the same bits on every process grid,
// at one mass and at others, and settings that cannot be are refused.
#include <filesystem>
#include <map>

#include "io/multigrid/multigrid_file.hpp"
#include "kernels/quark/sources.hpp"
#include "quarks/action/domain_wall_action.hpp"
#include "quarks/solve/multi_mass_solver.hpp"
#include "tests/quarks/dirac_problem.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/files.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/same_as_alone.hpp"
#include "tests/support/whole_vectors.hpp"

namespace plaq::domain_wall_multigrid_test {
namespace {

constexpr int batch = 2;
constexpr Extents extents{4, 4, 4, 8};

SolverSettings with_blocks(const std::vector<Extents>& blocks, int vectors = 8) {
  MultigridOptions how;
  how.blocks = blocks;
  how.vectors = {vectors};
  how.solves = 1e6;  // no round is made, however much it might save
  how.smoothing_steps = 8;
  how.coarse_tolerance = 0.25;
  how.dense_rows = 64;
  SolverSettings settings;
  settings.multigrid = how;
  settings.fallback = false;
  return settings;
}

// Weak random links, and sources in five dimensions.
struct Problem {
  reference::Generator generator{5};
  reference::Lattice lattice{extents};
  reference::GaugeField links = reference::weak_gauge(lattice, generator, 0.2);
  DomainWallChoice choice;
  std::vector<reference::SpinorField> sources;

  explicit Problem(WallKind kind = WallKind::moebius, int n_s = 4, double mass = 0.01) {
    choice.kind = kind;
    choice.n_s = n_s;
    choice.mass = mass;
    choice.b5 = 1.5;
    choice.c5 = 0.5;
    for (int i = 0; i < batch; ++i)
      for (int s = 0; s < n_s; ++s) {
        const auto slice = reference::random_spinor(lattice, generator);
        if (s == 0) sources.emplace_back();
        sources.back().insert(sources.back().end(), slice.begin(), slice.end());
      }
  }
  ActionPtr action() const { return domain_wall_action(choice); }
  FermionLinks on(const ProcessGrid& grid, const GeometryPtr& geometry, Location where) const {
    return {&grid, test::to_plaq(links, geometry, Precision::double_precision, where), Queue(where),
            make_host_transport(grid, where)};
  }
  SolverSettings resolved(const SolverSettings& settings, Location where) const {
    return plaq::resolved(settings, *action(), where);
  }
  Field source(const SystemSolver& solver, const GeometryPtr& geometry) const {
    return test::to_plaq(test::Columns(sources, choice.n_s), geometry, solver.spec_of_fields());
  }
};

void expect_solved(const FullSolveReport& report, double tolerance) {
  EXPECT_TRUE(report.converged()) << describe_attempts(report);
  EXPECT_EQ(report.relative_residuals.size(), static_cast<std::size_t>(batch));
  for (const double residual : report.relative_residuals) EXPECT_LE(residual, tolerance);
}

struct Case {
  std::string name;
  WallKind kind;
  int n_s;
  std::vector<Extents> blocks;
  int vectors;
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }
const Case cases[] = {
    {"Moebius", WallKind::moebius, 4, {{2, 2, 2, 2}}, 8},
    {"OddShamir", WallKind::shamir, 3, {{2, 4, 2, 4}}, 6},
    {"ThreeLevels", WallKind::moebius, 4, {{2, 2, 2, 2}, {2, 1, 2, 2}}, 6},
};

class Solves : public testing::TestWithParam<Case> {};

// Multigrid finds M^-1 b, in fewer iterations than CG.
TEST_P(Solves, AreThoseOfCg) {
  const Case& c = GetParam();
  const Problem problem(c.kind, c.n_s);
  const SolverSettings settings = with_blocks(c.blocks, c.vectors);
  SolverSettings plain = test::unmixed();
  plain.tolerance = 1e-12;
  const ProcessGrid grid(MPI_COMM_WORLD, test::DiracProblem::choose());
  const GeometryPtr geometry = grid.geometry(extents);
  for (const Location where : test::locations()) {
    const FermionLinks links = problem.on(grid, geometry, where);
    SystemSolver cg(links, problem.action(), problem.resolved(plain, where), batch),
        solver(links, problem.action(), problem.resolved(settings, where), batch);
    const Field b = problem.source(cg, geometry);
    Field x(geometry, b.spec()), y(geometry, b.spec());
    const FullSolveReport of_cg = cg.solve(x, b), report = solver.solve(y, b);
    expect_solved(of_cg, 1e-12);
    expect_solved(report, 1e-10);
    ASSERT_NE(solver.multigrid(), nullptr);
    const SetupReport& setup = solver.multigrid()->report();
    EXPECT_TRUE(setup.finished);
    EXPECT_EQ(setup.rounds, 0);
    EXPECT_LT(setup.kept.reduction, 0.6);
    for (const SelfCheck& check : setup.checks) EXPECT_TRUE(check.passed()) << check.what;
    EXPECT_FALSE(setup.checks.empty());
    EXPECT_NE(report.solve.attempts[0].method.find("multigrid"), std::string::npos);
    EXPECT_LT(4 * report.solve.iterations, of_cg.solve.iterations);
    EXPECT_LT(test::deviation(y, test::Columns(test::to_vectors(x), c.n_s)).most(), 1e-8);
  }
}
INSTANTIATE_TEST_SUITE_P(Of, Solves, testing::ValuesIn(cases),
                         [](const auto& info) { return info.param.name; });

// Blocks that lie on one rank each, and blocks that do not, so that the solver is on fewer ranks; with a
// coarsest lattice on fewer ranks, too.
TEST(DomainWallMultigrid, HasTheSameBitsOnEveryGrid) {
  const Problem problem(WallKind::moebius, 2);
  for (const std::vector<Extents>& blocks :
       {std::vector<Extents>{{2, 2, 2, 2}, {1, 2, 2, 2}}, std::vector<Extents>{{4, 4, 4, 4}}}) {
    SolverSettings settings = with_blocks(blocks, 3);
    settings.tolerance = 1e-6;
    const auto solution = [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
      SystemSolver solver(problem.on(grid, geometry, where), problem.action(),
                          problem.resolved(settings, where), batch);
      const Field b = problem.source(solver, geometry);
      Field x(geometry, b.spec());
      expect_solved(solver.solve(x, b), 1e-6);
      return test::on_all_ranks(test::to_vectors(x), grid);
    };
    test::for_geometries(extents, test::some_grids(extents), {test::world_size() == 1 ? 15u : 0u},
                         test::same_as_alone(extents, solution));
  }
}

// A setup is found again by the same quarks, with the bits that it had, and by those of another mass; its
// file is the same from every process grid.
TEST(DomainWallMultigrid, IsKeptInFiles) {
  const test::SharedDirectory directory;
  const SetupPaths paths{.own = directory / "setup"};
  SolverSettings settings = with_blocks({{2, 2, 2, 2}}, 3);
  settings.multigrid->filter_iterations = 2;
  const auto solver_on = [&](const ProcessGrid& grid, const GeometryPtr& geometry, const Problem& problem,
                             const SetupPaths& setup) {
    auto solver =
        std::make_unique<SystemSolver>(problem.on(grid, geometry, Location::host), problem.action(),
                                       problem.resolved(settings, Location::host), batch, nullptr, setup);
    EXPECT_NE(solver->multigrid(), nullptr);
    return solver;
  };
  const Problem light(WallKind::moebius, 3, 0.02), heavy(WallKind::moebius, 3, 0.1),
      other(WallKind::shamir, 3, 0.02);
  std::string first;
  for (const Extents& ranks : test::some_grids(extents)) {
    SCOPED_TRACE(to_string(ranks));
    const ProcessGrid grid(MPI_COMM_WORLD, ranks);
    const GeometryPtr geometry = grid.geometry(extents);
    const auto without = solver_on(grid, geometry, light, {}), made = solver_on(grid, geometry, light, paths);
    const std::string bytes = test::read_together(paths.own);
    if (first.empty()) first = bytes;
    EXPECT_TRUE(bytes == first);
    const auto again = solver_on(grid, geometry, light, paths);
    EXPECT_EQ(again->multigrid()->report().reductions, without->multigrid()->report().reductions);
    EXPECT_EQ(again->multigrid()->report().reductions, made->multigrid()->report().reductions);
    if (test::world_size() == 1) {
      const Field b = light.source(*made, geometry);
      Field x(geometry, b.spec()), y(geometry, b.spec());
      expect_solved(made->solve(x, b), 1e-10);
      expect_solved(again->solve(y, b), 1e-10);
      EXPECT_EQ(test::to_vectors(x), test::to_vectors(y));
      expect_solved(solver_on(grid, geometry, heavy, paths)->solve(y, b), 1e-10);
    }
    test::expect_error_everywhere([&] { solver_on(grid, geometry, other, paths); }, ErrorKind::input_file,
                                  {"another action", "omega"});
    EXPECT_TRUE(test::read_together(paths.own) == bytes) << "not written again";
    const MultigridFileInfo info = read_multigrid_info(paths.own, grid);
    EXPECT_EQ(info.vectors, 3);
    EXPECT_EQ(info.Ls, 3);
    EXPECT_TRUE(info.setup.finished);
    test::on_first_rank([&] { std::filesystem::remove(paths.own); });
  }
}

// A file of other links is replaced by a setup from noise where the job allows that: rounds, which refresh
// vectors of Wilson quarks, are of no use here.
TEST(DomainWallMultigrid, BeginsAgainOnOtherLinks) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const test::SharedDirectory directory;
  SetupPaths paths{.own = directory / "setup"};
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const GeometryPtr geometry = self.geometry(extents);
  const auto setup_on = [&](const reference::GaugeField& links, const SetupPaths& setup) {
    Problem problem(WallKind::moebius, 2);
    problem.links = links;
    const SystemSolver solver(problem.on(self, geometry, Location::host), problem.action(),
                              problem.resolved(with_blocks({{2, 2, 2, 2}}, 4), Location::host), batch,
                              nullptr, setup);
    EXPECT_NE(solver.multigrid(), nullptr);
    return solver.multigrid()->report();
  };
  const Problem problem;
  reference::Generator generator(11);
  const auto others = reference::weak_gauge(problem.lattice, generator, 0.2);
  setup_on(problem.links, paths);
  const std::string before = test::read_together(paths.own);
  test::expect_error([&] { setup_on(others, paths); }, ErrorKind::input_file, {"refresh = true"});
  EXPECT_TRUE(test::read_together(paths.own) == before);
  paths.refresh = true;
  const SetupReport refreshed = setup_on(others, paths), fresh = setup_on(others, {});
  EXPECT_EQ(refreshed.rounds, 0);
  EXPECT_LE(refreshed.kept.reduction, 1.2 * fresh.kept.reduction);
  EXPECT_FALSE(test::read_together(paths.own) == before);
}

// Right-hand sides do not see each other.
TEST(DomainWallMultigrid, HasTheSameBitsInAnyBatch) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Problem problem;
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const GeometryPtr geometry = self.geometry(extents);
  for (const Location where : test::locations()) {
    const auto solved = [&](int first, int count) {
      SystemSolver solver(problem.on(self, geometry, where), problem.action(),
                          problem.resolved(with_blocks({{2, 2, 2, 4}}, 4), where), count);
      std::vector<reference::SpinorField> some(problem.sources.begin() + first,
                                               problem.sources.begin() + first + count);
      const Field b =
          test::to_plaq(test::Columns(some, problem.choice.n_s), geometry, solver.spec_of_fields());
      Field x(geometry, b.spec());
      EXPECT_TRUE(solver.solve(x, b).converged());
      return test::to_vectors(x);
    };
    const auto together = solved(0, 2);
    for (int i = 0; i < batch; ++i) EXPECT_EQ(solved(i, 1)[0], together[static_cast<std::size_t>(i)]) << i;
  }
}

// One setup serves other masses: coarse operators are made again for each, since the heavy factor of the
// product has a mass of its own. Whatever was solved before, the bits are those of the mass.
TEST(DomainWallMultigrid, OneSetupServesOtherMasses) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const GeometryPtr geometry = self.geometry(extents);
  const SolverSettings settings = with_blocks({{2, 2, 2, 2}, {2, 1, 2, 2}}, 4);
  for (const Location where : test::locations()) {
    const FermionLinks links = Problem().on(self, geometry, where);
    MadeMultigrid made;
    std::map<double, std::vector<test::Vector>> found;
    for (const double mass : {0.02, 0.15, 0.05, 0.15, 0.15}) {
      const Problem problem(WallKind::moebius, 2, mass);
      SystemSolver solver(links, problem.action(), problem.resolved(settings, where), batch, nullptr, {},
                          std::move(made));
      ASSERT_NE(solver.multigrid(), nullptr);
      for (const SelfCheck& check : solver.multigrid()->report().checks)
        EXPECT_TRUE(check.passed()) << check.what;
      const Field b = problem.source(solver, geometry);
      Field x(geometry, b.spec()), y(geometry, b.spec());
      const FullSolveReport report = solver.solve(x, b);
      expect_solved(report, 1e-10);
      const auto vectors = test::to_vectors(x);
      const auto before = found.find(mass);
      if (before != found.end()) {
        EXPECT_EQ(vectors, before->second) << mass;
      } else {
        SystemSolver own(links, problem.action(), problem.resolved(settings, where), batch);
        const FullSolveReport of_own = own.solve(y, b);
        EXPECT_LE(report.solve.iterations, of_own.solve.iterations + 4) << mass;
        EXPECT_LT(test::deviation(x, test::Columns(test::to_vectors(y), 2)).most(), 1e-8) << mass;
      }
      found[mass] = vectors;
      made = solver.take_multigrid();
      EXPECT_NE(made.multigrid, nullptr);
    }
  }
}

// Quark fields of all columns at two masses, by one setup, are those of CG. The setup is that of the least
// mass, in whatever order they are.
TEST(DomainWallMultigrid, ServesPropagatorsAtManyMasses) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const GeometryPtr geometry = self.geometry(extents);
  for (const Location where : test::locations()) {
    std::vector<ActionPtr> actions;
    for (const double mass : {0.05, 0.2}) actions.push_back(Problem(WallKind::shamir, 2, mass).action());
    const Problem problem(WallKind::shamir, 2);
    const auto quarks_by = [&](SolverSettings settings, const std::vector<ActionPtr>& actions) {
      settings.tolerance = 1e-8;
      MultiMassSolver solver(problem.on(self, geometry, where), actions, problem.resolved(settings, where),
                             actions[0]->columns(), {});
      std::vector<Field> quarks(actions.size());
      for (Field& quark : quarks) quark = Field(geometry, solver.quark_spec());
      std::size_t seen = 0;
      solver.solve(
          quarks,
          [](Field& b, int first) {
            point_source(b, {1, 0, 2, 3}, first);
          },
          "field", nullptr, [&](std::size_t mass, const PropagatorSolver&) { EXPECT_EQ(mass, seen++); });
      EXPECT_EQ(seen, actions.size());
      return quarks;
    };
    const SolverSettings multigrid = with_blocks({{2, 2, 2, 4}}, 6);
    const auto found = quarks_by(multigrid, actions), expected = quarks_by(test::unmixed(), actions);
    const auto reversed = quarks_by(multigrid, {actions[1], actions[0]});
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_LT(test::deviation(found[i], test::Columns(test::to_vectors(expected[i]))).most(), 1e-6) << i;
      EXPECT_EQ(test::to_vectors(found[i]), test::to_vectors(reversed[1 - i])) << i;
    }
  }
}

// Pauli-Villars quarks of odd Ls have no even-odd form where sigma = omega.
TEST(DomainWallMultigrid, SaysWhatItIsFor) {
  const auto faults = [](WallKind kind, int n_s) {
    const Problem problem(kind, n_s);
    const SolverSettings settings = problem.resolved(with_blocks({{2, 2, 2, 2}}), Location::host);
    EXPECT_EQ(settings.preconditioning, Preconditioning::even_odd);
    EXPECT_EQ(settings.method, SolverMethod::gcr);
    const auto all = faults_of(settings, *problem.action());
    EXPECT_EQ(problem.action()->has_multigrid(), all.empty());
    return all;
  };
  for (const auto& [kind, n_s] :
       {std::pair{WallKind::shamir, 3}, {WallKind::moebius, 3}, {WallKind::borici, 4}})
    EXPECT_TRUE(faults(kind, n_s).empty()) << n_s;
  for (const WallKind kind : {WallKind::borici, WallKind::optimal}) {
    const auto found = faults(kind, 3);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].parameter, "multigrid");
    EXPECT_NE(found[0].what.find("Pauli-Villars quarks"), std::string::npos) << found[0].what;
  }
}

// The spectrum of the even-odd form lies around 0: steps of minimal residuals do not smooth there.
TEST(DomainWallMultigrid, NeedsItsPolynomials) {
  const Problem problem(WallKind::shamir, 2);
  const ProcessGrid grid(MPI_COMM_WORLD, test::DiracProblem::choose());
  const GeometryPtr geometry = grid.geometry(extents);
  SolverSettings settings = with_blocks({{2, 2, 2, 2}}, 2);
  settings.multigrid->smoother = SmootherKind::minimal_residual;
  const FermionLinks links = problem.on(grid, geometry, Location::host);
  const auto solver = [&] {
    return std::make_unique<SystemSolver>(links, problem.action(), problem.resolved(settings, Location::host),
                                          batch);
  };
  test::expect_error([&] { solver(); }, ErrorKind::not_converged, {"minimal residuals do not"});
  settings.fallback = true;
  const auto fallen = solver();
  EXPECT_EQ(fallen->multigrid(), nullptr);
  const Field b = problem.source(*fallen, geometry);
  Field x(geometry, b.spec());
  expect_solved(fallen->solve(x, b), 1e-10);
}

}  // namespace
}  // namespace plaq::domain_wall_multigrid_test
