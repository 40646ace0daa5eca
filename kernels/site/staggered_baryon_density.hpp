// eps_abc eps_a'b'c' S_aa' S_bb' S_cc' = 6 det S at one site, 0 off the corners, for both machines.
#pragma once

#include "core/field/views.hpp"
#include "core/lattice/lattice_shape.hpp"
#include "kernels/site/lane_wise.hpp"

namespace plaq {

// Runs over sites of a lattice without halo. Propagator: subfield = color of the source; 3 columns. Density:
// one subfield.
template <class TargetT>
struct StaggeredBaryonDensity {
  using Arch = plaq::Arch<TargetT, double>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;
  static constexpr int block_size = 256;

  StaggeredView<TargetT, double> quark;
  SiteArray<TargetT, double, 2> density;
  LatticeShape shape;
  int corner[3];   // x, y, z of the source modulo 2
  int odd_source;  // x + y + z of the source modulo 2
  int source_slice;
  int parity;

  PLAQ_HD void operator()(const Site& site, int) const {
    Matrix3<Real> s;
#pragma unroll
    for (int column = 0; column < 3; ++column) {
      const auto chi = quark.template load<StaggeredVector<Real>>(column, site);
#pragma unroll
      for (int c = 0; c < 3; ++c) s.e[c][column] = chi.s[0].c[c];
    }
    Real weight(0.0);
    for_each_lane(site, [&](int lane, int index) {
      const Coordinates c = shape.coordinates(parity, index);
      int off = 0;
      for (int k = 0; k < 3; ++k) off |= shape.global_coordinate(c, k) ^ corner[k];
      const int t = shape.global_coordinate(c, 3) - source_slice;
      set_lane(weight, lane, (off & 1) != 0 ? 0.0 : (t & odd_source) != 0 ? -6.0 : 6.0);
    });
    const auto det = determinant(s);
    const Real out[2] = {weight * det.re, weight * det.im};
    density.store(0, site, out);
  }
};

}  // namespace plaq
