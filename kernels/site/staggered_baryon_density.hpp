// Local baryons of staggered quarks at one site, 0 off the corners, for both machines.
#pragma once

#include "core/field/views.hpp"
#include "core/lattice/lattice_shape.hpp"
#include "kernels/site/lane_wise.hpp"

namespace plaq {

// (-1)^(t (x_0 + y_0 + z_0)) on the corners of spatial cubes that the source is one of, 0 on other sites.
template <class TargetT>
struct BaryonCorners {
  using Arch = plaq::Arch<TargetT, double>;
  using Real = typename Arch::Real;

  LatticeShape shape;
  int corner[3];   // x, y, z of the source modulo 2
  int odd_source;  // x + y + z of the source modulo 2
  int source_slice;
  int parity;

  PLAQ_HD Real weight(const typename Arch::Site& site) const {
    Real weight(0.0);
    for_each_lane(site, [&](int lane, int index) {
      const Coordinates c = shape.coordinates(parity, index);
      int off = 0;
      for (int k = 0; k < 3; ++k) off |= shape.global_coordinate(c, k) ^ corner[k];
      const int t = shape.global_coordinate(c, 3) - source_slice;
      set_lane(weight, lane, (off & 1) != 0 ? 0.0 : (t & odd_source) != 0 ? -1.0 : 1.0);
    });
    return weight;
  }
};

// A propagator at a site, [color of the sink][color of the source]; subfield = color of the source.
template <class TargetT>
PLAQ_HD auto staggered_matrix(const StaggeredView<TargetT, double>& quark,
                              const typename plaq::Arch<TargetT, double>::Site& site) {
  using Real = typename plaq::Arch<TargetT, double>::Real;
  Matrix3<Real> s;
#pragma unroll
  for (int column = 0; column < 3; ++column) {
    const auto chi = quark.template load<StaggeredVector<Real>>(column, site);
#pragma unroll
    for (int c = 0; c < 3; ++c) s.e[c][column] = chi.s[0].c[c];
  }
  return s;
}

// eps_abc eps_a'b'c' S_aa' S_bb' S_cc' = 6 det S. Runs over sites of a lattice without halo. Density: one
// subfield.
template <class TargetT>
struct StaggeredBaryonDensity {
  using Arch = plaq::Arch<TargetT, double>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;
  static constexpr int block_size = 256;

  StaggeredView<TargetT, double> quark;
  SiteArray<TargetT, double, 2> density;
  BaryonCorners<TargetT> corners;

  PLAQ_HD void operator()(const Site& site, int) const {
    const auto det = determinant(staggered_matrix<TargetT>(quark, site));
    const Real weight = Real(6.0) * corners.weight(site);
    const Real out[2] = {weight * det.re, weight * det.im};
    density.store(0, site, out);
  }
};

// eps_abc eps_a'b'c' S1_aa' S2_bb' S3_cc' of three quarks.
template <class TargetT>
struct StaggeredBaryonsDensity {
  using Arch = plaq::Arch<TargetT, double>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;
  static constexpr int block_size = 128;

  StaggeredView<TargetT, double> first, second, third;
  SiteArray<TargetT, double, 2> density;
  BaryonCorners<TargetT> corners;

  PLAQ_HD void operator()(const Site& site, int) const {
    const auto s1 = staggered_matrix<TargetT>(first, site), s2 = staggered_matrix<TargetT>(second, site),
               s3 = staggered_matrix<TargetT>(third, site);
    Complex<Real> sum{Real(0.0), Real(0.0)};
#pragma unroll
    for (int a = 0; a < 3; ++a)
#pragma unroll
      for (int d = 0; d < 3; ++d) {
        const int b = (a + 1) % 3, c = (a + 2) % 3, e = (d + 1) % 3, f = (d + 2) % 3;
        const Complex<Real> others = s2.e[b][e] * s3.e[c][f] + s2.e[c][f] * s3.e[b][e] -
                                     (s2.e[b][f] * s3.e[c][e] + s2.e[c][e] * s3.e[b][f]);
        sum = fma(s1.e[a][d], others, sum);
      }
    const Real weight = corners.weight(site);
    const Real out[2] = {weight * sum.re, weight * sum.im};
    density.store(0, site, out);
  }
};

}  // namespace plaq
