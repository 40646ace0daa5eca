// One hop of the gauge-covariant Laplacian in space:
//   (Lap psi)(x) = sum_i [ U_i(x) psi(x+i) + U_i(x-i)^dagger psi(x-i) - 2 psi(x) ],  i = x, y, z.
// The links carry the boundary signs. Written: out = a psi + b (the sum of the six hops).
#pragma once

#include "core/field/views.hpp"
#include "kernels/dirac/hop/hop_kernel.hpp"

namespace plaq {

template <class TargetT, class TT>
struct LaplacianHop : OrdinaryLinks {
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
  using Piece = HopPiece<Carried, Real>;
  static constexpr int hops = 6, depth = 1;
  static constexpr bool directions_alike = true;
  static constexpr bool scaled = false;
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

  static PLAQ_HD constexpr int directions() { return 3; }
  static PLAQ_HD Sum zero() { return zero_spinor<Real>(); }

  template <class H, class Index>
  PLAQ_HD Link link(H h, int parity, const Index& index) const {
    return links.load(h.mu, parity, index);
  }
  template <class Index>
  PLAQ_HD Sum load(int rhs, const Index& index, Real&) const {
    return in.template load<Sum>(rhs, index);
  }
  template <class H>
  static PLAQ_HD Carried carry(H, const Sum& psi) {
    return psi;
  }
  template <class H>
  static PLAQ_HD Carried multiply(H, const Link& u, const Carried& psi) {
    if constexpr (H::ahead) {
      return u * psi;
    } else {
      return dagger_times(u, psi);
    }
  }
  template <class H, class Lattice, class Edge>
  static PLAQ_HD bool weight(H, const Lattice&, const typename Lattice::Point&, Edge) {
    return true;  // all hops alike
  }
  template <class H>
  static PLAQ_HD void add(H, Sum& sum, const Piece& hop, bool) {
#pragma unroll
    for (int s = 0; s < 4; ++s)
#pragma unroll
      for (int c = 0; c < 3; ++c) sum.s[s].c[c] = sum.s[s].c[c] + hop.value.s[s].c[c];
  }
  template <class Lattice>
  PLAQ_HD void finish(const Lattice&, int, const Site& site, int rhs, const Sum& sum) const {
    out.store(rhs, site, combine(Real(a), here.template load<Sum>(rhs, site), Real(b), sum));
  }

  template <class Index>
  PLAQ_HD Sum load_sent(int rhs, const Index& index, Real& factor) const {
    return load(rhs, index, factor);
  }
  template <class H>
  static PLAQ_HD Carried carry_sent(H, const Sum& psi) {
    return psi;
  }
  template <class Halo>
  static Face open_face(const Halo& halo, int d, void* memory) {
    return Face({memory, halo.face_layout(d).size()});
  }
  static PLAQ_HD void sent(const Face& face, int rhs, const Site& site, const Carried& psi, const Real&) {
    face.store(rhs, site, psi);
  }
  template <class Index>
  static PLAQ_HD Carried received(const Face& face, int rhs, const Index& index, Real&) {
    return face.template load<Carried>(rhs, index);
  }
};

}  // namespace plaq
