// Multigrid of twisted-mass quarks, both flavours of a doublet: residuals by the slow formula, iterations
// beside those of other methods, one setup for several quarks, and equal bits.
#include "quarks/action/wilson_action.hpp"
#include "quarks/solve/system_solver.hpp"
#include "tests/reference/clover.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/files.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/same_as_alone.hpp"
#include "tests/support/whole_vectors.hpp"

namespace plaq::twisted_multigrid_test {
namespace {

constexpr int batch = 2;

SolverSettings multigrid(const Extents& block, int vectors = 8) {
  MultigridOptions how;
  how.blocks = {block};
  how.vectors = {vectors};
  how.rounds = 1;
  SolverSettings spec = with_multigrid({}, how);
  spec.scheme = MixedScheme::defect_correction;
  spec.fallback = false;
  return spec;
}

SolverSettings normal_equations() {
  SolverSettings spec;
  spec.method = SolverMethod::cgne;
  spec.preconditioning = Preconditioning::even_odd_asymmetric;
  spec.fallback = false;
  return spec;
}

// Links and sources, here and in the reference.
struct Problem {
  explicit Problem(const Extents& of) : extents(of) {
    for (int i = 0; i < batch; ++i) sources.push_back(reference::random_spinor(lattice, generator));
  }
  FermionLinks links(const ProcessGrid& grid, const GeometryPtr& geometry, Location where) const {
    return {&grid, test::to_plaq(gauge, geometry, Precision::double_precision, where), Queue(where),
            make_host_transport(grid, where)};
  }
  Field source(const GeometryPtr& geometry, Location where) const {
    return test::to_plaq(sources, geometry, Subset::full, Precision::double_precision, where);
  }

  Extents extents;
  reference::Generator generator{5};
  reference::Lattice lattice{extents};
  reference::GaugeField gauge = reference::weak_gauge(lattice, generator, 0.3);
  std::vector<reference::SpinorField> sources;
};

// |b - M x| / |b| by the formula, the largest one.
double residual(const Problem& problem, const WilsonParameters& parameters, const Field& x) {
  reference::CloverParameters theirs;
  theirs.wilson.mass = parameters.mass;
  theirs.spatial = parameters.clover.spatial;
  theirs.temporal = parameters.clover.temporal;
  theirs.exponential = parameters.clover.exponential;
  theirs.twisted_mass = parameters.twisted_mass;
  const auto a = reference::clover_matrices(theirs, problem.gauge);
  const auto found = test::to_reference<reference::SpinorField>(x);
  double most = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    most = std::max(
        most, reference::relative_difference(
                  reference::clover_dirac_apply(theirs, problem.gauge, a, found[i]), problem.sources[i]));
  return most;
}

// On one rank: solutions, and the iterations that they took.
struct Alone {
  const Problem& problem;
  Location where;
  ProcessGrid grid{MPI_COMM_SELF, {1, 1, 1, 1}};
  GeometryPtr geometry = grid.geometry(problem.extents);
  FermionLinks links = problem.links(grid, geometry, where);

