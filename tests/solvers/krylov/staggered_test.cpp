// Staggered fermions, one-link and improved: CG on the even-odd complement reaches 1e-10 of the full system
// with inner operators of every storage, a batch at a time; multi-shift CG solves for several masses at once.
#include <gtest/gtest.h>

#include "solvers/krylov/multishift_cg.hpp"
#include "solvers/schur_solve.hpp"
#include "tests/solvers/krylov/methods.hpp"
#include "tests/support/operators/staggered.hpp"
#include "tests/support/world.hpp"

namespace plaq::staggered_test {
namespace {

const Extents extents{4, 4, 8, 8};
constexpr int batch = 3;
constexpr double tolerance = 1e-10;

// Links near 1, where the operator is as badly conditioned as its mass allows.
test::StaggeredProblem make_problem(bool improved, double mass) {
  auto p = test::make_staggered(extents, improved, {1, 1, 1, -1});
  reference::Generator generator(8);
  const reference::Lattice lattice{extents};
  p.links.near = reference::weak_gauge(lattice, generator, 0.3);
  p.links.far = reference::weak_gauge(lattice, generator, 0.3);
  if (improved) {
    p.ours.naik = p.theirs.naik = -1.0 / 24;
    for (auto& site : p.links.near.link)  // fat: of no group, and with entries beyond 1
      for (auto& u : site)
        u = reference::Complex(1.1) * u + reference::Complex(0.1) * reference::random_su3(generator);
  }
  test::set_mass(p, mass);
  return p;
}

std::vector<reference::ColorField> sources() {
  reference::Generator generator(9);
  std::vector<reference::ColorField> b;
  for (int k = 0; k < batch; ++k) b.push_back(reference::random_colors({extents}, generator));
  return b;
}

class StaggeredSolve : public testing::TestWithParam<bool> {};

TEST_P(StaggeredSolve, ReachesTheToleranceOfTheFullSystem) {
  const int ranks = test::world_size();
  const auto p = make_problem(GetParam(), 0.05);
  int grids = 0;
  for (const auto& shape : allowed_grids(ranks, extents)) {
    const ProcessGrid grid(MPI_COMM_WORLD, shape);
    const auto g = grid.geometry(extents);
    if (!test::fits(p, *g)) continue;
    ++grids;
    for (const Location location : test::locations()) {
      const Queue queue(location);
      const auto complement = [&](const LinkStorage& storage) {
        return StaggeredSchur(test::make_hopping(p, {grid, g, storage, queue}), 0, batch);
      };
      StaggeredOperator residual_operator(test::make_hopping(p, {grid, g, {}, queue}));
      StaggeredSchur outer = complement({Precision::double_precision, 12});
      const Field b = test::to_plaq(sources(), g, Subset::full, Precision::double_precision, location);
      int in_double = 0;
      for (const LinkStorage& storage :
           {LinkStorage(), LinkStorage(Precision::single_precision, 8),
            LinkStorage(Precision::half_precision, 18), LinkStorage(Precision::half_precision, 12)}) {
        const bool wide = storage.precision == Precision::double_precision;
        if (ranks > 1 && !wide && storage.reconstruction != 12) continue;  // every storage on one rank
        StaggeredSchur inner = complement(storage);
        for (const auto scheme : {MixedScheme::reliable_updates, MixedScheme::defect_correction}) {
          const bool defects = scheme == MixedScheme::defect_correction;
          if (wide && defects) continue;
          if (ranks > 1 && !wide && defects != (grids % 2 == 0)) continue;  // many grids
          SCOPED_TRACE(to_string(shape) + " " + std::string(name_of(storage.precision)) + " " +
                       std::to_string(storage.reconstruction) + " " + std::string(name_of(scheme)));
          MethodSettings settings;
          settings.inner_tolerance = storage.precision == Precision::half_precision ? 0.1 : 1e-3;
          const auto solver = test::make_solver("hermitian-cg", wide ? MixedScheme::none : scheme, outer,
                                                wide ? outer : inner, grid, batch, settings);
          SolverParameters parameters;
          parameters.tolerance = tolerance;
          Field x(g, b.spec());
          const auto report = solve_schur(outer, *solver, residual_operator, grid, x, b, parameters);
          EXPECT_TRUE(report.converged());
          EXPECT_EQ(report.tightened, 0);  // the scale is exact
          for (const double residual : report.relative_residuals) EXPECT_LE(residual, 1.00001 * tolerance);
          if (wide) in_double = report.solve.iterations;
          EXPECT_GT(in_double, 50);
          EXPECT_LT(report.solve.iterations, (scheme == MixedScheme::reliable_updates ? 1.3 : 3) * in_double);
        }
      }
    }
  }
}

TEST_P(StaggeredSolve, SeveralMassesAtOnce) {
  const int ranks = test::world_size();
  const std::vector<double> masses{0.05, 0.1, 0.5};
  const auto p = make_problem(GetParam(), masses[0]);
  for (const auto& shape : allowed_grids(ranks, extents)) {
    const ProcessGrid grid(MPI_COMM_WORLD, shape);
    const auto g = grid.geometry(extents);
    if (!test::fits(p, *g)) continue;
    for (const Location location : test::locations()) {
      const Queue queue(location);
      StaggeredSchur schur(test::make_hopping(p, {grid, g, {}, queue}), 0, batch);
      const Field b = test::to_plaq(sources(), g, Subset::even, Precision::double_precision, location);
      std::vector<double> shifts;
      std::vector<Field> x;
      for (const double m : masses) {
        shifts.push_back(m * m - masses[0] * masses[0]);
        x.emplace_back(g, b.spec());
      }
      MultishiftCg multishift(schur, grid, batch, shifts);
      SolverParameters parameters;
      parameters.tolerance = tolerance;
      const auto report = multishift.solve(x, b, parameters);
      EXPECT_TRUE(report.converged());
      EXPECT_LT(report.shifts[2].iterations, report.iterations / 2);
      for (std::size_t i = 0; i < masses.size(); ++i) {  // by an operator of that mass
        auto heavier = p;
        test::set_mass(heavier, masses[i]);
        StaggeredSchur other(test::make_hopping(heavier, {grid, g, {}, queue}), 0, batch);
        for (const double residual : true_residuals(other, grid, x[i], b))
          EXPECT_LE(residual, 1.00001 * tolerance) << masses[i];
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Links, StaggeredSolve, testing::Values(false, true),
                         [](const auto& info) { return info.param ? "improved" : "one_link"; });

}  // namespace
}  // namespace plaq::staggered_test
