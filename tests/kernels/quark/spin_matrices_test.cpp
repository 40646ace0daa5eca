// Matrices of spins and diluted noise, each against its formula on every process
// grid; momenta of antiperiodic fields.
#include "kernels/quark/spin_matrices.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "kernels/quark/noise_dilution.hpp"
#include "tests/reference/correlators.hpp"
#include "tests/reference/gamma.hpp"
#include "tests/reference/staggered.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/same_as_alone.hpp"
#include "tests/support/world.hpp"

namespace plaq::spin_matrices_test {
namespace {

using reference::Complex;
using reference::SpinMatrix;
constexpr auto in_double = Precision::double_precision;
const Extents extents{4, 2, 4, 8};

// exp(-i p (x - origin)) in space, p = 2 pi (n + half/2) / L.
Complex phase(const Extents& x, const Momentum& n, const std::array<int, 3>& half, const Extents& origin) {
  double angle = 0;
  for (std::size_t mu = 0; mu < 3; ++mu)
    angle -= 2 * std::numbers::pi * (n[mu] + 0.5 * half[mu]) * (x[mu] - origin[mu]) / extents[mu];
  return {std::cos(angle), std::sin(angle)};
}

const std::vector<Momentum> momenta = {{0, 0, 0}, {1, 0, -1}, {-2, 1, 1}};

TEST(SpinMatrices, AreTheirFormula) {
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const reference::Lattice lattice{extents};
  reference::Generator generator(3);
  std::vector<reference::SpinorField> phi, eta;
  for (int k = 0; k < 5; ++k) {
    phi.push_back(reference::random_spinor(lattice, generator));
    eta.push_back(reference::random_spinor(lattice, generator));
  }
  const Extents source{1, 0, 0, 3};
  const std::array<int, 3> half{0, 1, 1};
  const auto expected = [&](const SpinMatrix& gamma, std::size_t p, int t) {
    Complex sum = 0;
    for (int site = 0; site < lattice.volume(); ++site) {
      if (lattice.slices_from(source, site) != t) continue;
      Complex here = 0;
      for (std::size_t k = 1; k < 4; ++k)
        for (int a = 0; a < 4; ++a)
          for (int b = 0; b < 4; ++b)
            for (std::size_t i = 0; i < 3; ++i)
              here += std::conj(eta[k][site][a][i]) * gamma(a, b) * phi[k][site][b][i];
      sum += phase(lattice.coordinates(site), momenta[p], half, source) * here;
    }
    return sum;
  };
  const SpinMatrix one = SpinMatrix::unit(), g5 = reference::gamma5();
  const std::vector<std::pair<GammaMatrix, SpinMatrix>> gammas = {
      {unit_gamma(), one},
      {gamma5(), g5},
      {gamma(1), reference::gamma(1)},
      {gamma(0) * gamma5(), reference::gamma(0) * g5},
      {gamma(0) * gamma(3), reference::gamma(0) * reference::gamma(3)}};
  std::vector<Complex> all;
  for (const auto& [ours, theirs] : gammas)
    for (std::size_t p = 0; p < momenta.size(); ++p)
      for (int t = 0; t < extents[3]; ++t) all.push_back(expected(theirs, p, t));
  const auto found = [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    const Queue queue(location);
    const Field x = test::to_plaq(phi, g, Subset::full, in_double, location),
                y = test::to_plaq(eta, g, Subset::full, in_double, location);
    const MomentumProjection project(grid, g, momenta, queue, half);
    SpinMatrices matrices(g, 4, queue);
    matrices.add(x, y, 0, 5);
    matrices.clear();
    matrices.add(x, y, 1, 2);
    matrices.add(x, y, 2, 4);
    const Correlators parts = project(matrices.density(), {1, 0, 0, 3});
    matrices.clear();
    matrices.add(x, y, 1, 4);
    EXPECT_EQ(project(matrices.density(), {1, 0, 0, 3}), parts) << "other bits in other parts";
    std::vector<Complex> values;
    for (const auto& [ours, theirs] : gammas)
      for (const auto& of_momentum : trace_with(ours, parts))
        values.insert(values.end(), of_momentum.begin(), of_momentum.end());
    return values;
  };
  test::for_all_geometries(extents, test::same_as_alone(extents, found));
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto alone = found(self, self.geometry(extents), Location::host);
  ASSERT_EQ(alone.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_LT(std::abs(alone[i] - all[i]), 1e-12 * 300) << i;
}

TEST(SpinMatrices, TracesOfColor) {
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const reference::Lattice lattice{extents};
  reference::Generator generator(4);
  const auto columns = reference::random_propagator(lattice, generator);
  const std::vector<reference::SpinorField> batch(columns.begin(), columns.end());
  std::vector<std::vector<Complex>> expected;  // tr[gamma_x S], [momentum][t]
  for (const Momentum& n : momenta) {
    auto& of_t = expected.emplace_back(static_cast<std::size_t>(extents[3]));
    for (int site = 0; site < lattice.volume(); ++site) {
      const auto s = reference::spin_times_unit(reference::gamma(0)) * reference::at_site(columns, site);
      const auto x = lattice.coordinates(site);
      of_t[x[3]] += phase(x, n, {0, 0, 0}, {0, 0, 0, 0}) * reference::trace(s);
    }
  }
  test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    const Queue queue(location);
    SpinMatrices matrices(g, 4, queue);
    EXPECT_THROW(matrices.density(), Error);
    matrices.set_trace(test::to_plaq(batch, g, Subset::full, in_double, location));
    const MomentumProjection project(grid, g, momenta, queue);
    const auto found = trace_with(gamma(0), project(matrices.density(), {0, 0, 0, 0}));
    for (std::size_t p = 0; p < momenta.size(); ++p)
      for (std::size_t t = 0; t < found[p].size(); ++t)
        EXPECT_LT(std::abs(found[p][t] - expected[p][t]), 1e-12 * 100);
  });
}

TEST(SpinMatrices, OfColorVectors) {
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const reference::Lattice lattice{extents};
  reference::Generator generator(5);
  const std::vector<reference::ColorField> phi = {reference::random_colors(lattice, generator),
                                                  reference::random_colors(lattice, generator)},
                                           eta = {reference::random_colors(lattice, generator),
                                                  reference::random_colors(lattice, generator)};
  std::vector<Complex> expected(static_cast<std::size_t>(extents[3]));
  for (int site = 0; site < lattice.volume(); ++site)
    for (std::size_t k = 0; k < 2; ++k)
      for (std::size_t i = 0; i < 3; ++i)
        expected[lattice.coordinates(site)[3]] += std::conj(eta[k][site][i]) * phi[k][site][i];
  test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    const Queue queue(location);
    SpinMatrices matrices(g, 1, queue);
    const Field x = test::to_plaq(phi, g, Subset::full, in_double, location),
                y = test::to_plaq(eta, g, Subset::full, in_double, location);
    matrices.add(x, y, 0, 1);
    matrices.add(x, y, 1, 2);
    const MomentumProjection project(grid, g, {{0, 0, 0}}, queue);
    const Correlators found = project(matrices.density(), {0, 0, 0, 0});
    ASSERT_EQ(found.size(), 1u);
    for (std::size_t t = 0; t < expected.size(); ++t)
      EXPECT_LT(std::abs(found[0][0][t] - expected[t]), 1e-12 * 100);
  });
}

