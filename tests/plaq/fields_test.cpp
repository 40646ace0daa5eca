// Fields of the C++ interface: their numbers on the host, sums and products, copies, and errors.
#include <gtest/gtest.h>

#include <type_traits>

#include "tests/plaq/session.hpp"

namespace plaq {
namespace {

const Extents field_extents{4, 2, 4, 8};

// Links in place of a spinor do not compile, nor a spinor in place of a propagator.
static_assert(!std::is_convertible_v<GaugeField, SpinorField> &&
              !std::is_convertible_v<SpinorField, GaugeField>);
static_assert(!std::is_convertible_v<SpinorField, Propagator> &&
              !std::is_convertible_v<ColorMatrixField, GaugeField>);

TEST(Fields, NumbersComeBackAtTheirSites) {
  test::for_all_lattices(field_extents, [](const Lattice& lattice) {
    for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
      const double bound = precision == Precision::double_precision ? 0 : 1e-7;
      SpinorField psi(lattice, {.columns = 3, .precision = precision});
      psi.set(test::numbers_on<SiteSpinor>(lattice, 3));
      const auto back = psi.on_host();
      for (const LocalSite& site : lattice.local_sites())
        for (int column = 0; column < 3; ++column)
          for (int i = 0; i < 12; ++i)
            ASSERT_LE(std::abs(back(column, site.index)(i) - test::number_at(site.x, 100 * column + i)),
                      bound);
    }
    Propagator chi(lattice, 1);
    chi.set(test::numbers_on<ColorMatrix>(lattice));
    const auto matrices = chi.staggered_on_host();
    for (const LocalSite& site : lattice.local_sites())
      for (int i = 0; i < 9; ++i) ASSERT_EQ(matrices[site.index](i / 3, i % 3), test::number_at(site.x, i));
    // Column j of a propagator is its right-hand side j.
    Propagator q(lattice);
    q.set(test::numbers_on<SpinColorMatrix>(lattice));
    const auto column = q.some_columns(5, 1).on_host();
    for (const LocalSite& site : lattice.local_sites())
      ASSERT_EQ(column[site.index](7), test::number_at(site.x, 12 * 7 + 5));
  });
}

TEST(Fields, SumsAndProducts) {
  test::for_all_lattices(field_extents, [](const Lattice& lattice) {
    SpinorField x(lattice, {.columns = 2}), y(lattice, {.columns = 2});
    const auto a = test::numbers_on<SiteSpinor>(lattice, 2);
    x.set(a);
    const std::complex<double> factor(0.5, -2);
    y = factor * x;
    add(y, {0, 1}, x);
    y -= 2.0 * x;
    const std::complex<double> expected = factor + std::complex<double>(0, 1) - 2.0;
    const auto b = y.on_host();
    double norm = 0;
    for (const LocalSite& site : lattice.local_sites())
      for (int i = 0; i < 12; ++i)
        ASSERT_LT(std::abs(b(1, site.index)(i) - expected * a(1, site.index)(i)), 1e-14);
    // Extents of the whole lattice, on every rank.
    Extents s{};
    for (s[3] = 0; s[3] < field_extents[3]; ++s[3])
      for (s[2] = 0; s[2] < field_extents[2]; ++s[2])
        for (s[1] = 0; s[1] < field_extents[1]; ++s[1])
          for (s[0] = 0; s[0] < field_extents[0]; ++s[0])
            for (int i = 0; i < 12; ++i) norm += std::norm(test::number_at(s, 100 + i));
    EXPECT_NEAR(norm2(x)[1], norm, 1e-12 * norm);
    const auto product = inner_product(x, y);
    EXPECT_LT(std::abs(product[1] - expected * norm), 1e-12 * norm);
  });
}

TEST(Fields, GammaMatrices) {
  test::for_all_lattices({4, 4, 4, 4}, [](const Lattice& lattice) {
    SpinorField psi(lattice);
    const auto a = test::numbers_on<SiteSpinor>(lattice);
    psi.set(a);
    const std::complex<double> powers[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    for (const GammaMatrix& g : {gamma(0), gamma(1), gamma(2), gamma(3), gamma5(), gamma(0) * gamma(3)}) {
      const auto b = (g * psi).on_host();
      for (const LocalSite& site : lattice.local_sites())
        for (int r = 0; r < 4; ++r)
          for (int c = 0; c < 3; ++c)
            ASSERT_EQ(b[site.index](3 * r + c),
                      powers[g.phase[static_cast<std::size_t>(r)]] * a[site.index](3 * (r ^ g.flip) + c));
    }
  });
}

TEST(Fields, ACopyIsAFieldOfItsOwn) {
  const test::TestSession test;
  if (!test::fits(field_extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const Lattice lattice(test.session, field_extents);
  SpinorField x(lattice), y = x;
  x.set(test::numbers_on<SiteSpinor>(lattice));
  EXPECT_EQ(norm2(y)[0], 0);
  y = x;
  x *= 0;
  EXPECT_GT(norm2(y)[0], 1);
  GaugeField U = random_gauge(lattice, 3), V = U;
  U = unit_gauge(lattice);
  EXPECT_EQ(plaquette(U), 1);
  EXPECT_LT(plaquette(V), 0.5);
}

TEST(Fields, WrongShapesAreErrors) {
  const test::TestSession test;
  if (!test::fits(field_extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const Lattice lattice(test.session, field_extents), other(test.session, field_extents);
  SpinorField x(lattice), two(lattice, {.columns = 2}), chi(lattice, {.spins = 1}), elsewhere(other);
  EXPECT_THROW(x + two, Error);
  EXPECT_THROW(x + chi, Error);
  EXPECT_THROW(x + elsewhere, Error);
  EXPECT_THROW(gamma5() * chi, Error);
  EXPECT_THROW(chi.on_host(), Error);
  EXPECT_THROW(two.some_columns(1, 2), Error);
  EXPECT_THROW(two.set_columns(2, x), Error);
  EXPECT_THROW(Propagator{two}, Error);
  EXPECT_THROW(SpinorField(lattice, {.columns = 0}), Error);
  EXPECT_THROW(SpinorField(lattice, {.spins = 2}), Error);
  EXPECT_THROW(SpinorField(lattice, {.precision = Precision::half_precision}), Error);
  EXPECT_THROW(Lattice(test.session, {4, 4, 4, 7}), Error);
  int argc = 0;
  char** argv = nullptr;
  EXPECT_THROW(Session(argc, argv, {.location = "moon"}), Error);
  EXPECT_THROW(Session(argc, argv, {.threads = -1}), Error);
  EXPECT_THROW(Lattice(test.session, field_extents, {.transport = "pigeon"}), Error);
}

}  // namespace
}  // namespace plaq
