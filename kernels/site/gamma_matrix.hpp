// Products of the Euclidean gamma matrices, DeGrand-Rossi basis: Clark et al. 2010, appendix B. Each has one
// entry in a row: row r holds i^phase[r] in column r ^ flip. gamma5 = gamma_x gamma_y gamma_z gamma_t =
// diag(1, 1, -1, -1).
#pragma once

#include <array>
#include <cstddef>

namespace plaq {

/// A product of gamma matrices: row r holds i^phase[r] in column r ^ flip.
struct GammaMatrix {
  int flip = 0;                          ///< 0 to 3
  std::array<int, 4> phase{0, 0, 0, 0};  ///< powers of i, 0 to 3

  bool operator==(const GammaMatrix&) const = default;
};

/// Unit matrix of spin.
constexpr GammaMatrix unit_gamma() { return {}; }

/// gamma_mu, mu = 0..3 for x, y, z, t.
constexpr GammaMatrix gamma(int mu) {
  switch (mu) {
    case 0:
      return {3, {1, 1, 3, 3}};
    case 1:
      return {3, {2, 0, 0, 2}};
    case 2:
      return {2, {1, 3, 3, 1}};
    default:
      return {2, {0, 0, 0, 0}};
  }
}

/// gamma5 = gamma_x gamma_y gamma_z gamma_t.
constexpr GammaMatrix gamma5() { return {0, {0, 0, 2, 2}}; }

/// Matrix product a b.
constexpr GammaMatrix operator*(const GammaMatrix& a, const GammaMatrix& b) {
  GammaMatrix product;
  product.flip = a.flip ^ b.flip;
  for (std::size_t row = 0; row < 4; ++row)
    product.phase[row] = (a.phase[row] + b.phase[row ^ static_cast<std::size_t>(a.flip)]) % 4;
  return product;
}

/// Complex conjugate.
constexpr GammaMatrix conjugate(const GammaMatrix& a) {
  GammaMatrix conjugate = a;
  for (int& phase : conjugate.phase) phase = (4 - phase) % 4;
  return conjugate;
}

/// Transpose.
constexpr GammaMatrix transposed(const GammaMatrix& a) {
  GammaMatrix transposed;
  transposed.flip = a.flip;
  for (std::size_t row = 0; row < 4; ++row)
    transposed.phase[row] = a.phase[row ^ static_cast<std::size_t>(a.flip)];
  return transposed;
}

/// Hermitian conjugate.
constexpr GammaMatrix adjoint(const GammaMatrix& a) { return transposed(conjugate(a)); }

/// Negative.
constexpr GammaMatrix operator-(const GammaMatrix& a) {
  GammaMatrix negative = a;
  for (int& phase : negative.phase) phase = (phase + 2) % 4;
  return negative;
}

static_assert(gamma(0) * gamma(1) * gamma(2) * gamma(3) == gamma5());

}  // namespace plaq
