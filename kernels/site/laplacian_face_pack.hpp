// Packing of the faces that the covariant Laplacian needs from its neighbours.
#pragma once

#include "kernels/site/covariant_laplacian.hpp"

namespace plaq {

// What a rank sends: the spinors of both parities on its faces in space; for the receiver's backward hop
// multiplied by our link.
template <class TargetT, class T>
struct LaplacianFacePack {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;

  LatticeView<TargetT, T> lattice;
  GaugeView<TargetT, T> links;
  SpinorView<TargetT, T> even, odd;
  SpinorView<TargetT, T> send[6];  // by the receiver's directed hop; slot = right-hand side + batch * parity
  int batch;

  // `site` counts the sites of one face; inner = slot + 2 batch * directed hop.
  PLAQ_HD void operator()(const Site& site, int inner) const {
    const int slot = inner % (2 * batch);
    switch (inner / (2 * batch)) {
      case 0:
        return ahead<0>(site, slot);
      case 1:
        return behind<0>(site, slot);
      case 2:
        return ahead<1>(site, slot);
      case 3:
        return behind<1>(site, slot);
      case 4:
        return ahead<2>(site, slot);
      default:
        return behind<2>(site, slot);
    }
  }

 private:
  // For the receiver's forward hop: our first slice.
  template <int Mu>
  PLAQ_HD void ahead(const Site& site, int slot) const {
    if (!send[2 * Mu]) return;
    const int parity = slot / batch;
    const auto at = lattice.face_sites(parity, Mu, 0, site);
    if (!any(mask_of(at))) return;
    send[2 * Mu].store(slot, trimmed(site, at), load(parity, slot % batch, at));
  }
  // For the receiver's backward hop: our last slice, multiplied by our link.
  template <int Mu>
  PLAQ_HD void behind(const Site& site, int slot) const {
    if (!send[2 * Mu + 1]) return;
    const int parity = slot / batch;
    const auto at = lattice.face_sites(parity, Mu, lattice.shape().extent[Mu] - 1, site);
    if (!any(mask_of(at))) return;
    const auto u = links.load(Mu, parity, at);
    send[2 * Mu + 1].store(slot, trimmed(site, at), dagger_times(u, load(parity, slot % batch, at)));
  }

  template <class Index>
  PLAQ_HD Spinor<Real> load(int parity, int rhs, const Index& at) const {
    return (parity == 0 ? even : odd).template load<Spinor<Real>>(rhs, at);
  }
  // Faces differ in size, so some sites may not exist.
  static PLAQ_HD bool mask_of(const DeviceSite& s) { return s.index >= 0; }
  static PLAQ_HD Site trimmed(const Site& site, const DeviceSite&) { return site; }
#if !defined(__CUDACC__)
  static LaneMask mask_of(const LaneList<Arch::width>& s) { return s.mask; }
  static Site trimmed(const Site& site, const LaneList<Arch::width>& at) { return {site.index, at.mask}; }
#endif
};

}  // namespace plaq
