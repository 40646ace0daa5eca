// One hop of the Faddeev-Popov operator of Landau gauge on 3x3 matrices w (kernels/gluon/faddeev_popov.hpp):
//   ahead   U w(x+mu) + w(x+mu) U^dagger,        U = U_mu(x)
//   behind  V^dagger w(x-mu) + w(x-mu) V,        V = U_mu(x-mu)
// Written: with S the sum of the eight hops and the diagonal K(x),
//   out = (1/4) (w K + K w - 2 S), without its trace;  or S alone where `diagonal` is closed.
#pragma once

#include "kernels/dirac/hop/hop_kernel.hpp"
#include "kernels/gluon/color_matrix_view.hpp"

namespace plaq {

template <class TargetT, class TT>
struct FaddeevPopovHop : OrdinaryLinks {
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
  using Piece = HopPiece<Carried, Real>;
  static constexpr int hops = 8, depth = 1;
  static constexpr bool directions_alike = true;
  static constexpr bool scaled = false;
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

  static PLAQ_HD constexpr int directions() { return 4; }
  static PLAQ_HD Sum zero() { return zero_matrix<Real>(); }

  template <class H, class Index>
  PLAQ_HD Link link(H h, int parity, const Index& index) const {
    return links.load(h.mu, parity, index);
  }
  template <class Index>
  PLAQ_HD Carried load(int rhs, const Index& index, Real&) const {
    return in.load(rhs, index);
  }
  template <class H>
  static PLAQ_HD Carried carry(H, const Carried& w) {
    return w;
  }
  template <class H>
  static PLAQ_HD Carried multiply(H, const Link& u, const Carried& w) {
    if constexpr (H::ahead) {
      return u * w + times_dagger(w, u);
    } else {
      return dagger_times(u, w) + w * u;
    }
  }
  template <class H, class Lattice, class Edge>
  static PLAQ_HD bool weight(H, const Lattice&, const typename Lattice::Point&, Edge) {
    return true;  // all hops alike
  }
  template <class H>
  static PLAQ_HD void add(H, Sum& sum, const Piece& hop, bool) {
    sum = sum + hop.value;
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

  template <class Index>
  PLAQ_HD Carried load_sent(int rhs, const Index& index, Real& factor) const {
    return load(rhs, index, factor);
  }
  template <class H>
  static PLAQ_HD Carried carry_sent(H, const Carried& w) {
    return w;
  }
  template <class Halo>
  static Face open_face(const Halo& halo, int d, void* memory) {
    return Face({memory, halo.face_layout(d).size()});
  }
  static PLAQ_HD void sent(const Face& face, int rhs, const Site& site, const Carried& w, const Real&) {
    face.store(rhs, site, w);
  }
  template <class Index>
  static PLAQ_HD Carried received(const Face& face, int rhs, const Index& index, Real&) {
    return face.load(rhs, index);
  }
};

}  // namespace plaq
