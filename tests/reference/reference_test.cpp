// The reference itself, against formulas and against files that other programs wrote.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/reference/bytes.hpp"
#include "tests/reference/clover.hpp"
#include "tests/reference/components.hpp"
#include "tests/reference/correlators.hpp"
#include "tests/reference/flow.hpp"
#include "tests/reference/gamma.hpp"
#include "tests/reference/gauge.hpp"
#include "tests/reference/heatbath_exact.hpp"
#include "tests/reference/lattice.hpp"
#include "tests/reference/nersc.hpp"
#include "tests/reference/solve.hpp"
#include "tests/reference/spinor.hpp"
#include "tests/reference/strong_coupling.hpp"
#include "tests/reference/wilson.hpp"

namespace plaq::reference {
namespace {

const Lattice small{{4, 2, 3, 4}};
const WilsonParameters anisotropic{.mass = 0.1, .xi = 2.4, .nu = 0.9, .boundary = {1, -1, 1, -1}};

TEST(ReferenceLattice, CountsXFastestAndWraps) {
  int site = 0;
  for (int t = 0; t < 4; ++t)
    for (int z = 0; z < 3; ++z)
      for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 4; ++x, ++site) {
          EXPECT_EQ(small.index({x, y, z, t}), site);
          EXPECT_EQ(small.coordinates(site), (Coordinates{x, y, z, t}));
          EXPECT_EQ(small.forward(site, 0), small.index({(x + 1) % 4, y, z, t}));
          EXPECT_EQ(small.backward(site, 2), small.index({x, y, (z + 2) % 3, t}));
          EXPECT_EQ(small.backward(small.forward(site, 3), 3), site);
          EXPECT_EQ(small.wraps_forward(site, 3), t == 3);
          EXPECT_EQ(small.wraps_backward(site, 1), y == 0);
          EXPECT_EQ(small.parity(site), (x + y + z + t) & 1);
        }
  EXPECT_EQ(site, small.volume());
}

TEST(ReferenceGamma, HasTheAlgebraOfAppendixB) {
  const SpinMatrix one = SpinMatrix::unit(), zero{};
  for (int mu = 0; mu < 4; ++mu) {
    EXPECT_EQ(max_difference(dagger(gamma(mu)), gamma(mu)), 0.0);
    EXPECT_EQ(max_difference(gamma5() * gamma(mu) + gamma(mu) * gamma5(), zero), 0.0);
    for (int nu = 0; nu < 4; ++nu) {
      const SpinMatrix anticommutator = gamma(mu) * gamma(nu) + gamma(nu) * gamma(mu);
      EXPECT_EQ(max_difference(anticommutator, mu == nu ? Complex(2.0) * one : zero), 0.0) << mu << nu;
    }
  }
  EXPECT_EQ(max_difference(gamma(0) * gamma(1) * gamma(2) * gamma(3), gamma5()), 0.0);
}

// No correlator of these tests would see a change of basis: one element of P^{+mu} each fixes the signs.
TEST(ReferenceGamma, HasTheSignsOfAppendixB) {
  EXPECT_EQ(gamma(0)(0, 3), Complex(0, 1));
  EXPECT_EQ(gamma(1)(0, 3), Complex(-1, 0));
  EXPECT_EQ(gamma(2)(0, 2), Complex(0, 1));
  EXPECT_EQ(gamma(3)(0, 2), Complex(1, 0));
}

TEST(ReferenceGauge, RandomLinksAreSpecialUnitaryAndHaarDistributed) {
  Generator generator(1);
  const GaugeField gauge = random_gauge({{8, 8, 8, 4}}, generator);
  EXPECT_LT(unitarity_violation(gauge).unitarity, 1e-14);
  EXPECT_LT(unitarity_violation(gauge).determinant, 1e-14);
  double trace2 = 0.0, trace3 = 0.0, links = 0.0;  // Haar: <|tr U|^2> = 1, <(tr U)^3> = 1, <tr U> = 0
  for (const auto& at_site : gauge.link)
    for (const ColorMatrix& u : at_site) {
      trace2 += std::norm(trace(u));
      trace3 += std::pow(trace(u), 3).real();
      links += 1.0;
    }
  EXPECT_NEAR(trace2 / links, 1.0, 5.0 * std::sqrt(1.0 / links));
  EXPECT_NEAR(trace3 / links, 1.0, 5.0 * std::sqrt(3.0 / links));
  EXPECT_NEAR(link_trace(gauge), 0.0, 5.0 * std::sqrt(0.5 / 9.0 / links));
}

TEST(ReferenceGauge, UnitLinksMeasureOne) {
  const GaugeField gauge = unit_gauge(small);
  EXPECT_EQ(average_plaquette(gauge).all, 1.0);
  EXPECT_EQ(link_trace(gauge), 1.0);
  EXPECT_EQ(polyakov_loop(gauge), Complex(1.0));
  EXPECT_EQ(max_difference(staple_sum(gauge, 5, 2), Complex(6.0) * ColorMatrix::unit()), 0.0);
}

TEST(ReferenceGauge, ObservablesDoNotSeeAGaugeTransformation) {
  Generator generator(2);
  const GaugeField gauge = random_gauge(small, generator);
  const GaugeField other = transformed(gauge, random_transformation(small, generator));
  EXPECT_NEAR(average_plaquette(other).all, average_plaquette(gauge).all, 1e-14);
  EXPECT_NEAR(average_plaquette(other).spatial, average_plaquette(gauge).spatial, 1e-14);
  EXPECT_NEAR(average_plaquette(other).temporal, average_plaquette(gauge).temporal, 1e-14);
  EXPECT_LT(std::abs(polyakov_loop(other) - polyakov_loop(gauge)), 1e-14);
  EXPECT_GT(std::abs(link_trace(other) - link_trace(gauge)), 1e-4);
}

TEST(ReferenceGauge, StaplesMakeEveryPlaquetteFourTimes) {
  Generator generator(3);
  const GaugeField gauge = random_gauge(small, generator);
  double sum = 0.0;
  for (int x = 0; x < small.volume(); ++x)
    for (int mu = 0; mu < 4; ++mu) sum += trace(gauge.link[x][mu] * staple_sum(gauge, x, mu)).real() / 3.0;
  EXPECT_NEAR(sum / (4.0 * 6.0 * small.volume()), average_plaquette(gauge).all, 1e-14);
  const PlaquetteAverages plaquettes = average_plaquette(gauge);
  EXPECT_NEAR(plaquettes.all, 0.5 * (plaquettes.spatial + plaquettes.temporal), 1e-15);
}

// Every momentum under every choice of boundary signs; four spins at once through a random amplitude.
TEST(ReferenceWilson, PlaneWavesSeeTheSymbol) {
  Generator generator(4);
  const GaugeField gauge = unit_gauge(small);
  for (int signs = 0; signs < 16; ++signs) {
    WilsonParameters parameters = anisotropic;
    for (int mu = 0; mu < 4; ++mu) parameters.boundary[mu] = (signs >> mu) & 1 ? -1 : 1;
    double worst = 0.0;
    for (int mode = 0; mode < small.volume(); ++mode) {
      const std::array<double, 4> p = momentum(parameters, small, small.coordinates(mode));
      const Spinor amplitude = random_spinor({{1, 1, 1, 1}}, generator)[0];
      SpinorField wave(small.volume());
      for (int x = 0; x < small.volume(); ++x)
        components::add(wave[x], std::polar(1.0, small.angle(p, x)), amplitude);
      const SpinMatrix symbol = wilson_symbol(parameters, p);
      worst = std::max(worst, relative_difference(wilson(parameters, gauge, wave), times(symbol, wave)));
      worst = std::max(
          worst, relative_difference(wilson_dagger(parameters, gauge, wave), times(dagger(symbol), wave)));
    }
    EXPECT_LT(worst, 1e-13) << "boundary " << signs;
  }
}

TEST(ReferenceWilson, IsotropicIsEquationOne) {
  Generator generator(5);
  const GaugeField gauge = random_gauge(small, generator);
  const WilsonParameters parameters{.mass = mass_from_kappa(0.12)};
  EXPECT_NEAR(1.0 / (2.0 * (4.0 + parameters.mass)), 0.12, 1e-15);
  const SpinorField in = random_spinor(small, generator);
  SpinorField expected(in.size());
  add(expected, -0.5, hop(parameters, gauge, in));
  add(expected, 4.0 + parameters.mass, in);
  EXPECT_LT(relative_difference(wilson(parameters, gauge, in), expected), 1e-15);
}

// One column of M written out by hand: the neighbours of a point, with the sign at the edge.
TEST(ReferenceWilson, HopsFromAPoint) {
  Generator generator(6);
  const GaugeField gauge = random_gauge(small, generator);
  const int origin = small.index({0, 0, 0, 0}), before = small.index({0, 0, 0, 3});
  const SpinorField hopped = hop({}, gauge, point_source(small, origin, 1, 2));
  for (int spin = 0; spin < 4; ++spin)
    for (int color = 0; color < 3; ++color) {
      const Complex there = -(SpinMatrix::unit() - gamma(3))(spin, 1) * gauge.link[before][3](color, 2);
      EXPECT_LT(std::abs(hopped[before][spin][color] - there), 1e-15);
      const Complex back =
          (SpinMatrix::unit() + gamma(3))(spin, 1) * std::conj(gauge.link[origin][3](2, color));
      EXPECT_LT(std::abs(hopped[small.forward(origin, 3)][spin][color] - back), 1e-15);
    }
}

// The weights in plain numbers: nu/xi = 0.2 in space, 1 in time.
TEST(ReferenceWilson, WeighsSpaceByNuOverXi) {
  const WilsonParameters parameters{.mass = 0.1, .xi = 2.5, .nu = 0.5, .boundary = {1, 1, 1, 1}};
  const Lattice lattice{{4, 4, 4, 4}};
  const SpinorField column = wilson(parameters, unit_gauge(lattice), point_source(lattice, 0, 0, 0));
  EXPECT_NEAR(std::abs(column[0][0][0] - 1.7), 0.0, 1e-15);  // 0.1 + 1 + 3 0.2
  for (int mu = 0; mu < 4; ++mu) {
    const double expected = mu == 3 ? -0.5 : -0.1;
    EXPECT_NEAR(std::abs(column[lattice.forward(0, mu)][0][0] - expected), 0.0, 1e-15) << mu;
    EXPECT_NEAR(std::abs(column[lattice.backward(0, mu)][0][0] - expected), 0.0, 1e-15) << mu;
  }
}

TEST(ReferenceWilson, DaggerIsTheAdjoint) {
  Generator generator(7);
  const GaugeField gauge = random_gauge(small, generator);
  const SpinorField a = random_spinor(small, generator), b = random_spinor(small, generator);
  const Complex left = dot(a, wilson(anisotropic, gauge, b)),
                right = dot(wilson_dagger(anisotropic, gauge, a), b);
  EXPECT_LT(std::abs(left - right), 1e-13 * std::sqrt(norm_squared(a) * norm_squared(b)));
}

TEST(ReferenceWilson, IsGamma5Hermitian) {
  Generator generator(8);
  const GaugeField gauge = random_gauge(small, generator);
  const SpinorField in = random_spinor(small, generator);
  const SpinorField by_gamma5 = times(gamma5(), wilson(anisotropic, gauge, times(gamma5(), in)));
  EXPECT_LT(relative_difference(wilson_dagger(anisotropic, gauge, in), by_gamma5), 1e-15);
}

TEST(ReferenceWilson, IsGaugeCovariant) {
  Generator generator(9);
  const GaugeField gauge = random_gauge(small, generator);
  const GaugeTransformation g = random_transformation(small, generator);
  const SpinorField in = random_spinor(small, generator);
  EXPECT_LT(relative_difference(wilson(anisotropic, transformed(gauge, g), times(g, in)),
                                times(g, wilson(anisotropic, gauge, in))),
            1e-14);
}

const CloverParameters clover{anisotropic, 0.4, 1.1};

TEST(ReferenceClover, FieldStrengthIsThatOfTheFlowBesidesItsTrace) {
  Generator generator(13);
  const GaugeField gauge = random_gauge(small, generator);
  double largest_trace = 0;
  for (int x = 0; x < small.volume(); ++x)
    for (int nu = 1; nu < 4; ++nu)
      for (int mu = 0; mu < nu; ++mu) {
        const ColorMatrix f = clover_field_strength(gauge, x, mu, nu);
        const ColorMatrix traceless = f - (trace(f) / 3.0) * ColorMatrix::unit();
        EXPECT_LT(max_difference(Complex(0, 1) * traceless, field_strength(gauge, x, mu, nu)), 1e-15);
        EXPECT_EQ(max_difference(f, dagger(f)), 0);
        largest_trace = std::max(largest_trace, std::abs(trace(f)));
      }
  EXPECT_GT(largest_trace, 0.1);
}

TEST(ReferenceClover, TermIsHermitianAndKeepsChirality) {
  Generator generator(14);
  const GaugeField gauge = random_gauge(small, generator);
  for (const auto& a : clover_matrices(clover, gauge)) {
    EXPECT_LT(max_difference(a, dagger(a)), 1e-15);
    EXPECT_NEAR(std::abs(trace(a)), 0, 1e-14);
    for (int i = 0; i < 6; ++i)
      for (int j = 6; j < 12; ++j) EXPECT_EQ(a(i, j), 0.0);
    const auto one = invert(a).inverse * a;
    EXPECT_LT(max_difference(one, Matrix12::unit()), 1e-10);
  }
}

TEST(ReferenceClover, DaggerIsTheAdjointAndGamma5Hermitian) {
  Generator generator(15);
  const GaugeField gauge = random_gauge(small, generator);
  const auto a = clover_matrices(clover, gauge);
  const SpinorField u = random_spinor(small, generator), v = random_spinor(small, generator);
  const SpinorField adjoint = clover_dirac_dagger(clover, gauge, a, u);
  const Complex left = dot(u, clover_dirac_apply(clover, gauge, a, v)), right = dot(adjoint, v);
  EXPECT_LT(std::abs(left - right), 1e-13 * std::sqrt(norm_squared(u) * norm_squared(v)));
  const SpinorField by_gamma5 = times(gamma5(), clover_dirac_apply(clover, gauge, a, times(gamma5(), u)));
  EXPECT_LT(relative_difference(adjoint, by_gamma5), 1e-15);
}

TEST(ReferenceClover, SolveRecoversTheSolution) {
  Generator generator(16);
  const GaugeField gauge = random_gauge(small, generator);
  const auto a = clover_matrices(clover, gauge);
  const SpinorField x = random_spinor(small, generator);
  const SpinorField b = clover_dirac_apply(clover, gauge, a, x);
  EXPECT_LT(relative_difference(solve(clover, gauge, a, b).x, x), 1e-10);
  EXPECT_GT(relative_difference(wilson(clover.wilson, gauge, x), b), 0.05);
}

TEST(ReferenceSolve, ReachesItsToleranceAndRecoversTheSolution) {
  Generator generator(10);
  const GaugeField gauge = random_gauge(small, generator);
  const SpinorField x = random_spinor(small, generator);
  const Solution solution = solve(anisotropic, gauge, wilson(anisotropic, gauge, x));
  EXPECT_LE(solution.residual, 1e-13);
  EXPECT_LT(relative_difference(solution.x, x), 1e-11);
  EXPECT_GT(solution.iterations, 0);
  EXPECT_THROW(solve(anisotropic, gauge, x, 1e-13, 3), std::runtime_error);
}

TEST(ReferenceSolve, FreePionCorrelatorIsTheSumOverMomenta) {
  const Lattice lattice{{2, 2, 2, 6}};
  const WilsonParameters parameters{.mass = 0.3};
  const auto correlator = pion_correlator(lattice, propagator(parameters, unit_gauge(lattice), 0)),
             expected = free_pion(parameters, lattice);
  for (int t = 0; t < 6; ++t) EXPECT_NEAR(correlator[t] / expected[t], 1.0, 1e-12) << t;
}

TEST(ReferenceStrongCoupling, KnowsItsValueAtOneHalf) {
  EXPECT_NEAR(strong_coupling_plaquette(0.5), 0.028932, 5e-7);
}

// I_n(x) by its power series.
double bessel_i(int n, double x) {
  double term = 1.0;
  for (int k = 1; k <= n; ++k) term *= 0.5 * x / k;
  double sum = term;
  for (int k = 1; k < 200; ++k) sum += term *= 0.25 * x * x / (k * (k + n));
  return sum;
}

TEST(ReferenceHeatbath, Su2MomentsAreRatiosOfBesselFunctions) {
  EXPECT_NEAR(Su2OneLink(0.0).mean(), 0.0, 1e-14);
  EXPECT_NEAR(Su2OneLink(0.0).mean_square(), 0.25, 1e-12);
  for (const double alpha : {0.01, 0.5, 2.0, 10.0, 24.0, 25.0, 60.0}) {
    const Su2OneLink link(alpha);
    const double mean = bessel_i(2, alpha) / bessel_i(1, alpha);
    EXPECT_NEAR(link.mean(), mean, 1e-10) << alpha;
    EXPECT_NEAR(link.mean_square(), 1.0 - 3.0 * mean / alpha, 1e-10) << alpha;
  }
}

TEST(ReferenceHeatbath, Su2CumulativeIsTheIntegralOfTheWeight) {
  const Su2OneLink flat(0.0);  // (a0 sqrt(1 - a0^2) + asin(a0)) / pi + 1/2
  EXPECT_NEAR(flat.cumulative(0.3), (0.3 * std::sqrt(0.91) + std::asin(0.3)) / std::numbers::pi + 0.5, 1e-10);
  for (const double alpha : {0.5, 10.0, 60.0}) {
    const Su2OneLink link(alpha);
    EXPECT_EQ(link.cumulative(-1.0), 0.0);
    EXPECT_NEAR(link.cumulative(1.0), 1.0, 1e-14);
    const auto weight = [&](double a0) { return std::sqrt(1.0 - a0 * a0) * std::exp(alpha * (a0 - 1.0)); };
    const double h = 1e-4, a = 0.9, b = 0.8;
    const auto slope = [&](double a0) {
      return (link.cumulative(a0 + h) - link.cumulative(a0 - h)) / (2.0 * h);
    };
    EXPECT_NEAR(slope(a) / slope(b) * weight(b) / weight(a), 1.0, 1e-4) << alpha;
  }
}

// One link with S = 1 is a two-dimensional plaquette: its expansion agrees with that in four dimensions to
// O(beta^4).
TEST(ReferenceHeatbath, Su3OneLinkExpandsAsStrongCoupling) {
  for (const double beta : {0.1, 0.2, 0.4})
    EXPECT_NEAR(su3_one_link(beta, 1.0).mean, strong_coupling_plaquette(beta), std::pow(beta, 5) * 1e-5)
        << beta;
  EXPECT_NEAR(su3_one_link(0.0, 1.0).mean_square, 1.0 / 18.0, 1e-14);
  EXPECT_NEAR(su3_one_link(2.0, 3.0).mean, 3.0 * su3_one_link(6.0, 1.0).mean, 1e-13);
  const double h = 1e-4;  // d<q>/dbeta is the variance
  const double slope = (su3_one_link(6.0 + h, 1.0).mean - su3_one_link(6.0 - h, 1.0).mean) / (2.0 * h);
  EXPECT_NEAR(slope, su3_one_link(6.0, 1.0).variance(), 1e-8);
  EXPECT_NEAR(su3_one_link(200.0, 1.0).mean, 1.0 - 4.0 / 200.0, 1e-3);  // eight Gaussian degrees of freedom
}

// ------------------------------------------------------------------------------------------------ real files

std::string data_file(const std::string& name) {
  const char* folder = std::getenv("PLAQ_DATA_DIR");
  return folder ? std::string(folder) + "/gauge/" + name : std::string();
}

struct KnownFile {
  std::string name;
  std::array<int, 4> extents;
  double plaquette, link_trace, unitarity;
  bool has_checksum;
};
const std::array<KnownFile, 3> known_files{{
    {"lat.sample.l4444.nersc", {4, 4, 4, 4}, 0.594850158, 0.646758737, 1e-6, false},
    {"l4444_coulomb.nersc", {4, 4, 4, 4}, 0.594850159, 0.856127640, 5e-7, true},
    {"purgaug.nersc", {4, 4, 4, 8}, 0.902263119, 0.734640951, 1e-6, true},
}};

TEST(ReferenceNersc, ReadsFilesOfOtherPrograms) {
  if (data_file("").empty()) GTEST_SKIP() << "PLAQ_DATA_DIR is not set";
  for (const KnownFile& known : known_files) {
    SCOPED_TRACE(known.name);
    const NerscFile file = read_nersc(data_file(known.name));
    EXPECT_EQ(file.gauge.lattice.extents, known.extents);
    EXPECT_NEAR(average_plaquette(file.gauge).all, known.plaquette, 6e-10);
    EXPECT_NEAR(link_trace(file.gauge), known.link_trace, 6e-10);
    EXPECT_NEAR(file.header_plaquette(), known.plaquette, 1e-6);
    EXPECT_LT(unitarity_violation(file.gauge).unitarity, known.unitarity);
    EXPECT_LT(unitarity_violation(file.gauge).determinant, known.unitarity);
    if (known.has_checksum) {
      EXPECT_EQ(file.checksum, file.header_checksum());
      EXPECT_NEAR(file.header_link_trace(), known.link_trace, 6e-10);
    } else {
      EXPECT_EQ(file.header_checksum(), 0u);
      EXPECT_EQ(file.header_link_trace(), 0.0);
    }
  }
}

// The two files are one field in two gauges.
TEST(ReferenceSolve, PionCorrelatorDoesNotSeeTheGaugeOfARealField) {
  if (data_file("").empty()) GTEST_SKIP() << "PLAQ_DATA_DIR is not set";
  const WilsonParameters parameters{.mass = mass_from_kappa(0.12)};
  const GaugeField one = read_nersc(data_file("lat.sample.l4444.nersc")).gauge;
  const GaugeField other = read_nersc(data_file("l4444_coulomb.nersc")).gauge;
  const std::vector<double> a = pion_correlator(one.lattice, propagator(parameters, one, 0));
  const std::vector<double> b = pion_correlator(other.lattice, propagator(parameters, other, 0));
  for (int t = 0; t < 4; ++t) EXPECT_NEAR(a[t] / b[t], 1.0, 1e-5) << t;
}

// Files made here, byte by byte, in every encoding.
class ReferenceNerscWrittenHere : public testing::Test {
 protected:
  const Lattice lattice{{2, 2, 2, 2}};
  Generator generator{11};
  const GaugeField gauge = random_gauge(lattice, generator);
  const std::string path = (std::filesystem::temp_directory_path() /
                            ("plaq_reference_" + std::to_string(std::random_device{}()) + ".nersc"))
                               .string();