// Part d of vector v has, where the formula of NoiseDilution says so, the numbers that the whole vector has,
// else 0; the whole vector is that of random_source.
template <class ReferenceField>
void expect_parts(const NoiseDilution& dilution, int spins, Noise noise) {
  const reference::Lattice lattice{extents};
  const int classes = dilution.classes(spins);
  const auto part_of = [&](const reference::Coordinates& x, int spin, int color) {
    int part = x[3] % dilution.time;
    for (const std::size_t mu : {2u, 1u, 0u}) part = part * dilution.space[mu] + x[mu] % dilution.space[mu];
    if (dilution.even_odd) part = 2 * part + (x[0] + x[1] + x[2] + x[3]) % 2;
    if (dilution.spin) part = part * spins + spin;
    return dilution.color ? 3 * part + color : part;
  };
  test::for_all_geometries(extents, [&](const ProcessGrid&, const GeometryPtr& g, Location location) {
    FieldSpec spec = spinor_spec(Subset::full, 2, in_double, location);
    spec.spins = spins;
    Field whole(g, spec);
    random_source(whole, noise, 17, 0);
    spec.subfields = 2 * classes;
    Field all(g, spec);
    diluted_noise_source(all, noise, 17, dilution, 0);
    spec.subfields = 3;
    Field some(g, spec);
    const int first = classes - 2;
    diluted_noise_source(some, noise, 17, dilution, first);
    const Field w = test::on_host(whole), a = test::on_host(all), s = test::on_host(some);
    test::for_stored_sites(*g, [&](int parity, int index, int site) {
      const auto x = lattice.coordinates(site);
      for (int column = 0; column < 2 * classes; ++column)
        for (int c = 0; c < 3 * spins; ++c)
          for (int r = 0; r < 2; ++r) {
            const bool mine = part_of(x, c / 3, c % 3) == column % classes;
            const double expected = mine ? get_real(w, column / classes, parity, index, 2 * c + r) : 0.0;
            const double found = get_real(a, column, parity, index, 2 * c + r);
            ASSERT_EQ(found, expected) << column << " " << c;
            if (column >= first && column < first + 3) {
              ASSERT_EQ(get_real(s, column - first, parity, index, 2 * c + r), found);
            }
          }
    });
  });
}

