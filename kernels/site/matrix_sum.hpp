// Products of matrices that are added to a sum: no registers for the product itself, and no additions.
#pragma once

#include "core/algebra/su3.hpp"

namespace plaq {

// sum <- sum + a b
template <class Real>
PLAQ_HD void add_product(const Matrix3<Real>& a, const Matrix3<Real>& b, Matrix3<Real>& sum) {
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j)
#pragma unroll
      for (int k = 0; k < 3; ++k) sum.e[i][j] = fma(a.e[i][k], b.e[k][j], sum.e[i][j]);
}

// sum <- sum + a b^dagger
template <class Real>
PLAQ_HD void add_times_dagger(const Matrix3<Real>& a, const Matrix3<Real>& b, Matrix3<Real>& sum) {
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j)
#pragma unroll
      for (int k = 0; k < 3; ++k) sum.e[i][j] = conj_fma(b.e[j][k], a.e[i][k], sum.e[i][j]);
}

// sum <- sum + a^dagger b
template <class Real>
PLAQ_HD void add_dagger_times(const Matrix3<Real>& a, const Matrix3<Real>& b, Matrix3<Real>& sum) {
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j)
#pragma unroll
      for (int k = 0; k < 3; ++k) sum.e[i][j] = conj_fma(a.e[k][i], b.e[k][j], sum.e[i][j]);
}

// -a
template <class Real>
PLAQ_HD Matrix3<Real> negative(Matrix3<Real> a) {
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j) a.e[i][j] = -a.e[i][j];
  return a;
}

// sum <- sum + weight a
template <class T, class Real>
PLAQ_HD void add_scaled(T weight, const Matrix3<Real>& a, Matrix3<Real>& sum) {
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j) sum.e[i][j] = fma(Real(weight), a.e[i][j], sum.e[i][j]);
}

// weight a
template <class T, class Real>
PLAQ_HD Matrix3<Real> scaled(T weight, Matrix3<Real> a) {
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j) a.e[i][j] = scale(Real(weight), a.e[i][j]);
  return a;
}

}  // namespace plaq
