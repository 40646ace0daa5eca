// The gauge-covariant Laplacian in space:
//   (Lap psi)(x) = sum_i [ U_i(x) psi(x+i) + U_i(x-i)^dagger psi(x-i) - 2 psi(x) ],  i = x, y, z.
// The links carry the boundary signs. Written: out = a psi + b (the sum of the six hops).
#pragma once

#include "core/field/views.hpp"
#include "kernels/dirac/hop/hop_kernel.hpp"

namespace plaq {

template <class TargetT, class TT>
struct LaplacianHop : EqualHops, WholeVectors<Spinor<typename plaq::Arch<TargetT, TT>::Real>> {
  using T = TT;
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;
  using Active = ActiveSet;
  using Link = Matrix3<Real>;
  using Vectors = SpinorView<TargetT, T>;
  using Sum = Spinor<Real>;
  using Carried = Spinor<Real>;
  using Face = Vectors;
  static constexpr int hops = 6, depth = 1;
  static constexpr bool directions_alike = true;
  template <int>
  static constexpr int threads = 128;
  // A spinor, a sum and a link still fit.
  template <int>
  static constexpr int blocks = sizeof(T) == 4 ? 2 : 3;

  GaugeView<TargetT, T> links;
  Vectors in;    // of the other parity
  Vectors here;  // psi(x)
  Vectors out;
  T a, b;

  // U_i(x) psi(x+i) ahead, U_i(x-i)^dagger psi(x-i) behind.
  template <class H>
  static PLAQ_HD Spinor<Real> multiply(H, const Link& u, const Spinor<Real>& psi) {
    if constexpr (H::ahead) {
      return u * psi;
    } else {
      return dagger_times(u, psi);
    }
  }
  template <class H>
  static PLAQ_HD void add(H, Sum& sum, const Spinor<Real>& u_psi, EqualWeights) {
#pragma unroll
    for (int s = 0; s < 4; ++s)
#pragma unroll
      for (int c = 0; c < 3; ++c) sum.s[s].c[c] = sum.s[s].c[c] + u_psi.s[s].c[c];
  }
  template <class Lattice>
  PLAQ_HD void finish(const Lattice&, int, const Site& site, int rhs, const Sum& sum) const {
    out.store(rhs, site, combine(Real(a), here.template load<Sum>(rhs, site), Real(b), sum));
  }

  static PLAQ_HD constexpr int directions() { return 3; }
  static PLAQ_HD Sum zero() { return zero_spinor<Real>(); }
  template <class H, class Index>
  PLAQ_HD Link link(H h, int parity, const Index& index) const {
    return links.load(h.mu, parity, index);
  }
  template <class Index>
  PLAQ_HD Sum load(int rhs, const Index& index, Real& factor) const {
    return in.template load_raw<Sum>(rhs, index, factor);
  }
};

static_assert(FinishedHopFormula<LaplacianHop<BuildTarget, double>>);

}  // namespace plaq
