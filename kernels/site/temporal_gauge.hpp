// Temporal gauge (kernels/gauge/temporal_gauge.hpp) at one line in time, and at one link in space. In double.
#pragma once

#include "core/field/views.hpp"
#include "core/lattice/lattice_view.hpp"

namespace plaq {

// Runs over the sites of this rank's first slice: g along their lines, each product rounded before the next,
// and U'_t.
template <class TargetT>
struct TemporalLine {
  using Arch = plaq::Arch<TargetT, double>;
  using Real = typename Arch::Real;
  using Lattice = LatticeView<TargetT, double>;
  using Point = typename Lattice::Point;

  Lattice lattice;
  GaugeView<TargetT, double> links;
  GaugeView<TargetT, double> g;  // one subfield
  // By the number of the line on the face (LatticeShape::face_index), subfield 0. May be closed.
  SiteArray<TargetT, double, 18> before, after;
  int parity;  // of the line's first site
  int slices;  // owned here
  bool last;   // of them, the last one is the lattice's

  PLAQ_HD void operator()(const typename Arch::Site& site, int) const {
    auto x = lattice.point(parity, site);
    const auto line = lattice.face_index(x, 3);
    auto product = unit_matrix<Real>();
    if (before) {
      Real r[18];
      before.load(0, line, r);
      unpack_rows<3>(r, product);
    }
#pragma unroll 1
    for (int t = 0; t < slices; ++t) {
      const auto u = links.load_mutable(3, x.parity, Lattice::index(x));
      const auto here = places(x);
      g.store(0, x.parity, here, product);
      product = product * u;
      links.store(3, x.parity, here, last && t == slices - 1 ? product : unit_matrix<Real>());
      x = lattice.step(x, 3, true);
    }
    if (after) {
      Real r[18];
      pack_rows<3>(product, r);
      after.store(0, as_site(line), r);
    }
  }

 private:
  static PLAQ_HD DeviceSite as_site(int line) { return {line}; }
  static PLAQ_HD DeviceSite places(const typename LatticeView<Device, double>::Point& x) { return {x.index}; }
#if !defined(__CUDACC__)
  static const LaneList<Arch::width>& as_site(const LaneList<Arch::width>& lines) { return lines; }
  static LaneList<Arch::width> places(const typename LatticeView<Host, double>::Point& x) {
    if (x.stepped) return x.list;
    LaneList<Arch::width> list;
    list.mask = x.site.mask;
    for (int l = 0; l < Arch::width; ++l) list.lane[l] = x.site.index + l;
    return list;
  }
#endif
};

// U'_mu(x) = g(x) U_mu(x) g(x+mu)^dagger in place. Inner index: direction.
template <class TargetT>
struct TransformLinks {
  using Arch = plaq::Arch<TargetT, double>;

  LatticeView<TargetT, double> lattice;
  GaugeView<TargetT, double> links, g;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int mu) const {
    const auto ahead = lattice.neighbor(lattice.point(parity, site), mu, true);
    const auto u = g.load(0, parity, site) * links.load_mutable(mu, parity, site);
    links.store(mu, parity, site, times_dagger(u, g.load(0, 1 - parity, ahead)));
  }
};

}  // namespace plaq