TEST(DilutedNoise, IsApartAsItsFormulaSays) {
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  NoiseDilution all;
  all.time = 4;
  all.space = {2, 1, 1};
  all.even_odd = all.spin = all.color = true;
  expect_parts<reference::SpinorField>(all, 4, Noise::z4);
  NoiseDilution sites;
  sites.time = 2;
  sites.space = {2, 2, 4};
  expect_parts<reference::SpinorField>(sites, 4, Noise::u1);
  NoiseDilution colors;
  colors.color = colors.even_odd = true;
  expect_parts<reference::ColorField>(colors, 1, Noise::z2);
}

// Bits l of the coordinates, from the text of kernels/quark/noise_dilution.hpp.
unsigned color_of(const reference::Coordinates& x) {
  unsigned color = 0, place = 0;
  for (int level = 0; level < 5; ++level) {
    const int bit = 1 << level, half = bit * 2;
    int odd = 0;
    for (int mu = 0; mu < 4; ++mu) odd += x[mu] % half >= bit;
    color += static_cast<unsigned>(odd % 2) << place++;
    for (int mu = 0; mu < 3; ++mu) color += static_cast<unsigned>(x[mu] % half >= bit) << place++;
  }
  return color;
}

int hadamard(unsigned vector, unsigned color) {
  int sign = 1;
  for (unsigned both = vector & color; both != 0; both /= 2) sign = both % 2 != 0 ? -sign : sign;
  return sign;
}

// Part d of Hadamard vector k has the numbers of part d without probing, times the signs of k.
TEST(DilutedNoise, IsProbedByHadamardVectors) {
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const reference::Lattice lattice{extents};
  NoiseDilution dilution;
  dilution.time = 2;
  dilution.color = true;
  for (const int probing : {2, 16}) {
    NoiseDilution probed = dilution;
    probed.probing = probing;
    ASSERT_EQ(probed.fault(extents), "");
    ASSERT_EQ(probed.classes(4), 6 * probing);
    test::for_all_geometries(extents, [&](const ProcessGrid&, const GeometryPtr& g, Location location) {
      Field plain(g, spinor_spec(Subset::full, 2 * 6, in_double, location)),
          some(g, spinor_spec(Subset::full, 6, in_double, location));
      diluted_noise_source(plain, Noise::u1, 17, dilution, 0);
      const Field p = test::on_host(plain);
      for (const int first : {0, 6, 6 * (probing - 1), 6 * probing, 6 * probing + 3}) {
        diluted_noise_source(some, Noise::u1, 17, probed, first);
        const Field s = test::on_host(some);
        test::for_stored_sites(*g, [&](int parity, int index, int site) {
          for (int column = 0; column < 6; ++column) {
            const int part = first + column, vector = part / (6 * probing), k = part / 6 % probing;
            const int sign = hadamard(static_cast<unsigned>(k), color_of(lattice.coordinates(site)));
            for (int r = 0; r < 24; ++r)
              ASSERT_EQ(get_real(s, column, parity, index, r),
                        sign * get_real(p, 6 * vector + part % 6, parity, index, r))
                  << part << " " << site;
          }
        });
      }
    });
  }
}

