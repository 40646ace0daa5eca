// Perambulators and elementals against slow formulas, with color vectors of any kind for modes.
#include <gtest/gtest.h>

#include "quarks/action/wilson_action.hpp"
#include "quarks/distillation/elementals.hpp"
#include "quarks/distillation/perambulators.hpp"
#include "tests/quarks/distillation_support.hpp"
#include "tests/reference/solve.hpp"
#include "tests/support/same_as_alone.hpp"
#include "tests/support/shared_lattice.hpp"
#include "tests/support/world.hpp"

namespace plaq::distillation_test {
namespace {

Perambulator found_by(const reference::GaugeField& gauge, const SliceModes& modes, int t, int together,
                      const ProcessGrid& grid, const GeometryPtr& g, Location location,
                      double tolerance = 1e-11) {
  const SharedLattice lattice = test::lattice_on(grid, g, location);
  PropagatorSolver solver({&grid, test::to_plaq(gauge, g, wide, location), lattice.queue, lattice.transport},
                          wilson_action({.mass = mass}), accurate(tolerance),
                          columns_of_solves(4 * modes.count, together));
  return perambulator(lattice, modes, solver, t, "field");
}

// The perambulator of one rank that has the whole lattice.
Perambulator found_alone(const reference::GaugeField& gauge, const Batch& vectors, int count, int t,
                         int together) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const GeometryPtr g = self.geometry(gauge.lattice.extents);
  return found_by(gauge, modes_on(vectors, count, g, Location::host), t, together, self, g, Location::host);
}

TEST(Perambulators, AreQuarksBetweenModes) {
  if (test::world_size() > 1) GTEST_SKIP() << "is of one rank";
  const reference::Lattice lattice{Extents{2, 2, 2, 4}};
  reference::Generator generator(71);
  const reference::GaugeField gauge = reference::random_gauge(lattice, generator);
  const Batch vectors = reference::random_spinors(lattice, 2, generator);
  const int count = 6, source = 1;
  const Perambulator found = found_alone(gauge, vectors, count, source, 12);
  ASSERT_EQ(found.numbers.size(), Perambulator::size(4, count));
  ASSERT_EQ(found.solves.true_residuals.size(), 24u);
  for (int j = 0; j < count; ++j)
    for (int spin = 0; spin < 4; ++spin) {
      reference::SpinorField b = reference::zero_spinor(lattice);
      for (int site = 0; site < lattice.volume(); ++site)
        if (lattice.coordinates(site)[3] == source)
          b[static_cast<std::size_t>(site)][static_cast<std::size_t>(spin)] = vector_at(vectors, j, site);
      const reference::SpinorField x =
          reference::solve(reference::WilsonParameters{.mass = mass}, gauge, b).x;
      Numbers expected(Perambulator::size(4, count));
      for (int site = 0; site < lattice.volume(); ++site)
        for (int s = 0; s < 4; ++s)
          for (int i = 0; i < count; ++i)
            for (std::size_t c = 0; c < 3; ++c)
              expected[found.at(lattice.coordinates(site)[3], s, spin, i, j)] +=
                  std::conj(vector_at(vectors, i, site)[c]) *
                  x[static_cast<std::size_t>(site)][static_cast<std::size_t>(s)][c];
      for (int t = 0; t < 4; ++t)
        for (int s = 0; s < 4; ++s)
          for (int i = 0; i < count; ++i) {
            const std::size_t at = found.at(t, s, spin, i, j);
            EXPECT_LT(std::abs(found.numbers[at] - expected[at]), 1e-9);
          }
    }
}

TEST(Perambulators, AreGaugeInvariantAndTheSameInAnyBatch) {
  if (test::world_size() > 1) GTEST_SKIP() << "is of one rank";
  const reference::Lattice lattice{Extents{2, 4, 2, 4}};
  reference::Generator generator(72);
  const reference::GaugeField gauge = reference::random_gauge(lattice, generator);
  const Batch vectors = reference::random_spinors(lattice, 1, generator);
  const reference::GaugeTransformation g = reference::random_transformation(lattice, generator);
  Batch turned = vectors;
  for (std::size_t site = 0; site < g.size(); ++site)
    for (std::size_t s = 0; s < 4; ++s) turned[0][site][s] = g[site] * vectors[0][site][s];
  const Perambulator one = found_alone(gauge, vectors, 3, 2, 12);
  EXPECT_EQ(found_alone(gauge, vectors, 3, 2, 4).numbers, one.numbers);
  EXPECT_LT(largest_difference(found_alone(reference::transformed(gauge, g), turned, 3, 2, 12).numbers,
                               one.numbers),
            1e-9);
}

TEST(Perambulators, HaveTheSameBitsOnEveryGrid) {
  const Extents extents{4, 2, 4, 4};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  reference::Generator generator(73);
  const reference::GaugeField gauge = reference::weak_gauge({extents}, generator, 0.4);
  const Batch vectors = reference::random_spinors({extents}, 1, generator);
  test::for_some_geometries(
      extents,
      test::same_as_alone(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
        const SliceModes modes = modes_on(vectors, 1, g, location), more = modes_on(vectors, 3, g, location);
        Numbers all = found_by(gauge, modes, 3, 4, grid, g, location, 1e-4).numbers;
        const SharedLattice lattice = test::lattice_on(grid, g, location);
        PropagatorSolver solver(
            {&grid, test::to_plaq(gauge, g, wide, location), lattice.queue, lattice.transport},
            wilson_action({.mass = mass}), accurate(1e-4), 4);
        const auto noisy =
            stochastic_perambulator(lattice, more, {.type = Noise::z4, .modes = 1}, solver, 3, 0, "field");
        all.insert(all.end(), noisy.numbers.begin(), noisy.numbers.end());
        return all;
      }));
}

