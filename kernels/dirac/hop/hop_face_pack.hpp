// Packing of the faces that a hopping term needs from its neighbours, for any discretisation: in the form in
// which the receiver adds it (kernels/dirac/hop/hop_kernel.hpp).
//
// For hops ahead the first slice, or the first three where hops take three steps, as P_h leaves it. For hops
// behind the last slice times its link, then, where hops take three steps, the last three, the farthest from
// the edge first, times theirs.
#pragma once

#include <cstdint>

#include "core/lattice/lattice_view.hpp"
#include "core/operator/active_set.hpp"
#include "kernels/dirac/hop/hop_faces.hpp"
#include "kernels/dirac/hop/hop_formula.hpp"
#include "kernels/dirac/hop/time_links.hpp"

namespace plaq {

// Time: says if links in t may be 1.
template <class HopT, TimeLinks Time = TimeLinks::ordinary>
struct HopFacePack {
  static_assert(HopFormula<HopT>);
  using Hop = HopT;
  using Arch = typename Hop::Arch;
  using Site = typename Arch::Site;
  using Real = typename Hop::Real;
  using Face = typename Hop::Face;
  static constexpr bool far = Hop::depth > 1;
  static constexpr int layers_ahead = far ? 3 : 1, layers_behind = far ? 4 : 1;

  LatticeView<typename Arch::Target, typename Hop::T> lattice;
  Hop hop;
  Face send[8];                  // by the receiver's directed hop
  int stride[4] = {0, 0, 0, 0};  // sites from layer to layer, by direction
  int first = 0;                 // subfield of the first right-hand side on the faces
  int parity;                    // of what is sent
  typename Hop::Active active;
  bool unit_time_link = false;  // whether the links that leave our last slice in t are 1
  std::uint32_t hops = 0;       // the directed hops that faces travel for, four bits each
  int hop_count = 0;

  template <class Halo>
  void send_to(const Halo& halo) {
    for (int d = 0; d < 8; ++d) {
      if (!halo.exchanges(d / 2)) continue;
      send[d] = open_face<Face>(halo, d, halo.send(d));
      stride[d / 2] = halo.layer_stride(d);
      hops |= static_cast<std::uint32_t>(d) << (4 * hop_count);
      ++hop_count;
    }
  }
  int inner() const { return hop_count * layers_behind * active.count(); }

  // `site` counts the sites of one layer; inner counts the active right-hand
  // sides, then the layers, then the hops.
  PLAQ_HD void operator()(const Site& site, int inner) const {
    const int rhs = active[inner % active.count()];
    const int face = inner / active.count();
    const int layer = layers_behind == 1 ? 0 : face % layers_behind;
    const int d = static_cast<int>((hops >> (4 * (face / layers_behind))) & 0xfu);
    with_direction(d / 2, [&](auto mu) {
      if (d % 2 == 0) {
        ahead(DirectedHop<true, 1, decltype(mu)>{mu}, site, rhs, layer);
      } else {
        behind(DirectedHop<false, 1, decltype(mu)>{mu}, site, rhs, layer);
      }
    });
  }

 private:
  // f(mu), as DirectedHop has it.
  template <class F>
  static PLAQ_HD void with_direction(int mu, const F& f) {
    if constexpr (shares_directions<Hop>) {
      f(mu);
    } else if (mu == 0) {
      f(std::integral_constant<int, 0>());
    } else if (mu == 1) {
      f(std::integral_constant<int, 1>());
    } else if (mu == 2) {
      f(std::integral_constant<int, 2>());
    } else {
      f(std::integral_constant<int, 3>());
    }
  }
  template <class H>
  PLAQ_HD void ahead(H h, const Site& site, int rhs, int layer) const {
    if (layers_ahead < layers_behind && layer >= layers_ahead) return;
    const auto at = lattice.face_sites(parity, h.mu, layer, site);
    if (!any(mask_of(at))) return;
    Real factor;
    const auto vector = hop.load(rhs, at, factor);
    put(h, site, at, rhs, layer, hop.project(h, vector), factor);
  }
  template <class H>
  PLAQ_HD void behind(H h, const Site& site, int rhs, int layer) const {
    const int extent = lattice.shape().extent[h.mu];
    const bool third = far && layer > 0;
    const auto at = lattice.face_sites(parity, h.mu, third ? extent - 4 + layer : extent - 1, site);
    if (!any(mask_of(at))) return;
    Real factor;
    const auto vector = hop.load(rhs, at, factor);
    auto carried = hop.project(h, vector);
    if (third) {
      if constexpr (far) multiply(DirectedHop<false, 3, decltype(h.mu)>{h.mu}, at, carried);
    } else if (Time == TimeLinks::ordinary || h.mu != 3 || !unit_time_link) {
      multiply(h, at, carried);
    }
    put(h, site, at, rhs, layer, carried, factor);
  }
  template <class H, class At>
  PLAQ_HD void multiply(H h, const At& at, typename Hop::Carried& carried) const {
    carried = Hop::multiply(h, hop.link(h, parity, at), carried);
  }

  template <class H, class At, class Carried>
  PLAQ_HD void put(H h, const Site& site, const At& at, int rhs, int layer, const Carried& carried,
                   const Real& factor) const {
    send[h.face()].store_raw(first + rhs, place(site, at, layers_behind == 1 ? 0 : layer * stride[h.mu]),
                             carried, factor);
  }
  // Faces differ in size, so some sites may not exist.
  static PLAQ_HD bool mask_of(const DeviceSite& s) { return s.index >= 0; }
  // Place on the face of the sites of a layer that begins at `start`.
  static PLAQ_HD Site place(const Site& site, const DeviceSite&, int start) { return {start + site.index}; }
#if !defined(__CUDACC__)
  static LaneMask mask_of(const LaneList<Arch::width>& s) { return s.mask; }
  static Site place(const Site& site, const LaneList<Arch::width>& at, int start) {
    return {start + site.index, at.mask};
  }
#endif
};

}  // namespace plaq
