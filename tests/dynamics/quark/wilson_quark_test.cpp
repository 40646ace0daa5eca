// Solves of sea quarks in each precision.
#include "dynamics/quark/wilson_quark.hpp"

#include <cmath>

#include "kernels/dirac/force/pseudofermion.hpp"
#include "solvers/eigen/singular_range.hpp"
#include "tests/dynamics/chain.hpp"

namespace plaq::wilson_quark_test {
namespace {

WilsonParameters clover() { return {.mass = WilsonParameters::mass_of_kappa(0.126), .clover = {1.1, 1.1}}; }

TEST(WilsonQuark, SolvesToTheToleranceInEveryPrecision) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    const test::LatticeAlone alone({4, 6, 4, 8}, location);
    const Field links = alone.weak_links(0.3);
    for (const Precision inner :
         {Precision::half_precision, Precision::single_precision, Precision::double_precision}) {
      for (const int k : {0, 1, 2, 3}) {
        const double twisted_mass = k % 2 == 0 ? 0 : 0.1;
        WilsonParameters parameters = clover();
        parameters.twisted_mass = twisted_mass;
        WilsonQuark quark(alone.lattice, parameters, {.inner_precision = inner}, {},
                          k < 2 ? WilsonQuark::Form::asymmetric : WilsonQuark::Form::symmetric);
        quark.update(links);
        Field b = quark.vector(), x = quark.vector(), back = quark.vector(), turned = quark.vector();
        draw_pseudofermion(b, 5, 8, 20, alone.lattice.queue);
        for (const double mu : {0.0, 0.3}) {
          EXPECT_GT(quark.solve(x, b, mu, 1e-12), 20);
          quark.apply(turned, x, mu, false);  // W^dagger W x, less b
          quark.apply(back, turned, mu, true);
          quark.add(back, -1, b);
          EXPECT_LT(std::sqrt(quark.real_product(back, back) / quark.real_product(b, b)), 1.1e-12)
              << name_of(inner) << ", mu = " << mu << ", twisted mass " << twisted_mass
              << (k < 2 ? "" : ", symmetric");
        }
      }
    }
  }
}

TEST(WilsonQuark, SolvesShiftsToTheTolerance) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    const test::LatticeAlone alone({4, 6, 4, 8}, location);
    const Field links = alone.weak_links(0.3);
    const std::vector<double> shifts{1e-4, 0.02, 0.5, 30};
    for (const Precision inner :
         {Precision::half_precision, Precision::single_precision, Precision::double_precision}) {
      WilsonQuark quark(alone.lattice, clover(), {.inner_precision = inner});
      quark.update(links);
      Field b = quark.vector(), back = quark.vector(), turned = quark.vector();
      draw_pseudofermion(b, 5, 8, 20, alone.lattice.queue);
      std::vector<Field> x;
      for (std::size_t i = 0; i < shifts.size(); ++i) x.push_back(quark.vector());
      const auto iterations = quark.solve_shifts(x, b, shifts, 1e-11);
      EXPECT_GT(iterations, 20);
      EXPECT_LT(iterations, 1000);
      for (std::size_t i = 0; i < shifts.size(); ++i) {
        const double mu = std::sqrt(shifts[i]);
        quark.apply(turned, x[i], mu, false);
        quark.apply(back, turned, mu, true);
        quark.add(back, -1, b);
        EXPECT_LT(std::sqrt(quark.real_product(back, back) / quark.real_product(b, b)), 1.1e-11)
            << name_of(inner) << ", shift " << shifts[i];
      }
    }
  }
}

// Measured bounds, in single precision with inner precisions below double, hold the spectrum within 1%.
TEST(WilsonQuark, MeasuresItsSpectrumOnTheSafeSide) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    const test::LatticeAlone alone({4, 2, 6, 4}, location);
    for (const double disorder : {0.1, 0.3, 0.6}) {
      const Field links = alone.weak_links(disorder);
      const auto hopping =
          std::make_shared<WilsonHopping>(alone.grid, links, clover(), Precision::double_precision,
                                          alone.lattice.queue, alone.lattice.transport);
      WilsonSchur schur(hopping, 0, WilsonSchur::Form::asymmetric, 1,
                        make_clover_blocks(alone.grid, links, *hopping, CloverNeed::schur_asymmetric, 0));
      Field start(alone.geometry, schur.spec(1));
      draw_pseudofermion(start, 5, 8, 20, alone.lattice.queue);
      const auto exact = singular_range(schur, alone.grid, start, {.accuracy = 1e-7});
      ASSERT_TRUE(exact.converged());
      for (const Precision inner :
           {Precision::half_precision, Precision::single_precision, Precision::double_precision}) {
        SCOPED_TRACE(testing::Message() << "disorder " << disorder << ", " << name_of(inner));
        WilsonQuark quark(alone.lattice, clover(), {.inner_precision = inner});
        quark.update(links);
        const auto [low, high] = quark.spectral_range();
        const double smallest = exact.smallest * exact.smallest, largest = exact.largest * exact.largest;
        EXPECT_LE(low, smallest);
        EXPECT_GE(low, 0.985 * smallest);
        EXPECT_GE(high, largest * (1 - 1e-7));
        EXPECT_LE(high, 1.01 * largest);
      }
    }
  }
}

// Links in single precision are made when shifts need them.
TEST(WilsonQuark, SharesCopiesWithQuarksOnOtherLinks) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const test::LatticeAlone alone({4, 4, 4, 4});
  const Field links = alone.weak_links(0.3), others = alone.weak_links(0.5, 4);
  const MdSolverSettings settings{.inner_precision = Precision::half_precision};
  const QuarkLinks shared{.copies = std::make_shared<LinkCopies>(alone.lattice)};
  WilsonQuark own(alone.lattice, clover(), settings), quark(alone.lattice, clover(), settings, shared),
      other(alone.lattice, clover(), settings, shared);
  own.update(links);
  quark.update(links);
  other.update(others);
  quark.update(links);
  Field b = own.vector();
  draw_pseudofermion(b, 5, 8, 20, alone.lattice.queue);
  std::vector<Field> x, y;
  x.push_back(own.vector());
  y.push_back(own.vector());
  EXPECT_EQ(quark.solve_shifts(y, b, {0.1}, 1e-8), own.solve_shifts(x, b, {0.1}, 1e-8));
  own.add(y[0], -1, x[0]);
  EXPECT_EQ(own.real_product(y[0], y[0]), 0);
}

TEST(WilsonQuark, ASolveThatIsTooLongIsAFailure) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const test::LatticeAlone alone({4, 4, 4, 4});
  WilsonQuark quark(alone.lattice, clover(), {.max_iterations = 5});
  quark.update(alone.weak_links(0.3));
  Field b = quark.vector(), x = quark.vector();
  draw_pseudofermion(b, 5, 8, 20, alone.lattice.queue);
  try {
    quark.solve(x, b, 0, 1e-12);
    ADD_FAILURE() << "no failure";
  } catch (const MdFailure& failure) {
    EXPECT_NE(std::string(failure.what()).find("after 5 iterations"), std::string::npos) << failure.what();
  }
}

}  // namespace
}  // namespace plaq::wilson_quark_test
