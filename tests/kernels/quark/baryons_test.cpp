// Baryons against all Wick contractions index by index, from three different quarks, on every process grid
// and location; flavour symmetry; the free theory.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "core/system/error.hpp"
#include "kernels/quark/baryons.hpp"
#include "tests/kernels/quark/correlators.hpp"
#include "tests/reference/baryons.hpp"
#include "tests/reference/gamma.hpp"

namespace plaq {
namespace {

using reference::BaryonSum;
using reference::Interpolator;
using reference::SpinMatrix;
using test::propagator_field;
using Spins = std::vector<SpinMatrix>;  // [t]

const SpinMatrix unit = SpinMatrix::unit();

// The baryons again, from the reference's matrices.
std::map<std::string, std::vector<BaryonSum>> reference_baryons() {
  using reference::gamma;
  const SpinMatrix c = gamma(3) * gamma(1), g5 = reference::gamma5();
  const double six = 1 / std::sqrt(6.0), three = 1 / std::sqrt(3.0);
  const Interpolator chi_1{c * g5, unit, {{1, {0, 1, 0}}}}, chi_2{c, g5, {{1, {0, 1, 0}}}},
      lambda{c * g5, unit, {{2 * six, {0, 1, 2}}, {six, {0, 2, 1}}, {-six, {1, 2, 0}}}},
      singlet{c * g5, unit, {{three, {0, 1, 2}}, {-three, {0, 2, 1}}, {three, {1, 2, 0}}}};
  std::map<std::string, std::vector<BaryonSum>> all{
      {"proton", {{unit, chi_1, chi_1}}},    {"proton_12", {{unit, chi_1, chi_2}}},
      {"proton_21", {{unit, chi_2, chi_1}}}, {"proton_22", {{unit, chi_2, chi_2}}},
      {"lambda", {{unit, lambda, lambda}}},  {"lambda_singlet", {{unit, singlet, singlet}}},
      {"octet", {{unit, chi_1, chi_1}}}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const SpinMatrix half = reference::Complex(1.0 / 3) * (gamma(i) * gamma(j)),
                       three_halves = (i == j ? unit : SpinMatrix()) - half;
      const Interpolator to{c * gamma(j), unit, {{1, {0, 0, 0}}}}, from{c * gamma(i), unit, {{1, {0, 0, 0}}}};
      const auto two_masses = [&](int k) {
        return Interpolator{c * gamma(k), unit, {{2 * three, {0, 1, 0}}, {three, {0, 0, 1}}}};
      };
      all["delta"].push_back({three_halves, to, from});
      all["delta_half"].push_back({half, to, from});
      all["decuplet"].push_back({three_halves, two_masses(j), two_masses(i)});
    }
  return all;
}

std::vector<Baryon> all_baryons() {
  std::vector<Baryon> all = baryons();
  all.push_back(octet_baryon());
  all.push_back(decuplet_baryon());
  return all;
}

double largest(const Spins& c) {
  double most = 0;
  for (const SpinMatrix& x : c)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) most = std::max(most, std::abs(x(i, j)));
  return most;
}

// `found`: of one baryon, [channel][momentum][t].
void expect_spins(const Correlators& found, std::size_t first, std::size_t p, const Spins& expected) {
  const double scale = largest(expected);
  ASSERT_GT(scale, 0);
  for (std::size_t t = 0; t < expected.size(); ++t) {
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        EXPECT_LT(std::abs(found[first + 2 + static_cast<std::size_t>(4 * i + j)][p][t] - expected[t](i, j)),
                  1e-12 * scale)
            << "t " << t << " spins " << i << " " << j;
    for (std::size_t k = 0; k < 2; ++k) {
      const SpinMatrix projector =
          reference::Complex(0.5) * (unit + reference::Complex(k == 0 ? 1.0 : -1.0) * reference::gamma(3));
      EXPECT_LT(std::abs(found[first + k][p][t] - trace(projector * expected[t])), 1e-12 * scale)
          << "t " << t;
    }
  }
}

TEST(Baryons, MatchAllContractions) {
  const Extents extents{2, 2, 4, 4};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const reference::Lattice lattice{extents};
  reference::Generator generator(61);
  std::array<reference::Propagator, 3> quarks;
  for (auto& quark : quarks) quark = reference::random_propagator(lattice, generator);
  const auto source = lattice.coordinates(lattice.volume() * 5 / 7);
  const std::vector<Momentum> momenta{{1, 2, -1}};
  const auto theirs = reference_baryons();
  const auto ours = all_baryons();
  ASSERT_EQ(ours.size(), theirs.size());
  const auto expected = test::from_first_rank([&] {
    std::vector<std::vector<Spins>> all;  // [baryon][momentum]
    for (const Baryon& one : ours) {
      all.emplace_back();
      for (const auto& n : momenta)
        all.back().push_back(reference::baryon(lattice, {&quarks[0], &quarks[1], &quarks[2]},
                                               theirs.at(one.name), n, source, -1));
    }
    return all;
  });
  const auto contract = [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    std::array<Field, 3> f;
    for (std::size_t i = 0; i < 3; ++i) f[i] = propagator_field(quarks[i], g, location);
    BaryonContraction contraction(grid, g, ours, true, momenta, Queue(location));
    const Correlators c = contraction(f[0], f[1], f[2], source, -1);
    const auto channels = static_cast<std::size_t>(contraction.channels());
    EXPECT_EQ(c.size(), channels * ours.size());
    for (std::size_t i = 0; i < ours.size(); ++i) {
      SCOPED_TRACE(ours[i].name);
      for (std::size_t p = 0; p < momenta.size(); ++p) expect_spins(c, i * channels, p, expected[i][p]);
    }
    // Without the matrices the traces have the same bits.
    BaryonContraction traces(grid, g, {ours[4], ours[6]}, false, momenta, Queue(location));
    const Correlators alone = traces(f[0], f[1], f[2], source, -1);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(alone[k], c[4 * channels + k]);
      EXPECT_EQ(alone[2 + k], c[6 * channels + k]);
    }
    return c;
  };
  test::for_all_geometries(extents, test::same_as_alone(extents, contract));
}

