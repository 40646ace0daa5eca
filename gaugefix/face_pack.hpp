// What neighbours of a rank need of its g (gaugefix/site_gather.hpp).
#pragma once

#include "core/lattice_view.hpp"
#include "gaugefix/matrix_view.hpp"

namespace plaq {

// On the sites of `parity` of each face: for the receiver's forward hop g of our first slice, for its
// backward hop g U of our last one, the product as the receiver would have it at home.
template <class TargetT, class L, class T, class A, int Reals>
struct GaugeFacePack {
  using Arch = plaq::Arch<TargetT, T>;
  using Site = typename Arch::Site;

  LatticeView<TargetT, T> lattice;
  MatrixView<TargetT, T, A, Reals, L> links;    // slot 2 mu + parity
  TransformationView<TargetT, T, A, T> g;       // slot 2 copy + parity
  MatrixView<TargetT, T, A, Reals, A> send[8];  // by the receiver's directed hop, slot copy; closed: nothing
                                                // travels
  int parity = 0;

  // `site` counts the sites of one face; inner = directed hop + 8 copy.
  PLAQ_HD void operator()(const Site& site, int inner) const {
    const int copy = inner / 8;
    switch (inner % 8) {
      case 0:
        return ahead<0>(site, copy);
      case 1:
        return behind<0>(site, copy);
      case 2:
        return ahead<1>(site, copy);
      case 3:
        return behind<1>(site, copy);
      case 4:
        return ahead<2>(site, copy);
      case 5:
        return behind<2>(site, copy);
      case 6:
        return ahead<3>(site, copy);
      default:
        return behind<3>(site, copy);
    }
  }

 private:
  template <int Mu>
  PLAQ_HD void ahead(const Site& site, int copy) const {
    if (!send[2 * Mu]) return;
    const auto at = lattice.face_sites(parity, Mu, 0, site);
    if (!any(mask_of(at))) return;
    send[2 * Mu].store(copy, trimmed(site, at), g.load(2 * copy + parity, at));
  }
  template <int Mu>
  PLAQ_HD void behind(const Site& site, int copy) const {
    if (!send[2 * Mu + 1]) return;
    const auto at = lattice.face_sites(parity, Mu, lattice.shape().extent[Mu] - 1, site);
    if (!any(mask_of(at))) return;
    send[2 * Mu + 1].store(copy, trimmed(site, at),
                           product<Reals>(g.load(2 * copy + parity, at), links.load(2 * Mu + parity, at)));
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
