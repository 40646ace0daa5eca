// Vectors as lists of complex numbers, for the plain formulas of methods with a DiagonalOperator.
#pragma once

#include <algorithm>
#include <complex>
#include <vector>

#include "tests/support/convert.hpp"

namespace plaq::test {

using Complex64 = std::complex<double>;
using PlainVector = std::vector<Complex64>;  // of stored sites in their order, 12 components each

inline PlainVector plain(const Field& field, int rhs) {
  PlainVector v;
  for_stored_sites(field.geometry(), [&](int parity, int s, int) {
    for (int k = 0; k < 12; ++k)
      v.emplace_back(get_real(field, rhs, parity, s, 2 * k), get_real(field, rhs, parity, s, 2 * k + 1));
  });
  return v;
}

// A v with the eigenvalues of a DiagonalOperator.
template <class Eigenvalue>
PlainVector times(const Eigenvalue& eigenvalue, const Geometry& geometry, const PlainVector& v) {
  PlainVector result;
  for_stored_sites(geometry, [&](int, int, int site) {
    for (int k = 0; k < 12; ++k) result.push_back(eigenvalue(site, k) * v[result.size()]);
  });
  return result;
}

inline Complex64 dot(const PlainVector& a, const PlainVector& b) {
  Complex64 sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::conj(a[i]) * b[i];
  return sum;
}

// y += c x
inline void add(Complex64 c, const PlainVector& x, PlainVector& y) {
  for (std::size_t i = 0; i < x.size(); ++i) y[i] += c * x[i];
}

inline double distance(const PlainVector& a, const PlainVector& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

}  // namespace plaq::test
