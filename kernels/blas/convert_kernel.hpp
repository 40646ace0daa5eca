// Vector updates between two precisions at one place.
#pragma once

#include <type_traits>

#include "kernels/blas/kernel.hpp"

namespace plaq::blas {

// The wider computing precision of two storages.
template <class A, class B>
using Wider = std::conditional_t<sizeof(Compute<A>) >= sizeof(Compute<B>), Compute<A>, Compute<B>>;

// to = c0 from, or to = to + c0 from where `add` says so; with a frame g, g from or, added, g^dagger from.
template <class TargetT, class To, class From>
struct Convert {
  using T = Wider<To, From>;
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;

  SiteArray<TargetT, T, 24, To, has_quantum<To>> to;
  SiteArray<TargetT, T, 24, From, has_quantum<From>> from;
  SiteArray<TargetT, T, 18, float> frame;  // may be closed
  CoefficientList coefficients;
  bool add;

  PLAQ_HD void operator()(const typename Arch::Site& site, int inner) const {
    const CoefficientList::Set mine = coefficients[inner];
    const int slot = coefficients.active[inner];
    const Complex<Real> c{Real(static_cast<T>(mine.value[0])), Real(static_cast<T>(mine.value[1]))};
    Real in[24], sum[24];
    from.load_mutable(slot, site, in);
    if (frame) change_gauge(site, in);
    if (add) {
      to.load_mutable(slot, site, sum);
    } else {
#pragma unroll
      for (int r = 0; r < 24; ++r) sum[r] = Real(T(0));
    }
#pragma unroll
    for (int r = 0; r < 24; r += 2) {
      const auto z = fma(c, Complex<Real>{in[r], in[r + 1]}, Complex<Real>{sum[r], sum[r + 1]});
      sum[r] = z.re;
      sum[r + 1] = z.im;
    }
    to.store(slot, site, sum);
  }

 private:
  PLAQ_HD void change_gauge(const typename Arch::Site& site, Real (&in)[24]) const {
    Real r[18];
    frame.load(0, site, r);
    Matrix3<Real> g;
    unpack_rows<3>(r, g);
#pragma unroll
    for (int spin = 0; spin < 4; ++spin) {
      ColorVector<Real> v;
#pragma unroll
      for (int c = 0; c < 3; ++c) v.c[c] = {in[6 * spin + 2 * c], in[6 * spin + 2 * c + 1]};
      v = add ? dagger_times(g, v) : g * v;
#pragma unroll
      for (int c = 0; c < 3; ++c) {
        in[6 * spin + 2 * c] = v.c[c].re;
        in[6 * spin + 2 * c + 1] = v.c[c].im;
      }
    }
  }
};

}  // namespace plaq::blas
