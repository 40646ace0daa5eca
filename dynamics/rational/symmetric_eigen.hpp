// Eigenvectors of small symmetric matrices in numbers of any precision, by Jacobi's rotations and by
// Rayleigh's quotients: G. H. Golub, C. F. Van Loan, "Matrix Computations" (2013), sec. 8.5 and 8.2.3.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace plaq {

template <class Number>
struct SymmetricEigen {
  std::vector<Number> values;                // in no order
  std::vector<std::vector<Number>> vectors;  // of length 1, in the order of values
};

/// `m` is symmetric: m[i][j] = m[j][i].
template <class Number>
SymmetricEigen<Number> symmetric_eigen(std::vector<std::vector<Number>> m) {
  using std::abs, std::sqrt;
  const std::size_t n = m.size();
  std::vector<std::vector<Number>> v(n, std::vector<Number>(n, Number(0)));
  for (std::size_t i = 0; i < n; ++i) v[i][i] = 1;
  // Rotations of p and q that make m[p][q] zero, t the tangent of the angle. 4 to 10 rounds reach full
  // precision.
  for (int round = 0; round < 60; ++round) {
    Number off = 0, all = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) (i == j ? all : off) += m[i][j] * m[i][j];
    const Number epsilon = std::numeric_limits<Number>::epsilon();
    if (off <= epsilon * epsilon * (all + off)) break;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) {
        if (m[p][q] == 0) continue;
        const Number theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
        const Number size = 1 / (abs(theta) + sqrt(theta * theta + 1));
        const Number t = theta < 0 ? Number(-size) : size;
        const Number c = 1 / sqrt(t * t + 1), s = t * c;
        const auto rotate = [&](Number& a, Number& b) {
          const Number first = c * a - s * b;
          b = s * a + c * b;
          a = first;
        };
        for (std::size_t k = 0; k < n; ++k) rotate(m[k][p], m[k][q]);
        for (std::size_t k = 0; k < n; ++k) rotate(m[p][k], m[q][k]);
        for (std::size_t k = 0; k < n; ++k) rotate(v[p][k], v[q][k]);
      }
  }
  SymmetricEigen<Number> eigen;
  for (std::size_t i = 0; i < n; ++i) eigen.values.push_back(m[i][i]);
  eigen.vectors = std::move(v);
  return eigen;
}

template <class Number>
struct Eigenpair {
  Number value;
  std::vector<Number> vector;  // of length 1
};

/// The solution of a x = b by elimination with pivots; nothing if a pivot is 0.
template <class Number>
std::optional<std::vector<Number>> solve_by_elimination(std::vector<std::vector<Number>> a,
                                                        std::vector<Number> b) {
  using std::abs;
  const std::size_t n = a.size();
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column + 1; row < n; ++row)
      if (abs(a[row][column]) > abs(a[pivot][column])) pivot = row;
    if (a[pivot][column] == 0) return std::nullopt;
    std::swap(a[pivot], a[column]);
    std::swap(b[pivot], b[column]);
    for (std::size_t row = column + 1; row < n; ++row) {
      const Number factor = a[row][column] / a[column][column];
      for (std::size_t k = column + 1; k < n; ++k) a[row][k] -= factor * a[column][k];
      b[row] -= factor * b[column];
    }
  }
  for (std::size_t row = n; row-- > 0;) {
    for (std::size_t k = row + 1; k < n; ++k) b[row] -= a[row][k] * b[k];
    b[row] /= a[row][row];
  }
  return b;
}

/// The eigenpair of `m` that has about `vector`, in the precision of Number: each step trebles the digits.
/// Nothing if it is not found.
template <class Number>
std::optional<Eigenpair<Number>> refined(const std::vector<std::vector<Number>>& m,
                                         std::vector<Number> vector) {
  using std::sqrt;
  const std::size_t n = m.size();
  const Number epsilon = std::numeric_limits<Number>::epsilon();
  for (int step = 0; step < 8; ++step) {
    Number square = 0;
    for (const Number& one : vector) square += one * one;
    const Number length = sqrt(square);
    for (Number& one : vector) one /= length;
    std::vector<Number> product(n, Number(0));
    Number value = 0, size = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        product[i] += m[i][j] * vector[j];
        size += m[i][j] * m[i][j];
      }
      value += product[i] * vector[i];
    }
    Number residual = 0;
    for (std::size_t i = 0; i < n; ++i)
      residual += (product[i] - value * vector[i]) * (product[i] - value * vector[i]);
    const Number allowed = 10 * static_cast<double>(n) * epsilon;
    if (residual <= allowed * allowed * size) return Eigenpair<Number>{value, std::move(vector)};
    auto shifted = m;
    for (std::size_t i = 0; i < n; ++i) shifted[i][i] -= value;
    auto next = solve_by_elimination(std::move(shifted), std::move(vector));
    if (!next) return std::nullopt;
    vector = std::move(*next);
  }
  return std::nullopt;
}

}  // namespace plaq
