// The sum of |S|^2 over the colors of sink and source at one site, for both machines.
#pragma once

#include "core/field/views.hpp"

namespace plaq {

// Runs over sites. Propagator: subfield = color of the source; 3 columns. Density: one subfield, imaginary part 0.
template <class TargetT>
struct StaggeredDensity {
  using Arch = plaq::Arch<TargetT, double>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;
  static constexpr int block_size = 256;

  StaggeredView<TargetT, double> quark;
  SiteArray<TargetT, double, 2> density;

  PLAQ_HD void operator()(const Site& site, int) const {
    Real sum(0.0);
#pragma unroll
    for (int column = 0; column < 3; ++column) {
      const auto chi = quark.template load<StaggeredVector<Real>>(column, site);
#pragma unroll
      for (int c = 0; c < 3; ++c) {
        sum = fma(chi.s[0].c[c].re, chi.s[0].c[c].re, sum);
        sum = fma(chi.s[0].c[c].im, chi.s[0].c[c].im, sum);
      }
    }
    const Real out[2] = {sum, Real(0.0)};
    density.store(0, site, out);
  }
};

}  // namespace plaq
