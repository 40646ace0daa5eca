// Deflation: what modes leave of a residual, against plain formulas; solves with it, in every scheme.
#include "solvers/mixed/deflation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "solvers/eigen/lanczos.hpp"
#include "solvers/normal_operator.hpp"
#include "solvers/schur_solve.hpp"
#include "tests/solvers/krylov/methods.hpp"
#include "tests/solvers/plain_vectors.hpp"
#include "tests/solvers/test_operators.hpp"
#include "tests/solvers/wilson_system.hpp"
#include "tests/support/first_rank.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

const Extents tiny{2, 2, 2, 4}, small{4, 4, 4, 4};
const MixedScheme schemes[] = {MixedScheme::none, MixedScheme::reliable_updates,
                               MixedScheme::defect_correction};

// Components of site 0 are far below all others.
double size_of(int site, int k) { return site == 0 ? 0.001 * (1 + k) : 1 + 0.05 * ((12 * site + k) % 23); }
std::complex<double> phased(int site, int k) { return std::polar(size_of(site, k), 0.1 * (site + 2 * k)); }
std::complex<double> positive(int site, int k) { return size_of(site, k); }

// Its modes are unit vectors of site 0.
Deflation of_site_0(LinearOperator& a, const ProcessGrid& grid, int batch, ModesOf of, int modes) {
  std::vector<double> values;
  for (int k = 0; k < modes; ++k) {
    const double size = size_of(0, k);
    values.push_back(of == ModesOf::normal ? size * size : size);
  }
  return {a, grid, batch, of, values};
}
void fill(Deflation& deflation) {
  for (int i = 0; i < deflation.modes(); ++i) set_real(deflation.mode(i), 0, 0, 0, 2 * i, 1);
}

struct Improved {
  Field x, r;
  std::vector<double> norms;
};

// Improves b = `source`, x = 0; right-hand side 1 of three is left alone.
Improved improve(LinearOperator& a, const ProcessGrid& grid, Deflation& deflation, const Field& source) {
  Batch batch(grid, a.queue(), 3);
  Improved result{Field(a.geometry(), a.spec(3)), Field(a.geometry(), a.spec(3)), {}};
  copy(result.r, source);
  for (int i = 0; i < 3; ++i)
    result.norms.push_back(std::sqrt(test::dot(test::plain(source, i), test::plain(source, i)).real()));
  deflation.improve(batch, result.x, source, result.r, ActiveSet(std::vector<char>{1, 0, 1}), result.norms);
  return result;
}

TEST(Deflation, SolvesForItsModes) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = self.geometry(tiny);
  for (const ModesOf of : {ModesOf::normal, ModesOf::hermitian}) {
    const auto eigenvalue = of == ModesOf::normal ? phased : positive;
    test::DiagonalOperator a(geometry, Precision::double_precision, Queue(Location::host), eigenvalue);
    const int modes = 5;
    Deflation deflation = of_site_0(a, self, 3, of, modes);
    fill(deflation);
    const Field b = test::to_plaq(test::random_sources(tiny, 3), geometry, Subset::full,
                                  Precision::double_precision, Location::host);
    const Improved found = improve(a, self, deflation, b);
    for (const int i : {0, 2}) {
      const auto source = test::plain(b, i), x = test::plain(found.x, i), r = test::plain(found.r, i);
      double norm = 0;
      for (std::size_t c = 0; c < source.size(); ++c) {
        const int site = static_cast<int>(c / 12), k = static_cast<int>(c % 12);
        const bool in_mode = site == 0 && k < modes;
        const auto exact = in_mode ? source[c] / eigenvalue(site, k) : 0;
        EXPECT_LE(std::abs(x[c] - exact), 1e-5 * std::abs(exact)) << c;
        if (!in_mode) {
          EXPECT_EQ(r[c], source[c]);
        }
        norm += std::norm(r[c]);
      }
      EXPECT_NEAR(found.norms[static_cast<std::size_t>(i)], std::sqrt(norm), 1e-12);
    }
    EXPECT_EQ(test::distance(test::plain(found.r, 1), test::plain(b, 1)), 0);
    EXPECT_EQ(test::dot(test::plain(found.x, 1), test::plain(found.x, 1)), test::Complex64(0));
  }
}

TEST(Deflation, RefusesModesThatAreNone) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  test::DiagonalOperator a(self.geometry(tiny), Precision::double_precision, Queue(Location::host), positive);
  for (const std::vector<double>& values : {std::vector<double>{}, {1, 0}, {-1}, {std::nan("")}})
    EXPECT_THROW(Deflation(a, self, 1, ModesOf::normal, values), Error);
}

