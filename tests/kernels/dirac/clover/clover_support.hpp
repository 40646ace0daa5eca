// Chiral blocks between plaq and the reference.
#pragma once

#include <gtest/gtest.h>

#include "kernels/dirac/clover/clover_field.hpp"
#include "tests/reference/clover.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/same_as_alone.hpp"

namespace plaq::test {

using Matrix6 = reference::Matrix<6>;

inline Matrix6 dense(const ChiralBlock<double>& a) {
  Matrix6 m;
  for (int i = 0; i < 6; ++i) {
    m(i, i) = a.d[i];
    for (int j = 0; j < i; ++j) {
      m(i, j) = {a.o[below_diagonal(i, j)].re, a.o[below_diagonal(i, j)].im};
      m(j, i) = std::conj(m(i, j));
    }
  }
  return m;
}

// From the lower triangle.
inline ChiralBlock<double> block_of(const Matrix6& m) {
  ChiralBlock<double> a;
  for (int i = 0; i < 6; ++i) {
    a.d[i] = m(i, i).real();
    for (int j = 0; j < i; ++j) a.o[below_diagonal(i, j)] = {m(i, j).real(), m(i, j).imag()};
  }
  return a;
}

inline Matrix6 chirality_of(const reference::Matrix12& m, int chirality) {
  Matrix6 block;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) block(i, j) = m(6 * chirality + i, 6 * chirality + j);
  return block;
}

// Both blocks of a site; the rest is zero.
inline reference::Matrix12 dense(const Field& host, int parity, int site) {
  reference::Matrix12 m;
  for (int chirality = 0; chirality < 2; ++chirality) {
    double r[36];
    for (int k = 0; k < 36; ++k) r[k] = get_real(host, chirality, parity, site, k);
    const Matrix6 block = dense(unpack_block(r));
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) m(6 * chirality + i, 6 * chirality + j) = block(i, j);
  }
  return m;
}

// Largest difference of an element over this rank's sites that the field holds; NaN where there is one.
inline double max_difference(const Field& field, const reference::CloverMatrices& expected) {
  const Field host = on_host(field);
  double most = 0;
  for_stored_sites(field.geometry(), [&](int parity, int s, int site) {
    if (!host.holds(parity)) return;
    const auto difference = dense(host, parity, s) - expected[static_cast<std::size_t>(site)];
    for (const auto& row : difference.element)
      for (const auto& z : row) most = std::abs(z) <= most ? most : std::abs(z);
  });
  return most;
}

}  // namespace plaq::test
