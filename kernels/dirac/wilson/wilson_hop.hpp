// The Wilson hopping term, Clark et al. 2010, eq. (1):
//   (D psi)(x) = sum_mu c_mu [ (1 - gamma_mu) U_mu(x)
//     psi(x+mu) + (1 + gamma_mu) U_mu(x-mu)^dagger psi(x-mu) ]
// with c_mu = hopping weight (anisotropy) times the boundary sign where the hop leaves the lattice. The
// dagger exchanges the projectors. 1320 flops a site, 504 more with a clover term.
//
// A projector has rank 2 and commutes with links: a hop projects psi to a half spinor, multiplies that by the
// link and adds both halves of the spinor with one fma. Half precision is multiplied as it is stored, in
// integers; the factors of link and spinor go into the hop's weight.
#pragma once

#include "core/field/views.hpp"
#include "kernels/dirac/clover/chiral_block.hpp"
#include "kernels/dirac/hop/face_view.hpp"
#include "kernels/dirac/hop/hop_kernel.hpp"

namespace plaq {

// S: storage of spinors and links, the latter of `Reconstruction` reals.
template <class TargetT, class S, int Reconstruction>
struct WilsonHop {
  using T = Compute<S>;
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;
  using Active = ActiveSet;
  using Links = GaugeView<TargetT, S, Reconstruction>;
  using Link = Matrix3<Real>;
  using Vectors = SpinorView<TargetT, S>;
  using Vector = Spinor<Real>;
  using Carried = HalfSpinor<Real>;
  using Sum = Spinor<Real>;
  using Face = FaceView<TargetT, S, 2>;
  static constexpr int hops = 8, depth = 1;
  static constexpr bool directions_alike = false;  // projectors
  static constexpr bool weighted = true, scaled = Vectors::scaled;
  // 512 threads a multiprocessor where the numbers are of 4 bytes, in double 384.
  template <int Width>
  static constexpr int threads = hop_threads<T>;
  template <int Width>
  static constexpr int blocks = sizeof(T) == 4 ? 2 : 3;

  Links links;
  Vectors in, out, x;             // x: where out = a x + b D psi; closed for D psi alone
  CloverView<TargetT, S> clover;  // C multiplies D psi, or x; closed: C = 1
  bool clover_on_x = false;
  T sign = -1;  // of gamma_mu in hops ahead; for the dagger +1
  T a, b;

  // Eq. (1) is a sum over hops h, ahead and behind in each direction mu (HopKernel):
  //   D psi = 0;  for each h:  add(h, D psi, multiply(h, U_mu, project(h, psi(x +- mu))), c_mu)

  // (1 - gamma_mu) psi(x+mu)  ahead,  (1 + gamma_mu) psi(x-mu)  behind
  template <class H, class Psi>
  PLAQ_HD HalfSpinor<Real> project(H h, const Psi& psi) const {
    return plaq::project<h.mu>(psi, gamma_sign(h));
  }
  // times U_mu(x)  ahead,  U_mu(x-mu)^dagger  behind
  template <class H>
  static PLAQ_HD HalfSpinor<Real> multiply(H, const Link& u, const HalfSpinor<Real>& half) {
    if constexpr (H::ahead) {
      return Links::times(u, half);
    } else {
      return Links::dagger_times(u, half);
    }
  }
  // D psi += c_mu times the spinor with that upper half
  template <class H>
  PLAQ_HD void add(H h, Spinor<Real>& d_psi, const HalfSpinor<Real>& half, const Real& c) const {
    accumulate<h.mu>(d_psi, half, c, gamma_sign(h) * c);
  }

  // out = a x + b D psi, with C before x or before D psi.
  template <class Lattice>
  PLAQ_HD void finish(const Lattice&, int, const Site& site, int rhs, Spinor<Real>& d_psi) const {
    if (clover && !clover_on_x) clover.multiply(site, d_psi);
    if (x) {
      Spinor<Real> x_here = x.template load<Spinor<Real>>(rhs, site);
      if (clover && clover_on_x) clover.multiply(site, x_here);
      d_psi = combine(Real(a), x_here, Real(b), d_psi);
    }
    out.store(rhs, site, d_psi);
  }

  static PLAQ_HD constexpr int directions() { return 4; }
  static PLAQ_HD Spinor<Real> zero() { return zero_spinor<Real>(); }
  template <class H>
  PLAQ_HD Real gamma_sign(H) const {
    return H::ahead ? Real(sign) : -Real(sign);
  }
  // U_mu and psi as they are stored, divided by Links::factor and `factor`.
  template <class H, class Index>
  PLAQ_HD Link link(H h, int parity, const Index& index) const {
    return links.load_raw(h.mu, parity, index);
  }
  template <class Index>
  PLAQ_HD auto load(int rhs, const Index& index, Real& factor) const {
    return in.template load_offset<Spinor<Real>>(rhs, index, factor);
  }
};

static_assert(FinishedHopFormula<WilsonHop<BuildTarget, double, 18>>);

}  // namespace plaq
