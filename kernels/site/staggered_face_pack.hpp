// Packing of the faces that the hopping terms of staggered fermions need from their neighbours.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/active_set.hpp"
#include "core/lattice_view.hpp"
#include "core/views.hpp"
#include "kernels/site/face_view.hpp"

namespace plaq {

// What a rank sends: the vectors of `parity` on its slices next to an edge, in the form that the receiver
// adds (kernels/site/staggered_hop.hpp), layer by layer. For forward hops the first slice, of an improved
// operator the first three, as they are. For backward hops the last slice times its link; then, where the
// operator is improved, the last three, the farthest from the edge first, times their long links.
template <class TargetT, class S, int Reals, bool Improved>
struct StaggeredFacePack {
  using T = Compute<S>;
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;
  using Links = GaugeView<TargetT, S, Improved ? 18 : Reals>;
  using LongLinks = GaugeView<TargetT, S, Reals>;
  using Vector = StaggeredVector<Real>;
  static constexpr int layers_ahead = Improved ? 3 : 1, layers_behind = Improved ? 4 : 1;

  LatticeView<TargetT, T> lattice;
  Links links;
  LongLinks long_links;
  StaggeredView<TargetT, S> in;
  FaceView<TargetT, S, 1> send[8];  // by the receiver's directed hop
  int stride[4] = {0, 0, 0, 0};     // sites from layer to layer, by direction
  int parity;                       // of `in`
  ActiveSet active;
  std::uint32_t hops = 0;  // the directed hops that faces travel for, four bits each
  int hop_count = 0;

  void send_for(int d) {
    hops |= static_cast<std::uint32_t>(d) << (4 * hop_count);
    ++hop_count;
  }
  int inner() const { return hop_count * layers_behind * active.count(); }

  // `site` counts the sites of one layer; inner counts the active right-hand sides, then the layers, then the
  // hops.
  PLAQ_HD void operator()(const Site& site, int inner) const {
    const int rhs = active[inner % active.count()];
    const int face = inner / active.count();
    const int layer = face % layers_behind;
    switch ((hops >> (4 * (face / layers_behind))) & 0xfu) {
      case 0:
        return ahead<0>(site, rhs, layer);
      case 1:
        return behind<0>(site, rhs, layer);
      case 2:
        return ahead<1>(site, rhs, layer);
      case 3:
        return behind<1>(site, rhs, layer);
      case 4:
        return ahead<2>(site, rhs, layer);
      case 5:
        return behind<2>(site, rhs, layer);
      case 6:
        return ahead<3>(site, rhs, layer);
      default:
        return behind<3>(site, rhs, layer);
    }
  }

 private:
  template <int Mu>
  PLAQ_HD void ahead(const Site& site, int rhs, int layer) const {
    if (layer >= layers_ahead) return;
    const auto at = lattice.face_sites(parity, Mu, layer, site);
    if (!any(mask_of(at))) return;
    Real factor;
    const auto chi = in.template load_raw<Vector>(rhs, at, factor);
    send[2 * Mu].store_raw(rhs, place(site, at, layer * stride[Mu]), chi, factor);
  }
  template <int Mu>
  PLAQ_HD void behind(const Site& site, int rhs, int layer) const {
    const int extent = lattice.shape().extent[Mu];
    const bool far = Improved && layer > 0;
    const auto at = lattice.face_sites(parity, Mu, far ? extent - 4 + layer : extent - 1, site);
    if (!any(mask_of(at))) return;
    Real factor;
    auto chi = in.template load_raw<Vector>(rhs, at, factor);
    if (far) {
      chi.s[0] = LongLinks::dagger_times(long_links.load_raw(Mu, parity, at), chi.s[0]);
    } else {
      chi.s[0] = Links::dagger_times(links.load_raw(Mu, parity, at), chi.s[0]);
    }
    send[2 * Mu + 1].store_raw(rhs, place(site, at, layer * stride[Mu]), chi, factor);
  }

  // Faces differ in size, so some sites may not exist.
  static PLAQ_HD bool mask_of(const DeviceSite& s) { return s.index >= 0; }
  // Where on the face the sites of a layer that begins at `first` go.
  static PLAQ_HD Site place(const Site& site, const DeviceSite&, int first) { return {first + site.index}; }
#if !defined(__CUDACC__)
  static LaneMask mask_of(const LaneList<Arch::width>& s) { return s.mask; }
  static Site place(const Site& site, const LaneList<Arch::width>& at, int first) {
    return {first + site.index, at.mask};
  }
#endif
};

}  // namespace plaq
