// The sum of S1_ab S2_ab^* over the colors of sink and source at one site, for both machines.
#pragma once

#include "core/field/views.hpp"

namespace plaq {

// Runs over sites. Propagators: subfield = color of the source; 3 columns. Density: one subfield. Where both
// are the same numbers the imaginary part is 0 to the bit: no product of it is rounded with another.
template <class TargetT>
struct StaggeredDensity {
  using Arch = plaq::Arch<TargetT, double>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;
  static constexpr int block_size = 256;

  StaggeredView<TargetT, double> first, second;
  SiteArray<TargetT, double, 2> density;

  PLAQ_HD void operator()(const Site& site, int) const {
    Real sum(0.0), imaginary(0.0);
#pragma unroll
    for (int column = 0; column < 3; ++column) {
      const auto one = first.template load<StaggeredVector<Real>>(column, site);
      const auto other = second.template load<StaggeredVector<Real>>(column, site);
#pragma unroll
      for (int c = 0; c < 3; ++c) {
        const auto x = one.s[0].c[c], y = other.s[0].c[c];
        sum = fma(x.re, y.re, sum);
        sum = fma(x.im, y.im, sum);
        imaginary = imaginary + (x.im * y.re - x.re * y.im);
      }
    }
    const Real out[2] = {sum, imaginary};
    density.store(0, site, out);
  }
};

}  // namespace plaq
