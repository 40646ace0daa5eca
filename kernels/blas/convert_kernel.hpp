// Vector updates between two precisions at one place.
#pragma once

#include <type_traits>

#include "kernels/blas/kernel.hpp"

namespace plaq::blas {

// The wider computing precision of two storages.
template <class A, class B>
using Wider = std::conditional_t<sizeof(Compute<A>) >= sizeof(Compute<B>), Compute<A>, Compute<B>>;

// N: reals of a site; a right-hand side is `slices` slots. to = c0 from, or to = to + c0 from where `add`
// says so; with a frame g, g from or, added, g^dagger from.
template <class TargetT, class To, class From, int N>
struct Convert {
  using T = Wider<To, From>;
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;

  SiteArray<TargetT, T, N, To, has_quantum<To>> to;
  SiteArray<TargetT, T, N, From, has_quantum<From>> from;
  SiteArray<TargetT, T, 18, float> frame;  // may be closed
  CoefficientList coefficients;
  int slices;
  bool add;

  PLAQ_HD void operator()(const typename Arch::Site& site, int inner) const {
    const int k = slices == 1 ? inner : inner / slices;
    const CoefficientList::Set mine = coefficients[k];
    const int slot = coefficients.active[k] * slices + (inner - k * slices);
    const Complex<Real> c{Real(static_cast<T>(mine.value[0])), Real(static_cast<T>(mine.value[1]))};
    Real in[N], sum[N];
    from.load_mutable(slot, site, in);
    if (frame) change_gauge(site, in);
    if (add) {
      to.load_mutable(slot, site, sum);
    } else {
#pragma unroll
      for (int r = 0; r < N; ++r) sum[r] = Real(T(0));
    }
#pragma unroll
    for (int r = 0; r < N; r += 2) {
      const auto z = fma(c, Complex<Real>{in[r], in[r + 1]}, Complex<Real>{sum[r], sum[r + 1]});
      sum[r] = z.re;
      sum[r + 1] = z.im;
    }
    to.store(slot, site, sum);
  }

 private:
  PLAQ_HD void change_gauge(const typename Arch::Site& site, Real (&in)[N]) const {
    Real r[18];
    frame.load(0, site, r);
    Matrix3<Real> g;
    unpack_rows<3>(r, g);
#pragma unroll
    for (int spin = 0; spin < N / 6; ++spin) {
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
