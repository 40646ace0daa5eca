// Spinors and their projection, DeGrand-Rossi basis: Clark et al. 2010, appendix B.
// Directions mu = 0..3 are x, y, z, t (1..4 in the paper). P(s) = 1 + s gamma_mu with s = +1 or -1 has rank
// 2: its upper two rows give the half spinor h, the lower two are multiples of h.
#pragma once

#include "core/algebra/su3.hpp"

namespace plaq {

template <class Real>
struct Spinor {
  ColorVector<Real> s[4];
};

template <class Real>
struct HalfSpinor {
  ColorVector<Real> s[2];
};

// Color vector of staggered fermions, which have one component a color.
template <class Real>
struct StaggeredVector {
  ColorVector<Real> s[1];
};

template <class Real>
PLAQ_HD Spinor<Real> zero_spinor() {
  Spinor<Real> r;
#pragma unroll
  for (int s = 0; s < 4; ++s)
#pragma unroll
    for (int c = 0; c < 3; ++c) r.s[s].c[c] = {Real(0), Real(0)};
  return r;
}

// Upper two rows of (1 + sign gamma_Mu) psi.
template <int Mu, class Real>
PLAQ_HD HalfSpinor<Real> project(const Spinor<Real>& psi, const Real& sign) {
  HalfSpinor<Real> h;
#pragma unroll
  for (int c = 0; c < 3; ++c) {
    const auto p0 = psi.s[0].c[c], p1 = psi.s[1].c[c], p2 = psi.s[2].c[c], p3 = psi.s[3].c[c];
    if constexpr (Mu == 0) {
      h.s[0].c[c] = fma_i(sign, p3, p0);
      h.s[1].c[c] = fma_i(sign, p2, p1);
    } else if constexpr (Mu == 1) {
      h.s[0].c[c] = fma(-sign, p3, p0);
      h.s[1].c[c] = fma(sign, p2, p1);
    } else if constexpr (Mu == 2) {
      h.s[0].c[c] = fma_i(sign, p2, p0);
      h.s[1].c[c] = fma_i(-sign, p3, p1);
    } else {
      h.s[0].c[c] = fma(sign, p2, p0);
      h.s[1].c[c] = fma(sign, p3, p1);
    }
  }
  return h;
}

// Projects psi + offset, with the offset in every real component. The sums are exact where psi and offset are
// integers below 2^23 in single precision. One subtraction then serves two components, where two would be
// needed to remove the offset of each before.
template <int Mu, class Real>
PLAQ_HD HalfSpinor<Real> project_shifted(const Spinor<Real>& psi, const Real& sign, const Real& offset) {
  const Real plus = offset * (Real(1) + sign), minus = offset * (Real(1) - sign);
  auto less = [](const Complex<Real>& z, const Real& re, const Real& im) {
    return Complex<Real>{z.re - re, z.im - im};
  };
  HalfSpinor<Real> h;
#pragma unroll
  for (int c = 0; c < 3; ++c) {
    const auto p0 = psi.s[0].c[c], p1 = psi.s[1].c[c], p2 = psi.s[2].c[c], p3 = psi.s[3].c[c];
    if constexpr (Mu == 0) {
      h.s[0].c[c] = fma_i(sign, p3, less(p0, minus, plus));
      h.s[1].c[c] = fma_i(sign, p2, less(p1, minus, plus));
    } else if constexpr (Mu == 1) {
      h.s[0].c[c] = fma(-sign, p3, less(p0, minus, minus));
      h.s[1].c[c] = fma(sign, p2, less(p1, plus, plus));
    } else if constexpr (Mu == 2) {
      h.s[0].c[c] = fma_i(sign, p2, less(p0, minus, plus));
      h.s[1].c[c] = fma_i(-sign, p3, less(p1, plus, minus));
    } else {
      h.s[0].c[c] = fma(sign, p2, less(p0, plus, plus));
      h.s[1].c[c] = fma(sign, p3, less(p1, plus, plus));
    }
  }
  return h;
}

// sum += factor * (the full spinor whose upper two rows under 1 + sign gamma_Mu are h).
// `factor` and `signed_factor` = sign * factor are exact multiples, so each component is rounded once.
template <int Mu, class Real>
PLAQ_HD void accumulate(Spinor<Real>& sum, const HalfSpinor<Real>& h, const Real& factor,
                        const Real& signed_factor) {
#pragma unroll
  for (int c = 0; c < 3; ++c) {
    const auto h0 = h.s[0].c[c], h1 = h.s[1].c[c];
    auto& s0 = sum.s[0].c[c];
    auto& s1 = sum.s[1].c[c];
    auto& s2 = sum.s[2].c[c];
    auto& s3 = sum.s[3].c[c];
    s0 = fma(factor, h0, s0);
    s1 = fma(factor, h1, s1);
    if constexpr (Mu == 0) {
      s2 = fma_i(-signed_factor, h1, s2);
      s3 = fma_i(-signed_factor, h0, s3);
    } else if constexpr (Mu == 1) {
      s2 = fma(signed_factor, h1, s2);
      s3 = fma(-signed_factor, h0, s3);
    } else if constexpr (Mu == 2) {
      s2 = fma_i(-signed_factor, h0, s2);
      s3 = fma_i(signed_factor, h1, s3);
    } else {
      s2 = fma(signed_factor, h0, s2);
      s3 = fma(signed_factor, h1, s3);
    }
  }
}

template <class Real>
PLAQ_HD HalfSpinor<Real> operator*(const Matrix3<Real>& u, const HalfSpinor<Real>& h) {
  return {{u * h.s[0], u * h.s[1]}};
}
template <class Real>
PLAQ_HD HalfSpinor<Real> dagger_times(const Matrix3<Real>& u, const HalfSpinor<Real>& h) {
  return {{dagger_times(u, h.s[0]), dagger_times(u, h.s[1])}};
}

// Multiplies all four spin components by the link.
template <class Real>
PLAQ_HD Spinor<Real> operator*(const Matrix3<Real>& u, const Spinor<Real>& psi) {
  return {{u * psi.s[0], u * psi.s[1], u * psi.s[2], u * psi.s[3]}};
}
template <class Real>
PLAQ_HD Spinor<Real> dagger_times(const Matrix3<Real>& u, const Spinor<Real>& psi) {
  return {{dagger_times(u, psi.s[0]), dagger_times(u, psi.s[1]), dagger_times(u, psi.s[2]),
           dagger_times(u, psi.s[3])}};
}

namespace detail {
template <class Vector, class Mask>
PLAQ_HD Vector select_spins(Mask mask, const Vector& yes, const Vector& no) {
  constexpr int spins = static_cast<int>(sizeof(no.s) / sizeof(no.s[0]));
  Vector r;
#pragma unroll
  for (int s = 0; s < spins; ++s)
#pragma unroll
    for (int c = 0; c < 3; ++c)
      r.s[s].c[c] = {select(mask, yes.s[s].c[c].re, no.s[s].c[c].re),
                     select(mask, yes.s[s].c[c].im, no.s[s].c[c].im)};
  return r;
}
}  // namespace detail

// Site by site, `yes` where the mask says so.
template <class Mask, class Real>
PLAQ_HD HalfSpinor<Real> select(Mask mask, const HalfSpinor<Real>& yes, const HalfSpinor<Real>& no) {
  return detail::select_spins(mask, yes, no);
}
template <class Mask, class Real>
PLAQ_HD Spinor<Real> select(Mask mask, const Spinor<Real>& yes, const Spinor<Real>& no) {
  return detail::select_spins(mask, yes, no);
}
template <class Mask, class Real>
PLAQ_HD StaggeredVector<Real> select(Mask mask, const StaggeredVector<Real>& yes,
                                     const StaggeredVector<Real>& no) {
  return detail::select_spins(mask, yes, no);
}

// a x + b y, a x rounded first.
template <class Real>
PLAQ_HD Spinor<Real> combine(const Real& a, const Spinor<Real>& x, const Real& b, const Spinor<Real>& y) {
  Spinor<Real> r;
#pragma unroll
  for (int s = 0; s < 4; ++s)
#pragma unroll
    for (int c = 0; c < 3; ++c) r.s[s].c[c] = fma(b, y.s[s].c[c], scale(a, x.s[s].c[c]));
  return r;
}

}  // namespace plaq
