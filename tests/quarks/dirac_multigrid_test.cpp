// Multigrid of a Dirac matrix where blocks do not divide the sites of a rank: it is on
// fewer ranks, with the same bits.
#include "quarks/multigrid/dirac_multigrid.hpp"

#include "quarks/action/wilson_action.hpp"
#include "quarks/solve/system_solver.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/files.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/same_as_alone.hpp"
#include "tests/support/whole_vectors.hpp"

namespace plaq::dirac_multigrid_test {
namespace {

using test::Complex64;

constexpr Extents extents{4, 4, 4, 8}, block{4, 4, 4, 4};
constexpr int batch = 2;

SolverSettings with_blocks() {
  MultigridOptions how;
  how.blocks = {block};
  how.vectors = {8};
  how.rounds = 1;
  SolverSettings spec = with_multigrid({}, how);
  spec.scheme = MixedScheme::defect_correction;
  spec.fallback = false;
  return spec;
}

struct Problem {
  reference::Generator generator{5};
  reference::Lattice lattice{extents};
  reference::GaugeField gauge = reference::weak_gauge(lattice, generator, 0.3);
  std::vector<reference::SpinorField> sources;
  WilsonParameters parameters;

  Problem() {
    for (int i = 0; i < batch; ++i) sources.push_back(reference::random_spinor(lattice, generator));
    parameters.mass = -0.3;
    parameters.clover = CloverCoefficients::isotropic(1.3);
  }
};

bool divides(const Geometry& geometry) {
  bool all = true;
  for (std::size_t mu = 0; mu < 4; ++mu) all = all && geometry.local()[mu] % block[mu] == 0;
  return all;
}

// The solutions on the whole lattice, and the bytes of the setup's file.
std::vector<std::vector<Complex64>> solve(const Problem& problem, const ProcessGrid& grid,
                                          const GeometryPtr& geometry, Location where,
                                          const std::string& file) {
  const Field gauge = test::to_plaq(problem.gauge, geometry, Precision::double_precision, where);
  const Field b = test::to_plaq(problem.sources, geometry, Subset::full, Precision::double_precision, where);
  SetupPaths setup;
  setup.own = file;
  SystemSolver solver({&grid, gauge, Queue(where), make_host_transport(grid, where)},
                      wilson_action(problem.parameters), with_blocks(), batch, nullptr, setup);
  Field x(geometry, solver.spec_of_fields());
  EXPECT_TRUE(solver.solve(x, b).converged());
  const SetupReport& report = solver.multigrid()->report();
  EXPECT_TRUE(report.finished);
  EXPECT_EQ(report.rounds, 1);
  EXPECT_LT(report.kept.reduction, 0.5);
  EXPECT_GT(solver.multigrid()->work(batch).flops, 0);
  auto whole = test::on_all_ranks(test::to_vectors(x), grid);
  MPI_Barrier(grid.comm().mpi());
  std::vector<Complex64> bytes;
  for (const char c : test::read_bytes(file)) bytes.emplace_back(c, 0);
  EXPECT_GT(bytes.size(), std::size_t{1000});
  whole.push_back(std::move(bytes));
  return whole;
}

TEST(DiracMultigrid, IsOnFewerRanksWhereBlocksNeedIt) {
  const Problem problem;
  const test::SharedDirectory directory;
  int files = 0, moved = 0;
  const auto solution = [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
    if (grid.size() > 1 && !divides(*geometry)) ++moved;
    const std::string name = broadcast(grid.comm(), std::to_string(files++));
    return solve(problem, grid, geometry, where, directory / name);
  };
  const auto same = test::same_as_alone(extents, solution);
  test::for_all_geometries(extents,
                           [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
                             if (geometry->decomposition().forced == 0) same(grid, geometry, where);
                           });
  EXPECT_EQ(moved > 0, test::world_size() > 1);
}

}  // namespace
}  // namespace plaq::dirac_multigrid_test
