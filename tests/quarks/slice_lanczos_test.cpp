// The lowest modes of the Laplacian in space on each time slice, by the slow reference.
#include "quarks/distillation/slice_lanczos.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/quark/spatial_laplacian.hpp"
#include "quarks/distillation/mode_phases.hpp"
#include "tests/reference/dense.hpp"
#include "tests/reference/sources.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/same_as_alone.hpp"
#include "tests/support/world.hpp"

namespace plaq::slice_lanczos_test {
namespace {

using reference::Complex;
constexpr auto in_double = Precision::double_precision, in_single = Precision::single_precision;

// Modes of all slices on one grid.
struct Found {
  SliceLanczosReport report;
  Field modes;
};
Found find(const ProcessGrid& grid, const GeometryPtr& g, Location location,
           const reference::GaugeField& links, const SliceLanczosParameters& parameters,
           Precision precision = in_double, const SpaceSigns& boundary = periodic_in_space) {
  const Field gauge = test::to_plaq(links, g, in_double, Location::host);
  SpatialLaplacian laplacian(grid, gauge, boundary, precision, Queue(location),
                             make_host_transport(grid, location));
  SliceLanczos lanczos(laplacian, grid, SpatialLaplacian::largest_eigenvalue, parameters);
  Found found{lanczos.run(), {}};
  found.modes = lanczos.modes();
  return found;
}

// Mode i of a slice: components [site in the slice][color], lexicographic sites.
using Mode = std::vector<Complex>;
Mode mode_of(const std::vector<reference::SpinorField>& modes, const reference::Lattice& lattice, int t,
             int i) {
  Mode mode;
  for (int site = 0; site < lattice.volume(); ++site)
    if (lattice.coordinates(site)[3] == t)
      for (const Complex& z : modes[static_cast<std::size_t>(i / 4)][static_cast<std::size_t>(site)]
                                   [static_cast<std::size_t>(i % 4)])
        mode.push_back(z);
  return mode;
}

Complex dot(const Mode& a, const Mode& b) {
  Complex sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::conj(a[i]) * b[i];
  return sum;
}

// Minus the Laplacian of each slice, dense. It joins no two slices: a vector that is 1 in one component of
// all slices gives a column of each matrix.
std::vector<reference::ComplexDense> dense_laplacians(const reference::GaugeField& links,
                                                      const reference::Signs& signs = reference::periodic) {
  const reference::Lattice& lattice = links.lattice;
  const int slices = lattice.extents[3], sites = lattice.volume() / slices;
  std::vector<reference::ComplexDense> all(static_cast<std::size_t>(slices),
                                           reference::ComplexDense(3 * sites));
  for (int column = 0; column < 3 * sites; ++column) {
    auto one = reference::zero_spinor(lattice);
    for (int t = 0; t < slices; ++t)
      one[static_cast<std::size_t>(t * sites + column / 3)][0][static_cast<std::size_t>(column % 3)] = 1;
    const auto product = reference::spatial_laplacian(links, one, signs);
    for (int t = 0; t < slices; ++t)
      for (int row = 0; row < 3 * sites; ++row)
        all[static_cast<std::size_t>(t)](row, column) =
            -product[static_cast<std::size_t>(t * sites + row / 3)][0][static_cast<std::size_t>(row % 3)];
  }
  return all;
}

// Values ascend, vectors are orthonormal, and each is an eigenvector; bounds say how well.
void expect_eigenvectors(const Found& found, const std::vector<reference::ComplexDense>& a,
                         const reference::Lattice& lattice, int count, double tolerance) {
  const auto modes = test::to_reference<reference::SpinorField>(test::on_host(test::in_double(found.modes)));
  EXPECT_TRUE(found.report.all_converged());
  for (int t = 0; t < lattice.extents[3]; ++t) {
    const auto slice = static_cast<std::size_t>(t);
    const auto& values = found.report.values[slice];
    ASSERT_EQ(values.size(), static_cast<std::size_t>(count));
    EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
    std::vector<Mode> vectors;
    for (int i = 0; i < count; ++i) vectors.push_back(mode_of(modes, lattice, t, i));
    for (int i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      for (int j = 0; j <= i; ++j)
        EXPECT_NEAR(std::abs(dot(vectors[static_cast<std::size_t>(j)], vectors[at]) - (i == j ? 1.0 : 0.0)),
                    0, tolerance)
            << t << " " << i << " " << j;
      double left = 0;
      for (int row = 0; row < a[slice].size(); ++row) {
        Complex sum = -values[at] * vectors[at][static_cast<std::size_t>(row)];
        for (int k = 0; k < a[slice].size(); ++k)
          sum += a[slice](row, k) * vectors[at][static_cast<std::size_t>(k)];
        left += std::norm(sum);
      }
      EXPECT_LE(std::sqrt(left), tolerance) << t << " " << i;
      EXPECT_NEAR(std::sqrt(left), found.report.bounds[slice][at], 0.1 * tolerance) << t << " " << i;
    }
    // Vectors beyond those that were asked for are 0.
    for (int i = count; i < 4 * found.modes.subfields(); ++i) {
      const Mode rest = mode_of(modes, lattice, t, i);
      EXPECT_EQ(std::abs(dot(rest, rest)), 0);
    }
  }
}

struct OnOneRank {
  ProcessGrid grid{MPI_COMM_SELF, {1, 1, 1, 1}};
  GeometryPtr geometry;
  explicit OnOneRank(const Extents& extents) : geometry(grid.geometry(extents)) {}
};

// On 2^3 sites there are 24 modes, which are all of space.
TEST(SliceLanczos, AllModesAreComplete) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Extents extents{2, 2, 2, 4};
  reference::Generator generator(21);
  const auto links = reference::random_gauge({extents}, generator);
  const auto a = dense_laplacians(links);
  const OnOneRank one(extents);
  for (const Location location : test::locations())
    for (const int block : {1, 2, 3}) {
      SliceLanczosParameters parameters;
      parameters.modes = 24;
      parameters.tolerance = 1e-12;
      parameters.block = block;
      const Found found = find(one.grid, one.geometry, location, links, parameters);
      expect_eigenvectors(found, a, {extents}, 24, 1e-12);
      const auto modes = test::to_reference<reference::SpinorField>(test::on_host(found.modes));
      for (int t = 0; t < extents[3]; ++t) {
        reference::ComplexDense sum(24);
        double trace = 0;
        for (int i = 0; i < 24; ++i) {
          const Mode v = mode_of(modes, {extents}, t, i);
          for (int row = 0; row < 24; ++row)
            for (int column = 0; column < 24; ++column)
              sum(row, column) +=
                  v[static_cast<std::size_t>(row)] * std::conj(v[static_cast<std::size_t>(column)]);
          trace += found.report.values[static_cast<std::size_t>(t)][static_cast<std::size_t>(i)];
        }
        EXPECT_NEAR(trace, 6 * 24, 1e-11);
        for (int row = 0; row < 24; ++row)
          for (int column = 0; column < 24; ++column)
            EXPECT_NEAR(std::abs(sum(row, column) - (row == column ? 1.0 : 0.0)), 0, 1e-12);
      }
    }
}

// No mode is missing: values are the lowest of the dense matrices.
TEST(SliceLanczos, FindsTheLowestModesOfEachSlice) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Extents extents{4, 4, 2, 4};
  const reference::Lattice lattice{extents};
  reference::Generator generator(22);
  // Slices of different roughness, which converge apart.
  auto links = reference::weak_gauge(lattice, generator, 0.3);
  const auto rough = reference::random_gauge(lattice, generator);
  for (int site = 0; site < lattice.volume(); ++site)
    if (lattice.coordinates(site)[3] % 2 == 1)
      links.link[static_cast<std::size_t>(site)] = rough.link[static_cast<std::size_t>(site)];
  const reference::Signs signs{1, -1, 1};
  const auto a = dense_laplacians(links, signs);
  std::vector<std::vector<double>> exact;
  for (const auto& of_slice : a) exact.push_back(reference::hermitian_eigenvalues(of_slice));
  const OnOneRank one(extents);
  for (const Location location : test::locations())
    for (const Precision precision : {in_double, in_single}) {
      SliceLanczosParameters parameters;
      parameters.modes = 18;
      parameters.tolerance = precision == in_double ? 1e-9 : 3e-5;
      const Found found = find(one.grid, one.geometry, location, links, parameters, precision, signs);
      expect_eigenvectors(found, a, lattice, 18, precision == in_double ? 1e-9 : 3e-5);
      for (std::size_t t = 0; t < 4; ++t)
        for (std::size_t i = 0; i < 18; ++i)
          EXPECT_NEAR(found.report.values[t][i], exact[t][i], precision == in_double ? 1e-12 : 1e-5)
              << t << " " << i;
    }
}

