// Vectors of one rank, for the plain formulas of methods with a DiagonalOperator.
#pragma once

#include <algorithm>

#include "tests/support/convert.hpp"

namespace plaq::test {

inline Vector plain(const Field& field, int rhs) { return to_vectors(field)[static_cast<std::size_t>(rhs)]; }

// A v with the eigenvalues of a DiagonalOperator.
template <class Eigenvalue>
Vector times(const Eigenvalue& eigenvalue, const Vector& v) {
  Vector result;
  for (std::size_t i = 0; i < v.size(); ++i)
    result.push_back(eigenvalue(static_cast<int>(i / 12), static_cast<int>(i % 12)) * v[i]);
  return result;
}

inline Complex64 dot(const Vector& a, const Vector& b) {
  Complex64 sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::conj(a[i]) * b[i];
  return sum;
}

// y += c x
inline void add(Complex64 c, const Vector& x, Vector& y) {
  for (std::size_t i = 0; i < x.size(); ++i) y[i] += c * x[i];
}

inline double distance(const Vector& a, const Vector& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

}  // namespace plaq::test