  int solve(SystemSolver& solver, const WilsonParameters& parameters) const {
    Field x(geometry, solver.spec_of_fields());
    const FullSolveReport report = solver.solve(x, problem.source(geometry, where));
    EXPECT_TRUE(report.converged());
    EXPECT_LT(residual(problem, parameters, x), 1e-9);
    return report.solve.iterations;
  }
  SystemSolver solver(const WilsonParameters& parameters, const SolverSettings& settings,
                      const SetupPaths& setup = {}, MadeMultigrid made = {}) const {
    return SystemSolver(links, wilson_action(parameters), settings, batch, nullptr, setup, std::move(made));
  }
  int iterations(const WilsonParameters& parameters, const SolverSettings& settings,
                 const SetupPaths& setup = {}) const {
    SystemSolver made = solver(parameters, settings, setup);
    return solve(made, parameters);
  }
};

struct Quarks {
  const char* name;
  WilsonParameters parameters;
};
std::ostream& operator<<(std::ostream& out, const Quarks& quarks) { return out << quarks.name; }

// Near the critical mass.
const Quarks all_quarks[] = {{"Wilson", {.mass = -0.75}},
                             {"Clover", {.mass = -0.35, .clover = {1.1, 1.1}}},
                             {"ExponentialClover", {.mass = -0.35, .clover = {1.1, 1.1, true}}}};

class TwistedMassMultigrid : public testing::TestWithParam<Quarks> {};

TEST_P(TwistedMassMultigrid, SolvesBothFlavoursInFewIterations) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Problem problem({8, 4, 4, 8});
  for (const Location where : test::locations()) {
    const Alone alone{problem, where};
    for (const double mu : {0.01, -0.01}) {
      WilsonParameters parameters = GetParam().parameters;
      parameters.twisted_mass = mu;
      const int fast = alone.iterations(parameters, multigrid({2, 2, 2, 2})),
                slow = alone.iterations(parameters, normal_equations());
      EXPECT_LT(fast, 30);
      EXPECT_LT(4 * fast, slow);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Of, TwistedMassMultigrid, testing::ValuesIn(all_quarks),
                         [](const auto& info) { return std::string(info.param.name); });

// The other flavour, another twisted mass, quarks without one, and a mass to which multigrid moves.
TEST(TwistedMassSetup, ServesOtherQuarks) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Problem problem({8, 4, 4, 8});
  const Alone alone{problem, Location::host};
  const test::SharedDirectory directory;
  const SolverSettings settings = multigrid({2, 2, 2, 2});
  SetupPaths setup;
  setup.own = directory / "setup";
  WilsonParameters parameters = all_quarks[1].parameters;
  parameters.twisted_mass = 0.02;
  const int own = alone.iterations(parameters, settings, setup);
  const std::string file = test::read_bytes(setup.own);
  for (const double mu : {-0.02, 0.01, 0.0}) {
    SCOPED_TRACE(mu);
    WilsonParameters other = parameters;
    other.twisted_mass = mu;
    SystemSolver solver = alone.solver(other, settings, setup);
    EXPECT_EQ(solver.multigrid()->report().probes.size(), 1u);  // no round was made
    EXPECT_LE(alone.solve(solver, other), own + 2);
  }
  EXPECT_EQ(test::read_bytes(setup.own), file);

  SystemSolver before = alone.solver(parameters, settings);
  WilsonParameters heavier = parameters;
  heavier.mass += 0.05;
  SystemSolver after = alone.solver(heavier, settings, {}, before.take_multigrid());
  EXPECT_LE(alone.solve(after, heavier), own + 2);
}

// Also where blocks need fewer ranks, and coarse lattices have odd extents or no checkerboard.
TEST(TwistedMassSetup, HasTheSameBitsOnEveryGrid) {
  for (const auto& [extents, block] : {std::pair<Extents, Extents>{{4, 4, 4, 8}, {4, 4, 4, 4}},
                                       {{12, 4, 4, 4}, {2, 2, 2, 2}},
                                       {{6, 4, 4, 4}, {2, 2, 2, 2}}}) {
    const Problem problem(extents);
    const auto solution = [&, how = multigrid(block, 4)](const ProcessGrid& grid, const GeometryPtr& geometry,
                                                         Location where) {
      WilsonParameters parameters{.mass = -0.3, .clover = {1.1, 1.1}, .twisted_mass = -0.02};
      SystemSolver solver(problem.links(grid, geometry, where), wilson_action(parameters), how, batch);
      Field x(geometry, solver.spec_of_fields());
      EXPECT_TRUE(solver.solve(x, problem.source(geometry, where)).converged());
      return test::on_all_ranks(test::to_vectors(x), grid);
    };
    const auto same = test::same_as_alone(extents, solution);
    test::for_some_geometries(extents,
                              [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
                                if (geometry->decomposition().forced == 0) same(grid, geometry, where);
                              });
  }
}

}  // namespace
}  // namespace plaq::twisted_multigrid_test
