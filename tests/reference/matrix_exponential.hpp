// The exponential of small dense matrices in extended precision.
#pragma once

#include "tests/reference/matrix.hpp"

namespace plaq::reference {

template <int N>
using WideMatrix = Matrix<N, std::complex<long double>>;

// By a Taylor series of a / 64, squared six times: for matrices of norms up to about ten.
template <int N>
WideMatrix<N> matrix_exponential(const Matrix<N>& a) {
  WideMatrix<N> scaled;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      scaled(i, j) = std::complex<long double>(a(i, j).real(), a(i, j).imag()) / 64.0L;
  WideMatrix<N> sum = WideMatrix<N>::unit(), term = sum;
  for (int n = 1; n <= 14; ++n) {
    term = std::complex<long double>(1.0L / n) * (scaled * term);
    sum = sum + term;
  }
  for (int k = 0; k < 6; ++k) sum = sum * sum;
  return sum;
}

template <int N>
Matrix<N> rounded(const WideMatrix<N>& w) {
  Matrix<N> m;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      m(i, j) = {static_cast<double>(w(i, j).real()), static_cast<double>(w(i, j).imag())};
  return m;
}

// The integral over s from 0 to 1 of exp((1-s) X) F exp(s X), which exp of the blocks (X F; 0 X) has in its
// corner.
template <int N>
Matrix<N> exponential_derivative(const Matrix<N>& x, const Matrix<N>& f) {
  Matrix<2 * N> blocks;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      blocks(i, j) = blocks(N + i, N + j) = x(i, j);
      blocks(i, N + j) = f(i, j);
    }
  const Matrix<2 * N> e = rounded(matrix_exponential(blocks));
  Matrix<N> corner;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) corner(i, j) = e(i, N + j);
  return corner;
}

}  // namespace plaq::reference
