// One hop of the Wilson hopping term, Clark et al. 2010, eq. (1):
//   (D psi)(x) = sum_mu c_mu [ (1 - gamma_mu) U_mu(x) psi(x+mu) + (1 + gamma_mu) U_mu(x-mu)^dagger psi(x-mu) ]
// with c_mu = hopping weight (anisotropy) times the boundary sign where the hop leaves the lattice; the dagger
// exchanges the projectors. 1320 flops a site. Written: out = a * x + b * D in, or D in alone; with the chiral blocks C
// of a clover term, 504 flops more, they multiply either D in or x.
//
// A projector has rank 2: a hop carries a half spinor, which is multiplied by the link and added with one fma. Half
// precision is multiplied as it is stored, in integers; the factors of link and spinor go into the hop's weight.
// Temporal gauge (section 4.3): time links that are 1 are neither read nor multiplied, at home as in faces.
#pragma once

#include "core/field/views.hpp"
#include "kernels/dirac/clover/chiral_block.hpp"
#include "kernels/dirac/hop/face_view.hpp"
#include "kernels/dirac/hop/hop_kernel.hpp"
#include "kernels/dirac/wilson/hop_weights.hpp"

namespace plaq {

enum class TimeLinks {
  ordinary,  // read and multiplied, whatever they are
  unit,      // 1, but where hops cross the edge of the lattice
  either,    // as the weights say, asked at every site
};

// S: storage of spinors and links, the latter of `Reals` reals.
template <class TargetT, class S, int Reals, TimeLinks Time>
struct WilsonHop {
  using T = Compute<S>;
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;
  using Active = ActiveSet;
  using Mask = typename Arch::Mask;
  using Links = GaugeView<TargetT, S, Reals>;
  using Link = Matrix3<Real>;
  using Vectors = SpinorView<TargetT, S>;
  using Sum = Spinor<Real>;
  using Carried = HalfSpinor<Real>;
  using Face = FaceView<TargetT, S, 2>;
  using Piece = HopPiece<Carried, Real>;
  static constexpr int hops = 8, depth = 1;
  static constexpr bool directions_alike = false;  // projectors
  static constexpr bool scaled = Vectors::scaled;
  // 512 threads a multiprocessor where the numbers are of 4 bytes, in double 384.
  template <int Width>
  static constexpr int threads = hop_threads<T>;
  template <int Width>
  static constexpr int blocks = sizeof(T) == 4 ? 2 : 3;

  Links links;
  Vectors in, out, add_to;        // out = a add_to + b D in where `add_to` is open
  CloverView<TargetT, S> clover;  // may be closed
  bool clover_on_add = false;     // C multiplies add_to instead of D in
  HopWeights<T> weights;          // times the factor that raw links are to be multiplied with
  T a, b;

  static PLAQ_HD constexpr int directions() { return 4; }
  static PLAQ_HD Sum zero() { return zero_spinor<Real>(); }

  // U_mu at a site of `parity`, divided by Links::factor.
  template <class H, class Index>
  PLAQ_HD Link link(H h, int parity, const Index& index) const {
    return links.load_raw(h.mu, parity, index);
  }
  template <class H, class Index>
  PLAQ_HD typename Links::Packed packed_link(H h, int parity, const Index& index) const {
    return links.load_packed(h.mu, parity, index);
  }