// Eigenvalues 2 sum (1 - cos p), each three times or more: many more copies than a block has vectors.
TEST(SliceLanczos, FindsAllCopiesOnUnitLinks) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Extents extents : {Extents{4, 4, 4, 2}, Extents{6, 4, 2, 2}}) {
    const reference::Lattice lattice{extents};
    reference::Generator generator(23);
    const auto links = reference::transformed(reference::unit_gauge(lattice),
                                              reference::random_transformation(lattice, generator));
    std::vector<double> exact;
    for (int site = 0; site < lattice.volume(); ++site) {
      const auto n = lattice.coordinates(site);
      if (n[3] != 0) continue;
      double value = 0;
      for (std::size_t i = 0; i < 3; ++i)
        value += 2 * (1 - std::cos(2 * std::numbers::pi * n[i] / extents[i]));
      exact.insert(exact.end(), 3, value);
    }
    std::sort(exact.begin(), exact.end());
    const auto a = dense_laplacians(links);
    const OnOneRank one(extents);
    for (const Location location : test::locations())
      for (const int modes : {3, 21, 30}) {
        SliceLanczosParameters parameters;
        parameters.modes = modes;
        parameters.tolerance = 1e-9;
        parameters.block = modes == 21 ? 1 : 2;
        const Found found = find(one.grid, one.geometry, location, links, parameters);
        expect_eigenvectors(found, a, lattice, modes, 1e-9);
        for (int t = 0; t < extents[3]; ++t)
          for (int i = 0; i < modes; ++i)
            EXPECT_NEAR(found.report.values[static_cast<std::size_t>(t)][static_cast<std::size_t>(i)],
                        exact[static_cast<std::size_t>(i)], 1e-9)
                << t << " " << i;
      }
  }
}

