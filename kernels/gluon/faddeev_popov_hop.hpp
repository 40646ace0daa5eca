// The hops of the Faddeev-Popov operator of Landau gauge on 3x3 matrices w (kernels/gluon/faddeev_popov.hpp):
//   ahead   U w(x+mu) + w(x+mu) U^dagger,        U = U_mu(x)
//   behind  V^dagger w(x-mu) + w(x-mu) V,        V = U_mu(x-mu)
// Written: with S the sum of the eight hops and the diagonal K(x),
//   out = (1/4) (w K + K w - 2 S), without its trace;  or S alone where `diagonal` is closed.
#pragma once

#include "kernels/dirac/hop/hop_kernel.hpp"
#include "kernels/gluon/color_matrix_view.hpp"

namespace plaq {

template <class TargetT, class TT>
struct FaddeevPopovHop : EqualHops, WholeVectors<Matrix3<typename plaq::Arch<TargetT, TT>::Real>> {
  using T = TT;
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;
  using Active = ActiveSet;
  using Link = Matrix3<Real>;
  using Vectors = ColorMatrixView<TargetT, T>;
  using Sum = Matrix3<Real>;
  using Carried = Matrix3<Real>;
  using Face = Vectors;
  static constexpr int hops = 8, depth = 1;
  static constexpr bool directions_alike = true;
  template <int>
  static constexpr int threads = 128;
  // Three matrices of a thread fit into its registers.
  template <int>
  static constexpr int blocks = sizeof(T) == 4 ? 2 : 3;

  GaugeView<TargetT, T> links;
  Vectors in;        // of the other parity
  Vectors here;      // w(x)
  Vectors diagonal;  // K(x), one right-hand side
  Vectors out;

  template <class H>
  static PLAQ_HD Matrix3<Real> multiply(H, const Link& u, const Matrix3<Real>& w) {
    if constexpr (H::ahead) {
      return u * w + times_dagger(w, u);
    } else {
      return dagger_times(u, w) + w * u;
    }
  }
  template <class H>
  static PLAQ_HD void add(H, Sum& sum, const Matrix3<Real>& u_w, EqualWeights) {
    sum = sum + u_w;
  }
  template <class Lattice>
  PLAQ_HD void finish(const Lattice&, int, const Site& site, int rhs, const Sum& sum) const {
    if (!diagonal) return out.store(rhs, site, sum);
    const auto w = here.load(rhs, site), k = diagonal.load(0, site);
    const auto both = w * k + k * w;
    const Real quarter(T(0.25)), half(T(0.5)), third = Real(T(1)) / Real(T(3));
    Sum result;
#pragma unroll
    for (int i = 0; i < 3; ++i)
#pragma unroll
      for (int j = 0; j < 3; ++j)
        result.e[i][j] = {quarter * both.e[i][j].re - half * sum.e[i][j].re,
                          quarter * both.e[i][j].im - half * sum.e[i][j].im};
    const auto mean = scale(third, trace(result));
#pragma unroll
    for (int i = 0; i < 3; ++i) result.e[i][i] = result.e[i][i] - mean;
    out.store(rhs, site, result);
  }

  static PLAQ_HD constexpr int directions() { return 4; }
  static PLAQ_HD Sum zero() { return zero_matrix<Real>(); }
  template <class H, class Index>
  PLAQ_HD Link link(H h, int parity, const Index& index) const {
    return links.load(h.mu, parity, index);
  }
  template <class Index>
  PLAQ_HD Matrix3<Real> load(int rhs, const Index& index, Real&) const {
    return in.load(rhs, index);
  }
};

static_assert(FinishedHopFormula<FaddeevPopovHop<BuildTarget, double>>);

}  // namespace plaq