// For u = d = s the octet's lambda is the proton and two-mass decuplets are the delta on each gauge field,
// while the singlet is another baryon. The proton is that of the kernel that has it alone.
TEST(Baryons, HaveFlavourSymmetry) {
  const Extents extents{2, 2, 4, 4};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const reference::Lattice lattice{extents};
  reference::Generator generator(62);
  const auto quark = reference::random_propagator(lattice, generator);
  const Extents source{1, 0, 1, 2};
  test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    const Field s = propagator_field(quark, g, location), copy_of_s = propagator_field(quark, g, location);
    const auto ours = all_baryons();
    BaryonContraction contraction(grid, g, ours, false, {{1, 0, 0}}, Queue(location));
    std::map<std::string, std::vector<std::complex<double>>> c;
    const Correlators found = contraction(s, source, -1);
    for (std::size_t i = 0; i < ours.size(); ++i)
      for (std::size_t k = 0; k < 2; ++k) c[ours[i].name + (k == 0 ? "" : "_minus")] = found[2 * i + k][0];
    ProtonContraction alone(grid, g, {{1, 0, 0}}, Queue(location));
    const Correlators proton = alone(s, source, -1);
    // Equal quarks that are not known to be the same object.
    const Correlators copies = contraction(s, copy_of_s, s, source, -1);
    for (const std::string parity : {"", "_minus"}) {
      const auto near = [&](const std::vector<std::complex<double>>& a,
                            const std::vector<std::complex<double>>& b) {
        double difference = 0, most = 0;
        for (std::size_t t = 0; t < a.size(); ++t) {
          difference = std::max(difference, std::abs(a[t] - b[t]));
          most = std::max(most, std::abs(b[t]));
        }
        return difference < 1e-12 * most;
      };
      EXPECT_TRUE(near(c["lambda" + parity], c["proton" + parity])) << parity;
      EXPECT_TRUE(near(c["octet" + parity], c["proton" + parity])) << parity;
      EXPECT_TRUE(near(c["decuplet" + parity], c["delta" + parity])) << parity;
      EXPECT_FALSE(near(c["lambda_singlet" + parity], c["proton" + parity])) << parity;
      EXPECT_TRUE(near(c["proton" + parity], proton[parity.empty() ? 0 : 1][0])) << parity;
    }
    for (std::size_t i = 0; i < found.size(); ++i)
      for (std::size_t t = 0; t < 4; ++t)
        EXPECT_LT(std::abs(found[i][0][t] - copies[i][0][t]), 1e-11 * std::abs(found[0][0][t])) << i;
  });
}

// On unit links: parity, time reversal, and rotations, which leave of a projected delta 1 and gamma_t alone.
TEST(Baryons, FreeOnesHaveTheirSymmetries) {
  const Extents extents{4, 4, 4, 8};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const reference::Lattice lattice{extents};
  reference::WilsonParameters parameters;
  parameters.mass = 0.5;
  const Extents source{1, 0, 2, 5};
  const auto quark = test::from_first_rank([&] {
    return reference::propagator(parameters, reference::unit_gauge(lattice), lattice.index(source));
  });
  const auto ours = baryons();
  test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    if (g->decomposition().forced != 0) return;
    BaryonContraction contraction(grid, g, ours, true, {{0, 0, 0}}, Queue(location));
    const Correlators c = contraction(propagator_field(quark, g, location), source, -1);
    for (std::size_t i = 0; i < ours.size(); ++i) {
      SCOPED_TRACE(ours[i].name);
      const auto x = [&](int row, int column, std::size_t t) {
        return c[18 * i + 2 + static_cast<std::size_t>(4 * row + column)][0][t];
      };
      const bool one_operator = ours[i].name != "proton_12" && ours[i].name != "proton_21";
      for (std::size_t t = 1; t < 8; ++t) {
        const auto plus = c[18 * i][0][t], minus = c[18 * i + 1][0][t], back = c[18 * i + 1][0][8 - t];
        const double scale = std::abs(plus) + std::abs(minus);
        EXPECT_LT(std::abs(plus + back), 1e-9 * scale) << "t " << t;
        if (one_operator && t < 4) {
          EXPECT_GT(plus.real(), 0) << "t " << t;
          EXPECT_LT(minus.real(), 0) << "t " << t;
        }
        for (int row = 0; row < 4; ++row)
          for (int column = 0; column < 4; ++column) {
            const auto like = row == column ? x(0, 0, t) : row == (column ^ 2) ? x(0, 2, t) : 0.0;
            EXPECT_LT(std::abs(x(row, column, t) - like), 1e-9 * scale) << "t " << t;
          }
      }
    }
  });
}

TEST(Baryons, HaveNames) {
  EXPECT_EQ(baryon("delta").products.size(), 9u);
  EXPECT_THROW(baryon("pentaquark"), Error);
  // One slot for three equal quarks: 2 tr(M) Q + 4 Q M, the six contractions.
  const auto terms = baryon_terms(baryon("delta").products[0], {0, 0, 0});
  ASSERT_EQ(terms.size(), 1u);
  EXPECT_NEAR(terms[0].joined_weight / terms[0].separate_weight, 2, 1e-15);
}

}  // namespace
}  // namespace plaq
