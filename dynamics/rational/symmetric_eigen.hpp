// Eigenvectors of small symmetric matrices in numbers of any precision, by Jacobi's rotations: G. H. Golub,
// C. F. Van Loan, "Matrix Computations" (2013), sec. 8.5.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
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

}  // namespace plaq