TEST(SliceLanczos, SameBitsOnEveryGrid) {
  const Extents extents{4, 4, 2, 8};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  reference::Generator generator(24);
  const auto links = reference::random_gauge({extents}, generator);
  test::for_some_geometries(
      extents,
      test::same_as_alone(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
        SliceLanczosParameters parameters;
        parameters.modes = 6;
        parameters.block = 1;
        Found found = find(grid, g, location, links, parameters);
        EXPECT_TRUE(found.report.all_converged());
        fix_phases(found.modes, grid, Queue(location));
        auto bits = test::fingerprints(found.modes, grid);
        for (const auto* numbers : {&found.report.values, &found.report.bounds})
          for (const auto& of_slice : *numbers)
            for (const double value : of_slice) bits.push_back(__builtin_bit_cast(std::uint64_t, value));
        bits.push_back(static_cast<std::uint64_t>(found.report.applications));
        return bits;
      }));
}

// Color 0 at (0, 0, 0) is real and not negative, and modes are multiplied by phases alone. They are then the
// same whatever vectors the search begins with.
TEST(SliceLanczos, PhasesAreDefinite) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Extents extents{4, 2, 4, 2};
  const reference::Lattice lattice{extents};
  reference::Generator generator(25);
  const auto links = reference::random_gauge(lattice, generator);
  const OnOneRank one(extents);
  for (const Location location : test::locations()) {
    std::vector<std::vector<reference::SpinorField>> all;
    for (const std::uint64_t seed : {1, 2}) {
      SliceLanczosParameters parameters;
      parameters.modes = 7;
      parameters.tolerance = 1e-11;
      parameters.seed = seed;
      Found found = find(one.grid, one.geometry, location, links, parameters);
      const auto before = test::to_reference<reference::SpinorField>(test::on_host(found.modes));
      fix_phases(found.modes, one.grid, Queue(location));
      all.push_back(test::to_reference<reference::SpinorField>(test::on_host(found.modes)));
      for (int t = 0; t < extents[3]; ++t)
        for (int i = 0; i < 7; ++i) {
          const Mode v = mode_of(all.back(), lattice, t, i);
          EXPECT_GT(v[0].real(), 0);
          EXPECT_NEAR(v[0].imag(), 0, 1e-15);
          EXPECT_NEAR(std::abs(dot(mode_of(before, lattice, t, i), v)), 1, 1e-13);
        }
    }
    for (int t = 0; t < extents[3]; ++t)
      for (int i = 0; i < 7; ++i)
        EXPECT_NEAR(std::abs(dot(mode_of(all[0], lattice, t, i), mode_of(all[1], lattice, t, i)) - 1.0), 0,
                    1e-8)
            << t << " " << i;
  }
}

TEST(SliceLanczos, StopsAtTheLimitAndSaysSo) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Extents extents{4, 4, 4, 2};
  reference::Generator generator(26);
  const auto links = reference::random_gauge({extents}, generator);
  const OnOneRank one(extents);
  SliceLanczosParameters parameters;
  parameters.modes = 8;
  parameters.max_applications = 3;
  const Found found = find(one.grid, one.geometry, Location::host, links, parameters);
  EXPECT_FALSE(found.report.all_converged());
  EXPECT_EQ(found.report.values[1].size(), 8u);
  EXPECT_GT(*std::max_element(found.report.bounds[1].begin(), found.report.bounds[1].end()), 1e-8);
}

TEST(SliceLanczos, RefusesImpossibleParameters) {
  const Extents extents{2, 2, 2, 2};
  const auto links = reference::unit_gauge({extents});
  const OnOneRank one(extents);
  const auto with = [&](auto&& change) {
    SliceLanczosParameters parameters;
    parameters.modes = 8;
    change(parameters);
    find(one.grid, one.geometry, Location::host, links, parameters);
  };
  EXPECT_THROW(with([](auto& p) { p.modes = 25; }), Error);
  EXPECT_THROW(with([](auto& p) { p.modes = 0; }), Error);
  EXPECT_THROW(with([](auto& p) { p.basis = 8; }), Error);
  EXPECT_THROW(with([](auto& p) { p.block = 0; }), Error);
  EXPECT_THROW(with([](auto& p) { p.tolerance = 0; }), Error);
}

}  // namespace
}  // namespace plaq::slice_lanczos_test
