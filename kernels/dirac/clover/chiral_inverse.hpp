// The inverse of a chiral block by Gauss-Jordan elimination with partial pivoting: clover blocks of nearly
// exceptional gauge fields are indefinite, and neither Cholesky's factors nor pivots on the diagonal will do
// for these. Lanes choose their rows one by one, by masks: no branch, and no index that is not known to the
// compiler. The error is that of rounding times the condition number.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "kernels/dirac/clover/chiral_block.hpp"
#include "kernels/site/lane_wise.hpp"

namespace plaq {

template <class Real>
struct InvertedBlock {
  ChiralBlock<Real> inverse;  // of a block with a twist: the Hermitian part A of A - i B
  ChiralBlock<Real> twist;    // B
  Real log_determinant;       // log |det|
  Real determinant_sign;      // of the (real) determinant without a twist: positive or negative
  Real smallest_pivot;  // least |pivot| over the Frobenius norm of the block, squared; NaN if it has a NaN
};

// A block is singular to rounding unless its smallest_pivot is above this: no digit of an inverse would be
// right.
template <class T>
inline constexpr T singular_pivot = 256 *
                                    std::numeric_limits<T>::epsilon() * std::numeric_limits<T>::epsilon();

namespace detail {

template <class T>
requires std::is_floating_point_v<T> PLAQ_HD T natural_log(const T& x) { return std::log(x); }
#if !defined(__CUDACC__)
template <class T, int N>
PLAQ_HD Lanes<T, N> natural_log(const Lanes<T, N>& x) {
  Lanes<T, N> y;
  for (int lane = 0; lane < N; ++lane) y.set(lane, std::log(x[lane]));
  return y;
}
#endif

template <class Real>
PLAQ_HD Real squared(const Complex<Real>& z) {
  return fma(z.im, z.im, z.re * z.re);
}

template <class Mask, class Real>
PLAQ_HD void swap_where(Mask mask, Complex<Real>& a, Complex<Real>& b) {
  const Complex<Real> x = a, y = b;
  a = {select(mask, y.re, x.re), select(mask, y.im, x.im)};
  b = {select(mask, x.re, y.re), select(mask, x.im, y.im)};
}

// (row, column) of a Hermitian matrix.
template <class Real>
PLAQ_HD Complex<Real> element(const ChiralBlock<Real>& a, int row, int column) {
  if (row == column) return {a.d[row], Real(0)};
  return row > column ? a.o[below_diagonal(row, column)] : conj(a.o[below_diagonal(column, row)]);
}

}  // namespace detail

// (a + i twist)^-1
template <class Real>
PLAQ_HD InvertedBlock<Real> invert(const ChiralBlock<Real>& a, const Real& twist = Real(0)) {
  const Real zero = Real(0), one = Real(1);
  Complex<Real> m[6][6];
  Real norm = zero;
#pragma unroll
  for (int i = 0; i < 6; ++i)
#pragma unroll
    for (int j = 0; j < 6; ++j) {
      m[i][j] = detail::element(a, i, j);
      if (i == j) m[i][j].im = twist;
      norm = norm + detail::squared(m[i][j]);
    }

  InvertedBlock<Real> result;
  decltype(at_most(zero, zero)) swapped[6][6];
  Complex<Real> phase{one, zero};  // of the determinant
  Real smallest = norm, log_squared = zero;
#pragma unroll
  for (int k = 0; k < 6; ++k) {
    // The largest of the column rises to row k.
    Real pivot = detail::squared(m[k][k]);
#pragma unroll
    for (int r = k + 1; r < 6; ++r) {
      const Real other = detail::squared(m[r][k]);
      const auto larger = at_most(pivot, other);
      swapped[k][r] = larger;
#pragma unroll
      for (int j = 0; j < 6; ++j) detail::swap_where(larger, m[k][j], m[r][j]);
      pivot = select(larger, other, pivot);
      phase = {select(larger, -phase.re, phase.re), select(larger, -phase.im, phase.im)};
    }
    smallest = select(at_most(smallest, pivot), smallest, pivot);
    log_squared = log_squared + detail::natural_log(pivot);
    phase = phase * scale(one / sqrt(pivot), m[k][k]);

    const Complex<Real> reciprocal = scale(one / pivot, conj(m[k][k]));
    m[k][k] = {one, zero};
#pragma unroll
    for (int j = 0; j < 6; ++j) m[k][j] = m[k][j] * reciprocal;
#pragma unroll
    for (int i = 0; i < 6; ++i) {
      if (i == k) continue;
      const Complex<Real> factor = -m[i][k];
      m[i][k] = {zero, zero};
#pragma unroll
      for (int j = 0; j < 6; ++j) m[i][j] = fma(factor, m[k][j], m[i][j]);
    }
  }
  // Swaps the columns of the inverse as the rows of the block were swapped, in reverse order.
#pragma unroll
  for (int k = 5; k >= 0; --k)
#pragma unroll
    for (int r = 5; r > k; --r)
#pragma unroll
      for (int i = 0; i < 6; ++i) detail::swap_where(swapped[k][r], m[i][k], m[i][r]);

  // Hermitian but for rounding without a twist: the mean with the adjoint is so exactly.
  const Real half = Real(0.5);
#pragma unroll
  for (int i = 0; i < 6; ++i) {
    result.inverse.d[i] = m[i][i].re;
    result.twist.d[i] = -m[i][i].im;
#pragma unroll
    for (int j = 0; j < i; ++j) {
      result.inverse.o[below_diagonal(i, j)] = scale(half, m[i][j] + conj(m[j][i]));
      const Complex<Real> difference = m[i][j] - conj(m[j][i]);
      result.twist.o[below_diagonal(i, j)] = scale(half, Complex<Real>{-difference.im, difference.re});
    }
  }
  result.log_determinant = half * log_squared;
  result.determinant_sign = phase.re;
  result.smallest_pivot = smallest / norm;
  return result;
}

}  // namespace plaq
