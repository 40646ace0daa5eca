// Solves, the spectrum and the determinant of staggered sea quarks against plain formulas.
#include "dynamics/quark/staggered_quark.hpp"

#include <cmath>
#include <map>

#include "kernels/dirac/force/pseudofermion.hpp"
#include "tests/dynamics/chain.hpp"
#include "tests/reference/dense.hpp"
#include "tests/reference/staggered.hpp"

namespace plaq::staggered_quark_test {
namespace {

using test::LatticeAlone;
using test::to_plaq;
constexpr auto wide = Precision::double_precision;

const StaggeredParameters quarks{.mass = 0.08, .boundary = {1, -1, 1, -1}};

reference::StaggeredParameters same(const StaggeredParameters& p) {
  return {.mass = p.mass, .boundary = p.boundary};
}

// A by its formula: (m - D/2)(m + D/2) on even sites.
reference::ColorField times_a(const reference::GaugeField& gauge, const reference::ColorField& in) {
  const reference::StaggeredLinks links{gauge, gauge};
  return staggered(same(quarks), links, staggered(same(quarks), links, in), true);
}

// In any precision of iterations, to the true residual.
TEST(StaggeredQuark, SolvesShiftsToTheTolerance) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    const LatticeAlone alone({4, 2, 6, 8}, location);
    reference::Generator generator(3);
    const auto gauge = reference::weak_gauge({alone.geometry->global()}, generator, 0.3);
    const Field links = to_plaq(gauge, alone.geometry, wide, location);
    const std::vector<double> shifts{0.5, 1e-4, 0.02, 30};
    constexpr int count = 2;
    std::vector<reference::ColorField> sources;
    for (int k = 0; k < count; ++k)
      sources.push_back(reference::random_colors({alone.geometry->global()}, generator));
    const Field b = to_plaq(sources, alone.geometry, Subset::even, wide, location);
    const auto even = test::to_reference<reference::ColorField>(b);  // 0 on odd sites
    std::map<std::optional<Precision>, std::int64_t> iterations;
    for (const std::optional<Precision> inner :
         {std::optional<Precision>(), std::optional(Precision::half_precision),
          std::optional(Precision::single_precision), std::optional(wide)}) {
      SCOPED_TRACE(inner ? name_of(*inner) : "auto");
      StaggeredQuark quark(alone.lattice, quarks, {.inner_precision = inner});
      quark.update(links);
      std::vector<Field> x;
      for (std::size_t i = 0; i < shifts.size(); ++i) x.push_back(quark.vector(count));
      iterations[inner] = quark.solve_shifts(x, b, shifts, 1e-11);
      for (std::size_t i = 0; i < shifts.size(); ++i) {
        const auto found = test::to_reference<reference::ColorField>(x[i]);
        for (std::size_t k = 0; k < count; ++k) {
          auto left = times_a(gauge, found[k]);
          reference::add(left, shifts[i], found[k]);
          reference::add(left, -1, even[k]);
          EXPECT_LT(std::sqrt(reference::dot(left, left).real() / reference::dot(even[k], even[k]).real()),
                    1.1e-11)
              << "shift " << shifts[i];
        }
      }
    }
    // Shifts share their iterations in double precision; the last ones of each are its own otherwise.
    EXPECT_GT(iterations.at(wide), 20);
    EXPECT_LT(iterations.at(wide), 1000);
    for (const Precision inner : {Precision::half_precision, Precision::single_precision}) {
      EXPECT_GT(iterations.at(inner), iterations.at(wide));
      EXPECT_LT(iterations.at(inner), 8 * iterations.at(wide));
    }
    EXPECT_EQ(iterations.at(std::nullopt),
              iterations.at(location == Location::device ? Precision::half_precision
                                                         : Precision::single_precision));
  }
}

// A of another mass is A + m'^2 - m^2.
TEST(StaggeredQuark, HasOtherMassesAsShifts) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 2, 6, 4});
  const Field links = alone.weak_links(0.3);
  StaggeredParameters heavier = quarks;
  heavier.mass = 0.5;
  StaggeredQuark light(alone.lattice, quarks, {}), heavy(alone.lattice, heavier, {});
  light.update(links);
  heavy.update(links);
  Field b = light.vector();
  draw_pseudofermion(b, 5, 8, 20, alone.lattice.queue);
  std::vector<Field> x{light.vector()}, y{light.vector()};
  light.solve_shifts(x, b, {heavier.mass * heavier.mass - quarks.mass * quarks.mass}, 1e-13);
  heavy.solve_shifts(y, b, {0}, 1e-13);
  light.add(x[0], -1, y[0]);
  EXPECT_LT(light.real_product(x[0], x[0]) / light.real_product(y[0], y[0]), 1e-24);
}

