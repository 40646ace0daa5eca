// The scalar faces of the functions that Lanes has, so that a kernel's algebra reads the same for both.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/launch/target.hpp"
#if !defined(__CUDACC__)
#include "core/algebra/lanes.hpp"
#endif

namespace plaq {

// a * b + c, rounded once.
PLAQ_HD float fma(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return __fmaf_rn(a, b, c);
#else
  return std::fma(a, b, c);
#endif
}
PLAQ_HD std::int64_t fma(std::int64_t a, std::int64_t b, std::int64_t c) { return a * b + c; }
PLAQ_HD double fma(double a, double b, double c) {
#if defined(__CUDA_ARCH__)
  return __fma_rn(a, b, c);
#else
  return std::fma(a, b, c);
#endif
}

// c - a * b, rounded once.
PLAQ_HD float fnma(float a, float b, float c) { return fma(-a, b, c); }
PLAQ_HD double fnma(double a, double b, double c) { return fma(-a, b, c); }

PLAQ_HD float sqrt(float a) { return std::sqrt(a); }
PLAQ_HD double sqrt(double a) { return std::sqrt(a); }

// 1 / a, to about a last place: faster than a division on a device. For kernels' reconstructions, with a of
// ordinary size.
PLAQ_HD float reciprocal(float a) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
  return fma(r, fma(-a, r, 1.0f), r);
#else
  return 1 / a;
#endif
}
PLAQ_HD double reciprocal(double a) { return 1 / a; }
// The root of a, 0 where a < 0; to about a last place.
PLAQ_HD float root_or_zero(float a) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(fmaxf(a, 0.0f)));
  return r;
#else
  return a > 0 ? std::sqrt(a) : 0.0f;
#endif
}
PLAQ_HD double root_or_zero(double a) { return a > 0 ? std::sqrt(a) : 0.0; }

PLAQ_HD float select(bool mask, float yes, float no) { return mask ? yes : no; }
PLAQ_HD double select(bool mask, double yes, double no) { return mask ? yes : no; }

// Does the mask name any site, and all of them? A scalar stands for one site.
PLAQ_HD bool any(bool mask) { return mask; }

PLAQ_HD bool is_zero(double a) { return a == 0; }

PLAQ_HD double to_double(float a) { return static_cast<double>(a); }
PLAQ_HD double to_double(double a) { return a; }
PLAQ_HD double to_double(std::int64_t a) { return static_cast<double>(a); }

// Wider type, in which products are exact or rounded in double precision.
PLAQ_HD std::int64_t widen(int a) { return a; }
template <class Real>
PLAQ_HD auto widen(const Real& a) {
  return to_double(a);
}

// The scalar type underneath: float or double, for a scalar and for lanes.
template <class Real>
struct ScalarOf {
  using type = Real;
};
#if !defined(__CUDACC__)
template <class T, int N>
struct ScalarOf<Lanes<T, N>> {
  using type = T;
};
#endif

}  // namespace plaq
