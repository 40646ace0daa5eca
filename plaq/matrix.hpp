// Small complex matrices for code that works on sites on the host.
#pragma once

#include <array>
#include <complex>
#include <cstddef>

#include "kernels/site/gamma_matrix.hpp"

namespace plaq {

/// Rows x Columns complex numbers; m(i, j) is row i, column j. Zero at first.
template <int Rows, int Columns = Rows>
struct SiteMatrix {
  static constexpr int rows = Rows, columns = Columns;  ///< number of rows and of columns
  /// Numbers, row by row.
  std::array<std::complex<double>, static_cast<std::size_t>(Rows* Columns)> values{};

  /// The number in a row and a column.
  std::complex<double>& operator()(int row, int column = 0) {
    return values[static_cast<std::size_t>(row * Columns + column)];
  }
  const std::complex<double>& operator()(int row, int column = 0) const {
    return values[static_cast<std::size_t>(row * Columns + column)];
  }
  /// Adds b.
  SiteMatrix& operator+=(const SiteMatrix& b) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += b.values[i];
    return *this;
  }
  /// Subtracts b.
  SiteMatrix& operator-=(const SiteMatrix& b) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] -= b.values[i];
    return *this;
  }
  /// Multiplies by a number.
  SiteMatrix& operator*=(std::complex<double> a) {
    for (auto& x : values) x = a * x;
    return *this;
  }
  friend SiteMatrix operator+(SiteMatrix a, const SiteMatrix& b) { return a += b; }  ///< sum of two matrices
  /// Difference of two matrices.
  friend SiteMatrix operator-(SiteMatrix a, const SiteMatrix& b) { return a -= b; }
  /// Multiple of a matrix.
  friend SiteMatrix operator*(std::complex<double> a, SiteMatrix b) { return b *= a; }
};

/// Color matrix of a link or of a gauge transformation.
using ColorMatrix = SiteMatrix<3>;
/// Color vector of a staggered quark.
using SiteColorVector = SiteMatrix<3, 1>;
/// Spinor; component 3 * spin + color, DeGrand-Rossi basis of the gamma matrices.
using SiteSpinor = SiteMatrix<12, 1>;
/// Quark propagator at a site: row 3 * spin + color of the sink, column 3 * spin + color of the source.
using SpinColorMatrix = SiteMatrix<12>;

/// Matrix product a b.
template <int N, int M, int K>
SiteMatrix<N, K> operator*(const SiteMatrix<N, M>& a, const SiteMatrix<M, K>& b) {
  SiteMatrix<N, K> product;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j)
      for (int k = 0; k < K; ++k) product(i, k) += a(i, j) * b(j, k);
  return product;
}

/// Hermitian conjugate of a matrix.
template <int N, int M>
SiteMatrix<M, N> adjoint(const SiteMatrix<N, M>& a) {
  SiteMatrix<M, N> found;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j) found(j, i) = std::conj(a(i, j));
  return found;
}

/// Trace of a matrix.
template <int N>
std::complex<double> trace(const SiteMatrix<N>& a) {
  std::complex<double> sum = 0;
  for (int i = 0; i < N; ++i) sum += a(i, i);
  return sum;
}

/// Unit matrix of N rows.
template <int N>
SiteMatrix<N> unit() {
  SiteMatrix<N> one;
  for (int i = 0; i < N; ++i) one(i, i) = 1;
  return one;
}

/// A matrix of spins times the unit matrix of color.
inline SpinColorMatrix spin_color(const GammaMatrix& gamma) {
  constexpr std::complex<double> powers[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  SpinColorMatrix found;
  for (int row = 0; row < 4; ++row)
    for (int color = 0; color < 3; ++color)
      found(3 * row + color, 3 * (row ^ gamma.flip) + color) =
          powers[gamma.phase[static_cast<std::size_t>(row)]];
  return found;
}

}  // namespace plaq