// On unit links the eigenvalues are m^2 + sum of sin^2 p_mu.
TEST(StaggeredQuark, MeasuresTheLargestEigenvalue) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    const LatticeAlone alone({4, 2, 4, 8}, location);  // the largest sin p: 1, 1 (antiperiodic), 1, cos(pi/8)
    StaggeredQuark quark(alone.lattice, quarks, {});
    quark.update(alone.weak_links(0));
    const double m2 = quarks.mass * quarks.mass, highest = m2 + 3 + std::pow(std::cos(std::acos(-1) / 8), 2);
    const SpectralRange range = quark.spectral_range();
    EXPECT_EQ(range.low, m2);
    EXPECT_EQ(quark.least_eigenvalue(), m2);
    EXPECT_GT(range.high, highest * (1 - 1e-3));
    EXPECT_LT(range.high, highest * (1 + 2e-3));
  }
}

// A on even sites and M on all sites, as matrices.
TEST(StaggeredQuark, HasTheDeterminantOfFourTastes) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const reference::Lattice lattice{{2, 2, 2, 2}};
  reference::Generator generator(5);
  const auto gauge = reference::random_gauge(lattice, generator);
  const reference::StaggeredLinks links{gauge, gauge};
  const auto log_determinant = [&](bool even_alone, const auto& apply) {
    std::vector<int> places;
    for (int site = 0; site < lattice.volume(); ++site)
      for (int c = 0; c < 3; ++c)
        if (!even_alone || lattice.parity(site) == 0) places.push_back(3 * site + c);
    const int size = static_cast<int>(places.size());
    reference::Dense<reference::Complex> matrix(size);
    for (int j = 0; j < size; ++j) {
      reference::ColorField unit(static_cast<std::size_t>(lattice.volume()));
      unit[static_cast<std::size_t>(places[static_cast<std::size_t>(j)] / 3)]
          [static_cast<std::size_t>(places[static_cast<std::size_t>(j)] % 3)] = 1;
      const auto column = apply(unit);
      for (int i = 0; i < size; ++i) {
        const int place = places[static_cast<std::size_t>(i)];
        matrix(i, j) = column[static_cast<std::size_t>(place / 3)][static_cast<std::size_t>(place % 3)];
      }
    }
    double log = 0;  // by elimination
    for (int k = 0; k < size; ++k) {
      log += std::log(std::abs(matrix(k, k)));
      for (int i = k + 1; i < size; ++i) {
        const auto factor = matrix(i, k) / matrix(k, k);
        for (int j = k; j < size; ++j) matrix(i, j) -= factor * matrix(k, j);
      }
    }
    return log;
  };
  const double of_m = log_determinant(false, [&](const auto&v) { return staggered(same(quarks), links, v); }),
               of_a = log_determinant(true, [&](const auto&v) { return times_a(gauge, v); });
  EXPECT_NEAR(of_a / of_m, 1, 1e-10);
}

TEST(StaggeredQuark, ASolveThatIsTooLongIsAFailure) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 4, 4, 4});
  StaggeredQuark quark(alone.lattice, quarks, {.max_iterations = 5});
  quark.update(alone.weak_links(0.3));
  Field b = quark.vector();
  draw_pseudofermion(b, 5, 8, 20, alone.lattice.queue);
  std::vector<Field> x{quark.vector()};
  try {
    quark.solve_shifts(x, b, {1e-3}, 1e-12);
    ADD_FAILURE() << "no failure";
  } catch (const MdFailure& failure) {
    EXPECT_NE(std::string(failure.what()).find("for m = 0.08, shift 0.001: "), std::string::npos)
        << failure.what();
  }
}

TEST(StaggeredQuark, RefusesAMassOfZero) {
  const LatticeAlone alone({2, 2, 2, 2});
  EXPECT_THROW(StaggeredQuark(alone.lattice, {.mass = 0}, {}), Error);
}

// Color vectors of the draw have the variance of spinors: <|eta_k|^2> = 1.
TEST(StaggeredQuark, DrawsNormalColorVectors) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    const LatticeAlone alone({8, 8, 8, 8}, location);
    StaggeredQuark quark(alone.lattice, quarks, {});
    Field eta = quark.vector(), other = quark.vector();
    draw_pseudofermion(eta, 5, 8, 20, alone.lattice.queue);
    draw_pseudofermion(other, 5, 8, 21, alone.lattice.queue);
    const double numbers = 3 * 8 * 8 * 8 * 4;
    EXPECT_NEAR(quark.real_product(eta, eta) / numbers, 1, 5 / std::sqrt(numbers));
    EXPECT_NEAR(quark.real_product(eta, other) / numbers, 0, 5 / std::sqrt(2 * numbers));
  }
}

}  // namespace
}  // namespace plaq::staggered_quark_test