TEST(Perambulators, TakeColumnsThatPartAllSolves) {
  EXPECT_EQ(columns_of_solves(24, 12), 12);
  EXPECT_EQ(columns_of_solves(256, 12), 8);
  EXPECT_EQ(columns_of_solves(20, 12), 10);
  EXPECT_EQ(columns_of_solves(4, 12), 4);
  EXPECT_EQ(columns_of_solves(28, 3), 2);
}

// X = tau rho by linearity, with the noise of each part; all parts apart and |eta| = 1 give tau back.
TEST(StochasticPerambulators, AreSumsOfPerambulatorsOverTheNoise) {
  if (test::world_size() > 1) GTEST_SKIP() << "is of one rank";
  const Extents extents{2, 2, 2, 4};
  reference::Generator generator(76);
  const reference::GaugeField gauge = reference::random_gauge({extents}, generator);
  const Batch vectors = reference::random_spinors({extents}, 2, generator);
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const GeometryPtr g = self.geometry(extents);
  const SharedLattice lattice = test::lattice_on(self, g, Location::host);
  const SliceModes modes = modes_on(vectors, 5, g, Location::host);
  const Perambulator tau = found_by(gauge, modes, 1, 12, self, g, Location::host);
  Numbers earlier;
  for (const auto& [classes, spin, parts] : {std::tuple{0, true, 20}, {2, true, 8}, {3, false, 3}}) {
    const ModeNoise noise{.type = Noise::z4, .seed = 9, .modes = classes, .spin = spin};
    PropagatorSolver solver(
        {&self, test::to_plaq(gauge, g, wide, Location::host), lattice.queue, lattice.transport},
        wilson_action({.mass = mass}), accurate(1e-11), columns_of_solves(parts, 12));
    const StochasticPerambulator found =
        stochastic_perambulator(lattice, modes, noise, solver, 1, 7, "field");
    ASSERT_EQ(found.parts, parts);
    if (earlier.empty()) earlier = found.eta;
    EXPECT_EQ(found.eta, earlier);  // whatever the dilution
    Numbers expected(found.numbers.size()), back(tau.numbers.size());
    for (int t = 0; t < 4; ++t)
      for (int s = 0; s < 4; ++s)
        for (int i = 0; i < 5; ++i)
          for (int of_spin = 0; of_spin < 4; ++of_spin)
            for (int j = 0; j < 5; ++j) {
              const Complex eta = found.eta[static_cast<std::size_t>(5 * of_spin + j)];
              const int part = spin ? 4 * (classes == 0 ? j : j % classes) + of_spin : j % classes;
              expected[found.at(t, s, i, part)] += tau.numbers[tau.at(t, s, of_spin, i, j)] * eta;
              back[tau.at(t, s, of_spin, i, j)] = found.numbers[found.at(t, s, i, part)] * std::conj(eta);
            }
    EXPECT_LT(largest_difference(found.numbers, expected), 1e-9);
    if (classes == 0) {
      EXPECT_LT(largest_difference(back, tau.numbers), 1e-9);
    }
  }
}