// Iterations are those of an operator without the low part, however far down it is.
void expect_iterations_of_the_rest(const std::string& method, ModesOf of,
                                   const test::DiagonalOperator::Eigenvalue& eigenvalue) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = self.geometry(tiny);
  const auto rest = [&](int site, int k) { return site == 0 ? 1 : eigenvalue(site, k); };
  const auto make = [&](Precision precision, const test::DiagonalOperator::Eigenvalue& value) {
    return test::DiagonalOperator(geometry, precision, Queue(Location::host), value);
  };
  auto outer = make(Precision::double_precision, eigenvalue),
       inner = make(Precision::single_precision, eigenvalue),
       outer_rest = make(Precision::double_precision, rest),
       inner_rest = make(Precision::single_precision, rest);
  const Field b = test::to_plaq(test::random_sources(tiny, 2), geometry, Subset::full,
                                Precision::double_precision, Location::host);
  Deflation deflation = of_site_0(outer, self, 2, of, 12);
  fill(deflation);
  SolverParameters parameters;
  parameters.tolerance = 1e-11;
  for (const MixedScheme scheme : schemes) {
    SCOPED_TRACE(method + ", " + std::string(name_of(scheme)));
    const auto iterations = [&](LinearOperator& a, LinearOperator& low, Deflation* by) {
      MethodSettings settings;
      settings.deflation = by;
      settings.inner_tolerance = 1e-4;
      const auto solver = test::make_solver(method, scheme, a, low, self, 2, settings);
      Field x(geometry, b.spec());
      const SolveReport report = solver->solve(x, b, parameters);
      EXPECT_TRUE(report.converged()) << name_of(report.reason());
      for (const double residual : true_residuals(a, self, x, b)) EXPECT_LE(residual, 1e-11 * 1.000001);
      return report.iterations;
    };
    const int with = iterations(outer, inner, &deflation);
    EXPECT_LT(2 * with, iterations(outer, inner, nullptr));
    EXPECT_LE(with, 1.4 * iterations(outer_rest, inner_rest, nullptr));
  }
}

TEST(Deflation, LeavesTheConditionNumberOfTheRest) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const std::string method : {"cg", "cgne"})
    expect_iterations_of_the_rest(method, ModesOf::normal, phased);
  expect_iterations_of_the_rest("hermitian-cg", ModesOf::hermitian, positive);
}

// Modes of Lanczos, in a batch whose members begin and end at different times.
using Bits = std::vector<std::uint64_t>;
TEST(DeflationOnGrids, HasTheSameBitsAloneAndInABatch) {
  const auto sources = test::random_sources(small, 2);
  const auto run = [&](const ProcessGrid& grid, Location location, std::uint32_t forced, MixedScheme scheme,
                       std::vector<int> which) {
    test::Batch b;
    for (const int i : which) b.push_back(sources[static_cast<std::size_t>(i)]);
    test::WilsonSystem p(grid, small, b, -0.3, 0.3, location, forced);
    NormalOperator normal(*p.in_double, 1);
    LanczosParameters of_modes;
    of_modes.values = 4;
    of_modes.max_applications = 30;  // no matter how good they are
    Lanczos lanczos(normal, grid, 30);
    const auto modes = lanczos.run(
        test::to_plaq({sources[0]}, p.geometry, Subset::full, Precision::double_precision, location),
        of_modes);
    EXPECT_EQ(modes.values.size(), 4u);
    const int batch = static_cast<int>(which.size());
    Deflation deflation(*p.in_double, grid, batch, ModesOf::normal, modes.values);
    for (int i = 0; i < deflation.modes(); ++i) copy(deflation.mode(i), lanczos.vector(i));
    MethodSettings settings;
    settings.deflation = &deflation;
    settings.inner_tolerance = 1e-4;
    const auto solver = test::make_solver("cg", scheme, *p.in_double, *p.in_single, grid, batch, settings);
    SolverParameters parameters;
    for (const int i : which) parameters.targets.push_back(i == 0 ? 1e-6 : 1e-2);
    Field x = p.zero();
    const SolveReport report = solver->solve(x, p.source, parameters);
    EXPECT_TRUE(report.converged()) << name_of(report.reason());
    Bits bits;
    const auto solutions = test::fingerprints(x, grid);
    for (std::size_t i = 0; i < which.size(); ++i) {
      bits.push_back(solutions[i]);
      bits.push_back(static_cast<std::uint64_t>(report.results[i].iterations));
      bits.push_back(std::bit_cast<std::uint64_t>(report.results[i].residual_norm));
    }
    return bits;
  };
  for (const Location location : test::locations())
    for (const MixedScheme scheme : {MixedScheme::reliable_updates, MixedScheme::defect_correction}) {
      const Bits both = test::from_first_rank([&] {
        const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
        const Bits together = run(self, location, 0, scheme, {0, 1});
        Bits alone = run(self, location, 0, scheme, {0});
        const Bits second = run(self, location, 0, scheme, {1});
        alone.insert(alone.end(), second.begin(), second.end());
        EXPECT_EQ(alone, together);
        return together;
      });
      int visited = 0;
      test::for_some_geometries(small,
                                [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
                                  const std::uint32_t forced = geometry->decomposition().forced;
                                  if (where != location || forced != (grid.size() == 1 ? 15u : 0u)) return;
                                  if (grid.size() > 1 && visited++ % 2 != static_cast<int>(scheme) % 2)
                                    return;  // by turns
                                  EXPECT_EQ(run(grid, where, forced, scheme, {0, 1}), both);
                                });
    }
}

}  // namespace
}  // namespace plaq
