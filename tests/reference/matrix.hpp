// Small dense complex matrices: N = 3 for color, N = 4 for spin.
#pragma once

#include <algorithm>
#include <array>
#include <complex>
#include <type_traits>

namespace plaq::reference {

using Complex = std::complex<double>;

// Z: the complex numbers.
template <int N, class Z = Complex>
struct Matrix {
  std::array<std::array<Z, N>, N> element{};  // [row][column]; zero unless set

  Z& operator()(int row, int column) { return element[row][column]; }
  const Z& operator()(int row, int column) const { return element[row][column]; }

  static Matrix unit() {
    Matrix one;
    for (int i = 0; i < N; ++i) one(i, i) = 1.0;
    return one;
  }

  friend std::array<Z, N> operator*(const Matrix& a, const std::array<Z, N>& v) {
    std::array<Z, N> product{};
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) product[i] += a(i, j) * v[j];
    return product;
  }
};

using ColorMatrix = Matrix<3>;
using SpinMatrix = Matrix<4>;

template <int N, class Z>
Matrix<N, Z> operator+(const Matrix<N, Z>& a, const Matrix<N, Z>& b) {
  Matrix<N, Z> sum;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) sum(i, j) = a(i, j) + b(i, j);
  return sum;
}

template <int N, class Z>
Matrix<N, Z> operator*(const std::type_identity_t<Z>& factor, const Matrix<N, Z>& a) {
  Matrix<N, Z> product;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) product(i, j) = factor * a(i, j);
  return product;
}

template <int N, class Z>
Matrix<N, Z> operator-(const Matrix<N, Z>& a, const Matrix<N, Z>& b) {
  return a + Z(-1) * b;
}

template <int N, class Z>
Matrix<N, Z> operator*(const Matrix<N, Z>& a, const Matrix<N, Z>& b) {
  Matrix<N, Z> product;
  for (int i = 0; i < N; ++i)
    for (int k = 0; k < N; ++k) {
      if (a(i, k) == Z(0)) continue;  // blocks of a chirality, or of a triangle
      for (int j = 0; j < N; ++j) product(i, j) += a(i, k) * b(k, j);
    }
  return product;
}

template <int N, class Z>
Matrix<N, Z> dagger(const Matrix<N, Z>& a) {
  Matrix<N, Z> adjoint;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) adjoint(i, j) = std::conj(a(j, i));
  return adjoint;
}

template <int N, class Z>
Z trace(const Matrix<N, Z>& a) {
  Z sum = 0;
  for (int i = 0; i < N; ++i) sum += a(i, i);
  return sum;
}

template <class Z>
Z determinant(const Matrix<3, Z>& a) {
  return a(0, 0) * (a(1, 1) * a(2, 2) - a(1, 2) * a(2, 1)) -
         a(0, 1) * (a(1, 0) * a(2, 2) - a(1, 2) * a(2, 0)) +
         a(0, 2) * (a(1, 0) * a(2, 1) - a(1, 1) * a(2, 0));
}

// The third row from the others: (a x b)^*.
inline void complete_rows(ColorMatrix& u) {
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    u(2, k) = std::conj(u(0, i) * u(1, j) - u(0, j) * u(1, i));
  }
}

// Largest modulus of an element of a - b.
template <int N, class Z>
double max_difference(const Matrix<N, Z>& a, const Matrix<N, Z>& b) {
  double largest = 0.0;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) largest = std::max(largest, std::abs(a(i, j) - b(i, j)));
  return largest;
}

}  // namespace plaq::reference