TEST(StochasticPerambulators, HaveIndependentNoise) {
  const ModeNoise noise{.type = Noise::z2, .seed = 3};
  std::vector<Numbers> drawn{mode_noise(noise, 0, 0, 40), mode_noise(noise, 0, 1, 40),
                             mode_noise(noise, 5, 0, 40)};
  drawn.push_back(mode_noise({.type = Noise::z2, .seed = 4}, 0, 0, 40));
  drawn.emplace_back();  // the first modes of more are those of fewer
  for (int spin = 0; spin < 4; ++spin)
    for (int j = 0; j < 40; ++j)
      drawn.back().push_back(mode_noise(noise, 0, 0, 70)[static_cast<std::size_t>(70 * spin + j)]);
  EXPECT_EQ(drawn.back(), drawn.front());
  for (std::size_t k = 0; k < 4; ++k)
    for (std::size_t l = 0; l < 4; ++l) {
      Complex sum = 0;
      for (std::size_t i = 0; i < 160; ++i) sum += drawn[k][i] * std::conj(drawn[l][i]);
      if (k == l)
        EXPECT_EQ(sum, 160.0);
      else
        EXPECT_LT(std::abs(sum), 4 * std::sqrt(160.0));
    }
}

TEST(Elementals, OfMesonsAreTheirFormulaWithTheSameBitsOnEveryGrid) {
  const Extents extents{4, 2, 4, 4};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const reference::Lattice lattice{extents};
  reference::Generator generator(74);
  const reference::GaugeField gauge = reference::random_gauge(lattice, generator);
  const Batch vectors = reference::random_spinors(lattice, 2, generator);
  const SpaceSigns signs{-1, 1, 1};
  const int count = 7;
  for (const auto& [word, n] : std::vector<std::pair<std::string, Momentum>>{
           {"", {0, 0, 0}}, {"", {1, 0, -1}}, {"x", {0, 0, 0}}, {"zx", {2, 1, 1}}}) {
    SCOPED_TRACE(word);
    const Batch right = differentiated(gauge, vectors, word, signs);
    Numbers expected(static_cast<std::size_t>(extents[3] * count * count));
    for (int site = 0; site < lattice.volume(); ++site)
      for (int i = 0; i < count; ++i)
        for (int j = 0; j < count; ++j)
          for (std::size_t c = 0; c < 3; ++c)
            expected[static_cast<std::size_t>((lattice.coordinates(site)[3] * count + i) * count + j)] +=
                wave(lattice, n, site) * std::conj(vector_at(vectors, i, site)[c]) *
                vector_at(right, j, site)[c];
    test::for_all_geometries(
        extents,
        test::same_as_alone(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
          const SharedLattice shared = test::lattice_on(grid, g, location);
          const SliceModes modes = modes_on(vectors, count, g, location);
          std::optional<QuarkDerivative> derivative;
          if (!word.empty())
            derivative.emplace(shared, test::to_plaq(gauge, g, wide, location), LinkSmearing{}, signs, word);
          const Numbers found = meson_elemental(shared, modes, derivative ? &*derivative : nullptr, n);
          EXPECT_LT(largest_difference(found, expected), 1e-12);
          EXPECT_TRUE(meson_elemental(shared, modes, nullptr, n, false).empty());
          return found;
        }));
  }
}

TEST(Elementals, OfBaryonsAreTheirFormulaWithTheSameBitsOnEveryGrid) {
  const Extents extents{4, 2, 4, 4};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const reference::Lattice lattice{extents};
  reference::Generator generator(75);
  for (const int count : {9, 2}) {
    const Batch vectors = reference::random_spinors(lattice, 3, generator);
    const Momentum n{1, 0, -1};
    Numbers expected(static_cast<std::size_t>(extents[3] * count * count * count));
    for (int site = 0; site < lattice.volume(); ++site)
      for (int i = 0; i < count; ++i)
        for (int j = 0; j < count; ++j)
          for (int k = 0; k < count; ++k)
            for (std::size_t a = 0; a < 3; ++a) {
              const std::size_t b = (a + 1) % 3, c = (a + 2) % 3;
              const auto &left = vector_at(vectors, j, site), &right = vector_at(vectors, k, site);
              expected[static_cast<std::size_t>(
                  ((lattice.coordinates(site)[3] * count + i) * count + j) * count + k)] +=
                  wave(lattice, n, site) * vector_at(vectors, i, site)[a] *
                  (left[b] * right[c] - left[c] * right[b]);
            }
    test::for_all_geometries(
        extents,
        test::same_as_alone(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
          const Numbers found =
              baryon_elemental(test::lattice_on(grid, g, location), modes_on(vectors, count, g, location), n);
          EXPECT_LT(largest_difference(found, expected), 1e-11);
          return found;
        }));
  }
}

}  // namespace
}  // namespace plaq::distillation_test
