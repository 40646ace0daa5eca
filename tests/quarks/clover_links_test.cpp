// Clover quarks whose clover term is of other links than their hops: by the formula, in every form that a
// solver makes of them, and in files that know them by their links.
#include <cmath>

#include "core/system/error.hpp"
#include "io/gauge/link_sum.hpp"
#include "quarks/multigrid/setup_file.hpp"
#include "quarks/solve/low_modes.hpp"
#include "tests/quarks/dirac_problem.hpp"
#include "tests/reference/clover.hpp"
#include "tests/support/files.hpp"

namespace plaq::clover_links_test {
namespace {

using test::batch, test::host, test::mixed;

// Hops on one random field, the clover term of another.
struct Problem : test::DiracProblem {
  Problem() : hops(reference::Lattice{extents}), thin(hops) {
    reference::Generator generator(5), other(17);
    hops = reference::weak_gauge(reference::Lattice{extents}, generator, 0.3);
    thin = reference::weak_gauge(reference::Lattice{extents}, other, 0.4);
    with_clover = links();
    with_clover->clover_links = test::to_plaq(thin, geometry, Precision::double_precision, host);
  }
  SystemSolver both(const SolverSettings& spec, const SetupPaths& setup = {}) const {
    return {*with_clover, action(), spec, batch, nullptr, setup};
  }
  // b - M x of one right-hand side over b, on one rank.
  double residual(const Field& x) const {
    reference::CloverParameters p;
    p.wilson.mass = parameters.mass;
    p.spatial = parameters.clover.spatial;
    p.temporal = parameters.clover.temporal;
    const auto a = reference::clover_matrices(p, thin);
    double most = 0;
    const auto all = test::to_reference<reference::SpinorField>(x),
               sources = test::to_reference<reference::SpinorField>(b);
    for (std::size_t i = 0; i < all.size(); ++i) {
      auto r = sources[i];
      reference::add(r, -1.0, reference::clover_dirac_apply(p, hops, a, all[i]));
      most = std::max(most,
                      std::sqrt(reference::dot(r, r).real() / reference::dot(sources[i], sources[i]).real()));
    }
    return most;
  }
  reference::GaugeField hops, thin;
  std::optional<FermionLinks> with_clover;
};

TEST(CloverLinks, SolutionsAreThoseOfTheFormula) {
  const Problem problem;
  std::vector<SolverSettings> specs;
  for (const auto form :
       {Preconditioning::even_odd, Preconditioning::even_odd_asymmetric, Preconditioning::none}) {
    specs.push_back(mixed(Precision::half_precision));
    specs.back().preconditioning = form;
  }
  specs.push_back(mixed(Precision::single_precision, 8));  // in a gauge of their own
  specs.push_back(mixed(Precision::half_precision));
  specs.back().temporal_gauge = false;
  MultigridOptions multigrid;
  multigrid.blocks = {{2, 2, 2, 2}};
  multigrid.vectors = {6};
  specs.push_back(with_multigrid(mixed(Precision::single_precision), multigrid));
  std::vector<int> iterations;
  for (const SolverSettings& spec : specs) {
    SCOPED_TRACE(name_of(spec));
    auto solver = problem.both(spec);
    EXPECT_EQ(solver.temporal_gauge(), has_temporal_gauge(spec));
    Field x(problem.geometry, solver.spec_of_fields());
    const auto report = solver.solve(x, problem.b);
    EXPECT_TRUE(report.converged());
    EXPECT_EQ(report.solve.attempts.size(), static_cast<std::size_t>(1 + report.tightened));
    iterations.push_back(report.solve.iterations);
    if (problem.grid.size() == 1) {
      EXPECT_LT(problem.residual(x), 2e-10);
    }
  }
  // Temporal gauge changes the way alone: the clover term is in that gauge, too.
  EXPECT_NEAR(iterations[0], iterations[4], 2 + 0.1 * iterations[4]);
  // Another operator than with one kind of links.
  auto one = problem.solver(specs[0]);
  Field x(problem.geometry, one.spec_of_fields());
  EXPECT_TRUE(one.solve(x, problem.b).converged());
  if (problem.grid.size() == 1) {
    EXPECT_GT(problem.residual(x), 1e-3);
  }
}

TEST(CloverLinks, AreToldByFiles) {
  const Problem problem;
  const auto entries = operator_entries(*problem.action(), Preconditioning::even_odd, *problem.with_clover);
  ASSERT_FALSE(entries.empty());
  EXPECT_EQ(entries.back().key, clover_links_key);
  EXPECT_EQ(entries.back().value, checksum_of_links(problem.grid, problem.with_clover->clover_links).text());
  EXPECT_EQ(operator_entries(*problem.action(), Preconditioning::even_odd, problem.links()).size() + 1,
            entries.size());

  MultigridOptions multigrid;
  multigrid.blocks = {{2, 2, 2, 2}};
  multigrid.vectors = {6};
  multigrid.rounds = 0;
  const SolverSettings spec = with_multigrid(mixed(Precision::single_precision), multigrid);
  const test::SharedDirectory directory;
  SetupPaths paths;
  paths.own = directory / "setup";
  problem.both(spec, paths);
  problem.both(spec, paths);  // finds it
  try {
    SystemSolver(problem.links(), problem.action(), spec, batch, nullptr, paths);
    ADD_FAILURE() << "taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input_file);
    EXPECT_NE(std::string(error.what()).find("clover_links"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace plaq::clover_links_test
