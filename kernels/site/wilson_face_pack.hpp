// Packing of the faces that the Wilson hopping term needs from its neighbours.
#pragma once

#include <cstdint>

#include "core/active_set.hpp"
#include "core/lattice_view.hpp"
#include "core/views.hpp"
#include "kernels/site/face_view.hpp"

namespace plaq {

// What a rank sends for the hopping term: the half spinors of `parity` on its faces, in the form that the
// receiver adds (kernels/site/wilson_hop.hpp).
template <class TargetT, class S, int Reals>
struct WilsonFacePack {
  using T = Compute<S>;
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;

  using Links = GaugeView<TargetT, S, Reals>;

  LatticeView<TargetT, T> lattice;
  Links links;
  SpinorView<TargetT, S> in;
  FaceView<TargetT, S> send[8];  // by the receiver's directed hop
  T projector_sign;
  bool unit_time = false;  // the links that leave the last slice in t are 1, and not multiplied
  int parity;              // of `in`
  ActiveSet active;
  std::uint32_t hops = 0;  // the directed hops that faces travel for, four bits each
  int hop_count = 0;

  void send_for(int d) {
    hops |= static_cast<std::uint32_t>(d) << (4 * hop_count);
    ++hop_count;
  }
  int inner() const { return hop_count * active.count(); }

  // `site` counts the sites of one face; inner counts the active right-hand sides, then the hops.
  PLAQ_HD void operator()(const Site& site, int inner) const {
    const int rhs = active[inner % active.count()];
    switch ((hops >> (4 * (inner / active.count()))) & 0xfu) {
      case 0:
        return ahead<0>(site, rhs);
      case 1:
        return behind<0>(site, rhs);
      case 2:
        return ahead<1>(site, rhs);
      case 3:
        return behind<1>(site, rhs);
      case 4:
        return ahead<2>(site, rhs);
      case 5:
        return behind<2>(site, rhs);
      case 6:
        return ahead<3>(site, rhs);
      default:
        return behind<3>(site, rhs);
    }
  }

 private:
  // For the receiver's forward hop: our first slice, projected.
  template <int Mu>
  PLAQ_HD void ahead(const Site& site, int rhs) const {
    const auto at = face_sites<Mu>(site, 0);
    if (!any(mask_of(at))) return;
    Real factor;
    const auto psi = in.template load_raw<Spinor<Real>>(rhs, at, factor);
    send[2 * Mu].store_raw(rhs, trimmed(site, at), project<Mu>(psi, Real(projector_sign)), factor);
  }
  // For the receiver's backward hop: our last slice, projected and multiplied by our link.
  template <int Mu>
  PLAQ_HD void behind(const Site& site, int rhs) const {
    const auto at = face_sites<Mu>(site, lattice.shape().extent[Mu] - 1);
    if (!any(mask_of(at))) return;
    Real factor;
    const auto psi = in.template load_raw<Spinor<Real>>(rhs, at, factor);
    auto h = project<Mu>(psi, -Real(projector_sign));
    if (Mu != 3 || !unit_time) h = Links::dagger_times(links.load_raw(Mu, parity, at), h);
    send[2 * Mu + 1].store_raw(rhs, trimmed(site, at), h, factor);
  }

  // Checkerboard indices of the face's sites; faces differ in size, so some may not exist.
  template <int Mu>
  PLAQ_HD auto face_sites(const Site& site, int slice) const {
    return lattice.face_sites(parity, Mu, slice, site);
  }
  static PLAQ_HD bool mask_of(const DeviceSite& s) { return s.index >= 0; }
  static PLAQ_HD Site trimmed(const Site& site, const DeviceSite&) { return site; }
#if !defined(__CUDACC__)
  static LaneMask mask_of(const LaneList<Arch::width>& s) { return s.mask; }
  static Site trimmed(const Site& site, const LaneList<Arch::width>& at) { return {site.index, at.mask}; }
#endif
};

}  // namespace plaq
