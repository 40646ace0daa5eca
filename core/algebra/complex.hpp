// Complex numbers over a scalar or over lanes. Every operation states its rounding: fma is written out and
// nothing is contracted behind our back.
#pragma once

#include "core/algebra/scalar.hpp"

namespace plaq {

template <class Real>
struct Complex {
  Real re, im;
};

template <class Real>
PLAQ_HD Complex<Real> operator+(const Complex<Real>& a, const Complex<Real>& b) {
  return {a.re + b.re, a.im + b.im};
}
template <class Real>
PLAQ_HD Complex<Real> operator-(const Complex<Real>& a, const Complex<Real>& b) {
  return {a.re - b.re, a.im - b.im};
}
template <class Real>
PLAQ_HD Complex<Real> operator-(const Complex<Real>& a) {
  return {-a.re, -a.im};
}
template <class Real>
PLAQ_HD Complex<Real> conj(const Complex<Real>& a) {
  return {a.re, -a.im};
}

// a b
template <class Real>
PLAQ_HD Complex<Real> operator*(const Complex<Real>& a, const Complex<Real>& b) {
  return {fnma(a.im, b.im, a.re * b.re), fma(a.im, b.re, a.re * b.im)};
}
// conj(a) b
template <class Real>
PLAQ_HD Complex<Real> conj_times(const Complex<Real>& a, const Complex<Real>& b) {
  return {fma(a.im, b.im, a.re * b.re), fnma(a.im, b.re, a.re * b.im)};
}
// sum + a b
template <class Real>
PLAQ_HD Complex<Real> fma(const Complex<Real>& a, const Complex<Real>& b, const Complex<Real>& sum) {
  return {fnma(a.im, b.im, fma(a.re, b.re, sum.re)), fma(a.im, b.re, fma(a.re, b.im, sum.im))};
}
// sum + conj(a) b
template <class Real>
PLAQ_HD Complex<Real> conj_fma(const Complex<Real>& a, const Complex<Real>& b, const Complex<Real>& sum) {
  return {fma(a.im, b.im, fma(a.re, b.re, sum.re)), fnma(a.im, b.re, fma(a.re, b.im, sum.im))};
}
// sum + s a, s real
template <class Real>
PLAQ_HD Complex<Real> fma(const Real& s, const Complex<Real>& a, const Complex<Real>& sum) {
  return {fma(s, a.re, sum.re), fma(s, a.im, sum.im)};
}
// sum + i s a, s real
template <class Real>
PLAQ_HD Complex<Real> fma_i(const Real& s, const Complex<Real>& a, const Complex<Real>& sum) {
  return {fnma(s, a.im, sum.re), fma(s, a.re, sum.im)};
}
template <class Real>
PLAQ_HD Complex<Real> scale(const Real& s, const Complex<Real>& a) {
  return {s * a.re, s * a.im};
}

// i^phase, phase 0..3: the entries of a GammaMatrix.
inline Complex<double> power_of_i(int phase) {
  constexpr double re[4] = {1, 0, -1, 0}, im[4] = {0, 1, 0, -1};
  return {re[phase], im[phase]};
}

}  // namespace plaq