// The sum over N vectors is N times 1 for sites of one color modulo N, else 0. Sites of one color are at
// these distances or more, and on 4^4 all 256 vectors tell all sites apart.
TEST(DilutedNoise, HadamardVectorsTellSitesApart) {
  const reference::Lattice lattice{{8, 8, 8, 8}};
  for (const auto& [count, least] : {std::pair{1u, 1}, {2u, 2}, {16u, 2}, {32u, 4}, {256u, 4}, {512u, 8}}) {
    int nearest = 99;
    const unsigned origin = probing_color({0, 0, 0, 0});
    EXPECT_EQ(origin, 0u);
    for (int site = 1; site < lattice.volume(); ++site) {
      const auto x = lattice.coordinates(site);
      ASSERT_EQ(probing_color(x), color_of(x));
      if (probing_color(x) % count != 0) continue;
      int distance = 0;
      for (std::size_t mu = 0; mu < 4; ++mu) distance += std::min(x[mu], 8 - x[mu]);
      nearest = std::min(nearest, distance);
    }
    EXPECT_EQ(nearest, least) << count;
  }
  std::set<unsigned> colors;
  const reference::Lattice small{{4, 4, 4, 4}};
  for (int site = 0; site < small.volume(); ++site)
    colors.insert(probing_color(small.coordinates(site)) % 256);
  EXPECT_EQ(colors.size(), 256u);
}

TEST(DilutedNoise, ProbingFitsTheLattice) {
  NoiseDilution dilution;
  const auto fault = [&](int probing, const Extents& lattice) {
    dilution.probing = probing;
    return dilution.fault(lattice);
  };
  EXPECT_EQ(fault(16, {2, 6, 2, 10}), "");
  EXPECT_EQ(fault(512, {8, 16, 24, 8}), "");
  EXPECT_EQ(fault(3, extents), "probing: 3 is not a power of 2");
  EXPECT_EQ(fault(2, {4, 4, 4, 5}),
            "probing: 2 Hadamard vectors need extents that 2 divides, and that in t is 5");
  EXPECT_EQ(fault(32, {4, 6, 4, 4}),
            "probing: 32 Hadamard vectors need extents that 4 divides, and that in y is 6");
  EXPECT_NE(fault(512, {8, 8, 4, 8}), "");
  dilution.even_odd = true;
  EXPECT_NE(fault(2, extents).find("leave out space and even_odd"), std::string::npos);
  EXPECT_NE(dilution.fault(), "");
  dilution.probing = 1;
  EXPECT_EQ(dilution.fault(), "");
}

TEST(DilutedNoise, FitsTheLattice) {
  NoiseDilution dilution;
  EXPECT_EQ(dilution.classes(4), 1);
  EXPECT_EQ(dilution.fault(extents), "");
  dilution.time = 3;
  EXPECT_NE(dilution.fault(extents).find("3 does not divide the extent 8 in t"), std::string::npos);
  dilution.time = 8;
  dilution.space = {2, 2, 2};
  EXPECT_EQ(dilution.fault(extents), "");
  dilution.even_odd = true;
  EXPECT_NE(dilution.fault(extents).find("even_odd"), std::string::npos);
  dilution.space = {2, 2, 1};
  EXPECT_EQ(dilution.fault(extents), "");
  EXPECT_EQ(dilution.classes(4), 64);
}

// Phases of modulus 1 that average to nothing, nor do their squares.
TEST(DilutedNoise, UniformPhases) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto g = self.geometry(extents);
  Field b(g, spinor_spec(Subset::full, 8, in_double, Location::host));
  random_source(b, Noise::u1, 5);
  Complex sum = 0, squares = 0, fourth = 0;
  int count = 0;
  for (int k = 0; k < 8; ++k)
    for (int parity = 0; parity < 2; ++parity)
      for (int site = 0; site < b.layout().sites; ++site)
        for (int c = 0; c < 12; ++c) {
          const Complex z{get_real(b, k, parity, site, 2 * c), get_real(b, k, parity, site, 2 * c + 1)};
          EXPECT_NEAR(std::abs(z), 1, 1e-15);
          sum += z;
          squares += z * z;
          fourth += z * z * z * z;
          ++count;
        }
  for (const Complex& z : {sum, squares, fourth}) EXPECT_LT(std::abs(z), 5 * std::sqrt(count));
}

}  // namespace
}  // namespace plaq::spin_matrices_test
