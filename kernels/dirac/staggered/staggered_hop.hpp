// The hopping terms of staggered fermions:
//   (D chi)(x) = sum_mu eta_mu(x) [ c U_mu(x) chi(x+mu) - c U_mu(x-mu)^dagger chi(x-mu)
//                                 + c' W_mu(x) chi(x+3mu) - c' W_mu(x-3mu)^dagger chi(x-3mu) ]
// with eta_x = 1, eta_y = (-1)^x, eta_z = (-1)^(x+y), eta_t = (-1)^(x+y+z) (coordinates of the whole
// lattice), and the boundary sign where a hop leaves the lattice. One-link: W = 0, U of SU(3), 570 flops a
// site. Improved (asqtad and the like): U are fat links, any 3x3 matrices, W of SU(3) the long links, which
// Naik's term has; 1146 flops. Written:
// out = a * x + b * D in, or D in alone.
//
// Hops of one step come first, then those of three. Half precision is multiplied as it is stored, in
// integers; the factors of link and vector go into the hop's weight.
#pragma once

#include <type_traits>

#include "core/field/views.hpp"
#include "kernels/dirac/hop/face_view.hpp"
#include "kernels/dirac/hop/hop_kernel.hpp"

namespace plaq {

// S: storage of vectors and links. Reconstruction: of U, or in the improved operator of W (U then has 18).
template <class TargetT, class S, int Reconstruction, bool Improved>
struct StaggeredHop : WholeVectors<StaggeredVector<typename plaq::Arch<TargetT, Compute<S>>::Real>> {
  using T = Compute<S>;
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;
  using Active = ActiveSet;
  using Mask = typename Arch::Mask;
  using Links = GaugeView<TargetT, S, Improved ? 18 : Reconstruction>;
  using LongLinks = GaugeView<TargetT, S, Reconstruction>;
  using Link = Matrix3<Real>;
  using Vectors = StaggeredView<TargetT, S>;
  using Sum = StaggeredVector<Real>;
  using Carried = StaggeredVector<Real>;
  using Face = FaceView<TargetT, S, 1>;
  static constexpr int hops = Improved ? 16 : 8, depth = Improved ? 3 : 1;
  static constexpr bool directions_alike = true;
  static constexpr bool weighted = true, scaled = Vectors::scaled;
  // 512 threads a multiprocessor where numbers are of 4 bytes and a thread has one right-hand side, else 384.
  template <int Width>
  static constexpr int threads = Width == 1 ? hop_threads<T> : 128;
  template <int Width>
  static constexpr int blocks = threads<Width> == 256 ? 2 : 3;

  Links links;
  LongLinks long_links;  // closed where the operator is not improved
  Vectors in, out, x;    // x: where out = a x + b D chi; closed for D chi alone
  T a, b;

  // U chi or W chi ahead, their daggers behind.
  template <class H>
  static PLAQ_HD Carried multiply(H, const Link& u, const Carried& chi) {
    using View = std::conditional_t<H::steps == 1, Links, LongLinks>;
    if constexpr (H::ahead) {
      return {{View::times(u, chi.s[0])}};
    } else {
      return {{View::dagger_times(u, chi.s[0])}};
    }
  }
  // +- c or c' of a hop becomes that times eta_mu(x).
  template <class H, class Lattice>
  PLAQ_HD Real at_site(H h, const Lattice& lattice, const typename Lattice::Point& point,
                       const Real& c) const {
    if (h.mu == 0) return c;
    return select(Mask(lattice.odd_before(point, h.mu)), -c, c);
  }
  template <class H>
  static PLAQ_HD void add(H, Sum& d_chi, const Carried& u_chi, const Real& c) {
#pragma unroll
    for (int k = 0; k < 3; ++k) d_chi.s[0].c[k] = fma(c, u_chi.s[0].c[k], d_chi.s[0].c[k]);
  }
  // out = a x + b D chi.
  template <class Lattice>
  PLAQ_HD void finish(const Lattice&, int, const Site& site, int rhs, Sum& d_chi) const {
    if (x) {
      const auto x_here = x.template load<Sum>(rhs, site);
#pragma unroll
      for (int c = 0; c < 3; ++c)
        d_chi.s[0].c[c] = fma(Real(b), d_chi.s[0].c[c], scale(Real(a), x_here.s[0].c[c]));
    }
    out.store(rhs, site, d_chi);
  }

  static PLAQ_HD constexpr int directions() { return 4; }
  static PLAQ_HD Sum zero() {
    Sum sum;
#pragma unroll
    for (int c = 0; c < 3; ++c) sum.s[0].c[c] = {Real(0), Real(0)};
    return sum;
  }
  // U_mu or W_mu and chi as they are stored, divided by their view's factor and by `factor`.
  template <class H, class Index>
  PLAQ_HD Link link(H h, int parity, const Index& index) const {
    if constexpr (H::steps == 1) {
      return links.load_raw(h.mu, parity, index);
    } else {
      return long_links.load_raw(h.mu, parity, index);
    }
  }
  template <class Index>
  PLAQ_HD Sum load(int rhs, const Index& index, Real& factor) const {
    return in.template load_raw<Sum>(rhs, index, factor);
  }
};

static_assert(FinishedHopFormula<StaggeredHop<BuildTarget, double, 18, false>>);
static_assert(FinishedHopFormula<StaggeredHop<BuildTarget, double, 18, true>>);

}  // namespace plaq