  // psi(x+mu) or psi(x-mu), divided by `factor`, every component with Vectors::offset added.
  template <class Index>
  PLAQ_HD Spinor<Real> load(int rhs, const Index& index, Real& factor) const {
    return in.template load_offset<Spinor<Real>>(rhs, index, factor);
  }
  // The same of sites that were staged in shared memory.
  template <int Capacity, class Address>
  static PLAQ_HD Spinor<Real> load_staged(const Address& memory, unsigned place, Real& factor) {
    return Vectors::template load_staged<Spinor<Real>, Capacity>(memory, place, factor);
  }
  // (1 - gamma_mu) psi ahead, (1 + gamma_mu) psi behind.
  template <class H>
  PLAQ_HD Carried carry(H h, const Spinor<Real>& psi) const {
    if constexpr (Vectors::offset != 0) {
      return project_shifted<h.mu>(psi, sign(h), Real(Vectors::offset));
    } else {
      return project<h.mu>(psi, sign(h));
    }
  }
  template <class H>
  static PLAQ_HD Carried multiply(H, const Link& u, const Carried& half) {
    if constexpr (H::ahead) {
      return Links::times(u, half);
    } else {
      return Links::dagger_times(u, half);
    }
  }
  // c_mu.
  template <class H, class Lattice, class Edge>
  PLAQ_HD Real weight(H h, const Lattice&, const typename Lattice::Point&, Edge edge) const {
    return select(edge, Real(weights.across[h.face()]), Real(weights.inside[h.face()]));
  }
  template <class H>
  PLAQ_HD void add(H h, Sum& sum, const Piece& hop, const Real& c) const {
    Real weight = c;
    if constexpr (scaled) weight = c * hop.factor;
    accumulate<h.mu>(sum, hop.value, weight, sign(h) * weight);
  }
  // What follows D in: clover blocks, x, and the store.
  template <class Lattice>
  PLAQ_HD void finish(const Lattice&, int, const Site& site, int rhs, Sum& sum) const {
    if (clover && !clover_on_add) multiply_blocks(site, sum);
    if (add_to) {
      Spinor<Real> x = add_to.template load<Spinor<Real>>(rhs, site);
      if (clover && clover_on_add) multiply_blocks(site, x);
      sum = combine(Real(a), x, Real(b), sum);
    }
    out.store(rhs, site, sum);
  }

  // What a face carries: a half spinor, projected by the sender.
  template <class Index>
  PLAQ_HD Spinor<Real> load_sent(int rhs, const Index& index, Real& factor) const {
    return in.template load_raw<Spinor<Real>>(rhs, index, factor);
  }
  template <class H>
  PLAQ_HD Carried carry_sent(H h, const Spinor<Real>& psi) const {
    return project<h.mu>(psi, sign(h));
  }
  template <class Halo>
  static Face open_face(const Halo& halo, int d, void* memory) {
    return {memory, halo.face_layout(d).size(), halo.spec().precision == Precision::half_precision};
  }
  static PLAQ_HD void sent(const Face& face, int rhs, const Site& site, const Carried& h,
                           const Real& factor) {
    face.store_raw(rhs, site, h, factor);
  }
  template <class Index>
  static PLAQ_HD Carried received(const Face& face, int rhs, const Index& index, Real& factor) {
    return face.template load_raw<Carried>(rhs, index, factor);
  }

  // Where the link of a hop is 1: for some lanes of a group on the host.
  template <class H>
  static constexpr bool may_be_unit = H{}.mu == 3 && Time != TimeLinks::ordinary;
  template <class H, class Edge>
  PLAQ_HD Mask unit_link(H, Edge edge) const {
    if constexpr (!may_be_unit<H>) {
      return Mask{};
    } else {
      return one_of(edge, weights.unit_across[H::ahead ? 0 : 1],
                    Time == TimeLinks::unit || weights.unit_inside);
    }
  }
  static PLAQ_HD bool all_unit(bool unit) { return unit; }
  // Whether the link that leaves our last slice is 1.
  template <class H>
  PLAQ_HD bool unit_sent(H h) const {
    return h.mu == 3 && weights.unit_across[0];
  }
#if !defined(__CUDACC__)
  static constexpr LaneMask every_lane = static_cast<LaneMask>((std::uint64_t{1} << Arch::width) - 1);
  static PLAQ_HD bool all_unit(LaneMask unit) { return unit == every_lane; }
#endif

 private:
  template <class H>
  PLAQ_HD Real sign(H) const {
    return H::ahead ? Real(weights.projector_sign) : -Real(weights.projector_sign);
  }
  static PLAQ_HD bool one_of(bool edge, bool across, bool inside) { return edge ? across : inside; }
#if !defined(__CUDACC__)
  static PLAQ_HD LaneMask one_of(LaneMask edge, bool across, bool inside) {
    return (across ? edge : 0) | (inside ? every_lane & ~edge : 0);
  }
#endif

  PLAQ_HD void multiply_blocks(const Site& site, Spinor<Real>& psi) const {
#pragma unroll
    for (int chirality = 0; chirality < 2; ++chirality) {
      Real factor;
      const auto block = clover.load_raw(chirality, site, factor);
      multiply_chirality(psi, chirality, block);
      if constexpr (scaled) {
#pragma unroll
        for (int s = 2 * chirality; s < 2 * chirality + 2; ++s)
#pragma unroll
          for (int c = 0; c < 3; ++c) psi.s[s].c[c] = scale(factor, psi.s[s].c[c]);
      }
    }
  }
};

}  // namespace plaq
