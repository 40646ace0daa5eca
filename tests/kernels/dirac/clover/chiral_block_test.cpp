// The inverse of single Hermitian 6x6 blocks: indefinite, badly conditioned, singular; lanes against scalars.
#include "kernels/dirac/clover/chiral_inverse.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/kernels/dirac/clover/clover_support.hpp"

namespace plaq {
namespace {

using reference::Complex;
using reference::Generator;
using test::block_of;
using test::dense;
using test::Matrix6;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

Matrix6 random_unitary(Generator& generator) {
  Matrix6 u;
  for (int i = 0; i < 6; ++i) {
    auto& row = u.element[static_cast<std::size_t>(i)];
    for (auto& z : row) z = reference::normal(generator);
    for (int twice = 0; twice < 2; ++twice)
      for (int k = 0; k < i; ++k) {
        Complex product = 0;
        for (int j = 0; j < 6; ++j) product += std::conj(u(k, j)) * u(i, j);
        for (int j = 0; j < 6; ++j) u(i, j) -= product * u(k, j);
      }
    double norm = 0;
    for (const auto& z : row) norm += std::norm(z);
    for (auto& z : row) z /= std::sqrt(norm);
  }
  return u;
}

Matrix6 with_eigenvalues(const std::array<double, 6>& lambda, Generator& generator) {
  const Matrix6 u = random_unitary(generator);
  Matrix6 m;
  for (int i = 0; i < 6; ++i) m(i, i) = lambda[static_cast<std::size_t>(i)];
  return u * m * reference::dagger(u);
}

// |block * inverse - 1| over the rounding that the condition number allows.
double error(const ChiralBlock<double>& a, const ChiralBlock<double>& inverse, double condition) {
  return reference::max_difference(dense(a) * dense(inverse), Matrix6::unit()) / (epsilon * condition);
}

TEST(ChiralInverse, IsAccurateToTheConditionNumber) {
  Generator generator(31);
  double worst = 0;
  for (const double small : {1.0, 1e-3, 1e-6, 1e-9, 1e-12, 1e-13})
    for (int n = 0; n < 200; ++n) {
      std::array<double, 6> lambda{};
      double log = 0;
      int negative = 0;
      for (std::size_t i = 0; i < 6; ++i) {
        lambda[i] = i == 0 ? small : 0.5 + reference::uniform(generator);
        if (reference::uniform(generator) < 0.5) lambda[i] = -lambda[i];
        log += std::log(std::abs(lambda[i]));
        negative += lambda[i] < 0;
      }
      const auto a = block_of(with_eigenvalues(lambda, generator));
      const auto found = invert(a);
      ASSERT_GT(found.smallest_pivot, singular_pivot<double>);
      worst = std::max(worst, error(a, found.inverse, 1.5 / small));
      EXPECT_NEAR(found.log_determinant, log, 50 * epsilon / small);
      EXPECT_EQ(found.determinant_sign < 0, negative % 2 == 1);
      EXPECT_NEAR(std::abs(found.determinant_sign), 1, 50 * epsilon / small);
    }
  RecordProperty("worst_error_over_epsilon_and_condition", std::to_string(worst));
  EXPECT_LT(worst, 20);
}

// No diagonal to pivot on: a permutation that is its own inverse, with phases.
TEST(ChiralInverse, NeedsNoDiagonal) {
  Matrix6 m;
  m(3, 0) = Complex(0, 2);
  m(4, 1) = -0.5;
  m(5, 2) = Complex(0.6, 0.8);
  const auto a = block_of(m);
  const auto found = invert(a);
  EXPECT_LT(error(a, found.inverse, 1), 1);
  EXPECT_LT(found.determinant_sign, 0);  // three pairs of eigenvalues +-|z|
  EXPECT_NEAR(found.log_determinant, 0, 1e-15);
}

TEST(ChiralInverse, ScalesWithTheBlock) {
  Generator generator(32);
  const Matrix6 m = with_eigenvalues({1, -1, 0.5, -2, 3, 1}, generator);
  for (const double scale : {1e-40, 1e40}) {
    const auto a = block_of(Complex(scale) * m);
    const auto found = invert(a);
    EXPECT_LT(error(a, found.inverse, 6), 20);
    EXPECT_NEAR(found.smallest_pivot, invert(block_of(m)).smallest_pivot, 1e-12);
    EXPECT_NEAR(found.log_determinant, std::log(3.0) + 6 * std::log(scale), 1e-11);
  }
}

TEST(ChiralInverse, KnowsSingularBlocks) {
  Generator generator(33);
  const auto singular = [](const ChiralBlock<double>& a) {
    return !(invert(a).smallest_pivot > singular_pivot<double>);
  };
  for (int n = 0; n < 200; ++n) {
    EXPECT_TRUE(singular(block_of(with_eigenvalues({0, 1, -1, 2, 0.7, -1.2}, generator))));
    EXPECT_TRUE(singular(block_of(with_eigenvalues({0, 0, 0, 2e-30, 1e-30, -1e-30}, generator))));
  }
  EXPECT_TRUE(singular(block_of(Matrix6{})));
  auto bad = block_of(Matrix6::unit());
  bad.o[7].im = NAN;
  EXPECT_TRUE(singular(bad));
  bad.o[7].im = INFINITY;
  EXPECT_TRUE(singular(bad));
}

// Each lane takes its own pivots.
template <class T>
void expect_lanes_like_scalars() {
  constexpr int width = Arch<Host, T>::width;
  using Real = Lanes<T, width>;
  Generator generator(34);
  for (int n = 0; n < 50; ++n) {
    ChiralBlock<T> scalar[width];
    Real r[36];
    for (int lane = 0; lane < width; ++lane) {
      const auto a = block_of(with_eigenvalues({1, -0.1, 2, -3, 0.3, 0.7}, generator));
      double packed[36];
      pack_block(a, packed);
      T rounded[36];
      for (int k = 0; k < 36; ++k) {
        rounded[k] = static_cast<T>(packed[k]);
        r[k].set(lane, rounded[k]);
      }
      scalar[lane] = unpack_block(rounded);
    }
    const auto block = unpack_block(r);
    const auto inverse = invert(block);
    HalfSpinor<Real> v;
    for (auto& spin : v.s)
      for (auto& c : spin.c)
        for (int lane = 0; lane < width; ++lane) {
          c.re.set(lane, static_cast<T>(reference::uniform(generator)));
          c.im.set(lane, static_cast<T>(reference::uniform(generator)));
        }
    const auto product = inverse.inverse * v;
    pack_block(inverse.inverse, r);
    for (int lane = 0; lane < width; ++lane) {
      const auto alone = invert(scalar[lane]);
      T packed[36];
      pack_block(alone.inverse, packed);
      for (int k = 0; k < 36; ++k) EXPECT_EQ(r[k][lane], packed[k]);
      EXPECT_EQ(inverse.log_determinant[lane], alone.log_determinant);
      EXPECT_EQ(inverse.determinant_sign[lane], alone.determinant_sign);
      EXPECT_EQ(inverse.smallest_pivot[lane], alone.smallest_pivot);
      HalfSpinor<T> w;
      for (int s = 0; s < 2; ++s)
        for (int c = 0; c < 3; ++c) w.s[s].c[c] = {v.s[s].c[c].re[lane], v.s[s].c[c].im[lane]};
      w = alone.inverse * w;
      for (int s = 0; s < 2; ++s)
        for (int c = 0; c < 3; ++c) {
          EXPECT_EQ(product.s[s].c[c].re[lane], w.s[s].c[c].re);
          EXPECT_EQ(product.s[s].c[c].im[lane], w.s[s].c[c].im);
        }
    }
  }
}

TEST(ChiralBlock, HasTheSameBitsInALaneAsAlone) {
  expect_lanes_like_scalars<double>();
  expect_lanes_like_scalars<float>();
}

TEST(ChiralBlock, TimesASpinorIsTheDenseProduct) {
  Generator generator(35);
  const Matrix6 m = with_eigenvalues({1, -1, 0.5, -2, 3, 1}, generator);
  const auto a = block_of(m), b = shifted(a, 0.75);
  for (int chirality = 0; chirality < 2; ++chirality) {
    Spinor<double> psi;
    std::array<Complex, 6> v{};
    for (int s = 0; s < 4; ++s)
      for (int c = 0; c < 3; ++c) {
        const Complex z = reference::normal(generator);
        psi.s[s].c[c] = {z.real(), z.imag()};
        if (s / 2 == chirality) v[static_cast<std::size_t>(3 * (s % 2) + c)] = z;
      }
    const Spinor<double> before = psi;
    multiply_chirality(psi, chirality, b);
    const auto expected = (m + Complex(0.75) * Matrix6::unit()) * v;
    for (int s = 0; s < 4; ++s)
      for (int c = 0; c < 3; ++c) {
        const Complex z(psi.s[s].c[c].re, psi.s[s].c[c].im);
        const Complex old(before.s[s].c[c].re, before.s[s].c[c].im);
        if (s / 2 == chirality) {
          EXPECT_LT(std::abs(z - expected[static_cast<std::size_t>(3 * (s % 2) + c)]), 1e-14);
        } else {
          EXPECT_EQ(z, old);
        }
      }
  }
}

}  // namespace
}  // namespace plaq
