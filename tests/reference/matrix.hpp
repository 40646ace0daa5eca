// Small dense complex matrices: N = 3 for color, N = 4 for spin.
#pragma once

#include <algorithm>
#include <array>
#include <complex>

namespace plaq::reference {

using Complex = std::complex<double>;

template <int N>
struct Matrix {
  std::array<std::array<Complex, N>, N> element{};  // [row][column]; zero unless set

  Complex& operator()(int row, int column) { return element[row][column]; }
  const Complex& operator()(int row, int column) const { return element[row][column]; }

  static Matrix unit() {
    Matrix one;
    for (int i = 0; i < N; ++i) one(i, i) = 1.0;
    return one;
  }

  friend std::array<Complex, N> operator*(const Matrix& a, const std::array<Complex, N>& v) {
    std::array<Complex, N> product{};
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) product[i] += a(i, j) * v[j];
    return product;
  }
};

using ColorMatrix = Matrix<3>;
using SpinMatrix = Matrix<4>;

template <int N>
Matrix<N> operator+(const Matrix<N>& a, const Matrix<N>& b) {
  Matrix<N> sum;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) sum(i, j) = a(i, j) + b(i, j);
  return sum;
}

template <int N>
Matrix<N> operator*(Complex factor, const Matrix<N>& a) {
  Matrix<N> product;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) product(i, j) = factor * a(i, j);
  return product;
}

template <int N>
Matrix<N> operator-(const Matrix<N>& a, const Matrix<N>& b) {
  return a + Complex(-1.0) * b;
}

template <int N>
Matrix<N> operator*(const Matrix<N>& a, const Matrix<N>& b) {
  Matrix<N> product;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      for (int k = 0; k < N; ++k) product(i, j) += a(i, k) * b(k, j);
  return product;
}

template <int N>
Matrix<N> dagger(const Matrix<N>& a) {
  Matrix<N> adjoint;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) adjoint(i, j) = std::conj(a(j, i));
  return adjoint;
}

template <int N>
Complex trace(const Matrix<N>& a) {
  Complex sum = 0.0;
  for (int i = 0; i < N; ++i) sum += a(i, i);
  return sum;
}

inline Complex determinant(const ColorMatrix& a) {
  return a(0, 0) * (a(1, 1) * a(2, 2) - a(1, 2) * a(2, 1)) -
         a(0, 1) * (a(1, 0) * a(2, 2) - a(1, 2) * a(2, 0)) +
         a(0, 2) * (a(1, 0) * a(2, 1) - a(1, 1) * a(2, 0));
}

// Largest modulus of an element of a - b.
template <int N>
double max_difference(const Matrix<N>& a, const Matrix<N>& b) {
  double largest = 0.0;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) largest = std::max(largest, std::abs(a(i, j) - b(i, j)));
  return largest;
}

}  // namespace plaq::reference