  void TearDown() override { std::filesystem::remove(path); }

  void write(const std::string& floating_point, bool big_endian, int rows, const std::string& tail = "") {
    std::ofstream out(path, std::ios::binary);
    out << "BEGIN_HEADER\nDATATYPE = " << (rows == 2 ? "4D_SU3_GAUGE" : "4D_SU3_GAUGE_3x3")
        << "\nDIMENSION_1 = 2\nDIMENSION_2 = 2\nDIMENSION_3=2\nDIMENSION_4 =  2 \nCHECKSUM = 00ab\n"
        << "FLOATING_POINT = " << floating_point << "\nEND_HEADER\n";
    std::string bytes;
    for (const auto& links : gauge.link)
      for (const ColorMatrix& u : links)
        append_matrix(bytes, u, floating_point.starts_with("IEEE64") ? 8 : 4, big_endian, rows);
    out << bytes;
    out << tail;
  }

  double distance(const GaugeField& other) const {
    double worst = 0.0;
    for (int x = 0; x < lattice.volume(); ++x)
      for (int mu = 0; mu < 4; ++mu)
        worst = std::max(worst, max_difference(gauge.link[x][mu], other.link[x][mu]));
    return worst;
  }
};

TEST_F(ReferenceNerscWrittenHere, IsReadInEveryEncoding) {
  using Case = std::pair<std::string, bool>;
  for (const auto& [floating_point, big_endian] : {Case{"IEEE32", true},
                                                   {"IEEE32", false},
                                                   {"IEEE32BIG", true},
                                                   {"IEEE32LITTLE", false},
                                                   {"IEEE64BIG", true},
                                                   {"IEEE64LITTLE", false}})
    for (const int rows : {2, 3}) {
      write(floating_point, big_endian, rows);
      const NerscFile file = read_nersc(path);
      const bool wide = floating_point.starts_with("IEEE64");
      EXPECT_LT(distance(file.gauge), wide ? 1e-15 : 2e-7) << floating_point << ' ' << rows;
      EXPECT_EQ(file.header_checksum(), 0xabu);
      EXPECT_EQ(file.header_plaquette(), 0.0);
    }
}

TEST_F(ReferenceNerscWrittenHere, MayEndInOneNewlineAndNothingElse) {
  write("IEEE64BIG", true, 3, "\n");
  EXPECT_EQ(distance(read_nersc(path).gauge), 0.0);
  write("IEEE64BIG", true, 3, "\n\n");
  EXPECT_THROW(read_nersc(path), std::runtime_error);
  write("IEEE64BIG", true, 2);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
  EXPECT_THROW(read_nersc(path), std::runtime_error);
  write("IEEE16", true, 3);
  EXPECT_THROW(read_nersc(path), std::runtime_error);
}

}  // namespace
}  // namespace plaq::reference
