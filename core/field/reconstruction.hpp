// SU(3) links as 18, 12 or 8 reals: Clark et al. 2010, appendix A. All loads give the link in registers.
//
// 12: the first two rows; the third is conj(a x b).
// 8:  a_2, a_3, b_1 and the phases of a_1 and c_1, in this order, where a, b, c are the rows. The phases are
// stored
//     as tan(phase / 4), which is within [-1, 1], as fixed point wants it, and costs no trigonometric
//     functions to undo. With N^2 = |a_2|^2 + |a_3|^2 the rest follows from |a_1|^2 = 1 - N^2, |c_1|^2 = N^2
//     - |b_1|^2 and
//       b_2 = -(c_1^* a_3^* + a_1^* b_1 a_2) / N^2   b_3 = (c_1^* a_2^* - a_1^* b_1 a_3) / N^2
//       c_2 = (b_1^* a_3^* - a_1^* c_1 a_2) / N^2    c_3 = -(b_1^* a_2^* + a_1^* c_1 a_3) / N^2
//     (step 2 of appendix A.2 with the middle row (0, -a_3^*/N, a_2^*/N)). Accuracy is lost where N is small:
//     links are stored in a gauge in which those near 1 have large N (kernels/gauge/link_storage.hpp).
#pragma once

#include "core/algebra/su3.hpp"

namespace plaq {

// The first two rows, or all three.
template <int Rows, int Reconstruction, class Real>
PLAQ_HD void unpack_rows(const Real (&r)[Reconstruction], Matrix3<Real>& u) {
#pragma unroll
  for (int i = 0; i < Rows; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j) u.e[i][j] = {r[2 * (3 * i + j)], r[2 * (3 * i + j) + 1]};
}
template <int Rows, int Reconstruction, class Real>
PLAQ_HD void pack_rows(const Matrix3<Real>& u, Real (&r)[Reconstruction]) {
#pragma unroll
  for (int i = 0; i < Rows; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j) {
      r[2 * (3 * i + j)] = u.e[i][j].re;
      r[2 * (3 * i + j) + 1] = u.e[i][j].im;
    }
}

// modulus * exp(i phase) from quarter = tan(phase / 4).
template <class Real>
PLAQ_HD Complex<Real> polar_from_quarter(const Real& modulus, const Real& quarter) {
  const Real square = quarter * quarter;
  const Real unit = reciprocal(Real(1) + square);
  const Real cosine = (Real(1) - square) * unit, sine = (quarter + quarter) * unit;  // of half the phase
  const Real twice = sine + sine;
  return {modulus * fma(-twice, sine, Real(1)), modulus * (twice * cosine)};
}

template <class Real>
PLAQ_HD Matrix3<Real> link_from_eight(const Real (&r)[8]) {
  const Complex<Real> a2{r[0], r[1]}, a3{r[2], r[3]}, b1{r[4], r[5]};
  const Real n2 = fma(a3.im, a3.im, fma(a3.re, a3.re, fma(a2.im, a2.im, a2.re * a2.re)));
  const Real bb = fma(b1.im, b1.im, b1.re * b1.re);
  // Rounding may leave the arguments slightly negative.
  const Complex<Real> a1 = polar_from_quarter(root_or_zero(Real(1) - n2), r[6]);
  const Complex<Real> c1 = polar_from_quarter(root_or_zero(n2 - bb), r[7]);
  const Real inverse = reciprocal(n2);
  const Complex<Real> b = scale(inverse, b1), c = scale(inverse, c1);
  const Complex<Real> ab = conj_times(a1, b), ac = conj_times(a1, c);
  Matrix3<Real> u;
  u.e[0][0] = a1;
  u.e[0][1] = a2;
  u.e[0][2] = a3;
  u.e[1][0] = b1;
  u.e[1][1] = -fma(ab, a2, conj(c * a3));
  u.e[1][2] = conj(c * a2) - ab * a3;
  u.e[2][0] = c1;
  u.e[2][1] = conj(b * a3) - ac * a2;
  u.e[2][2] = -fma(ac, a3, conj(b * a2));
  return u;
}

}  // namespace plaq
