// Products eps_abc of color vectors in spinors, at one site, for both machines
// (kernels/quark/color_cross.hpp).
#pragma once

#include "core/field/views.hpp"

namespace plaq {

// y = (x_j cross x_k)^* for the four vectors k of a spinor. Inner index: subfield of y, from first_x on of x.
template <class TargetT, class T>
struct ColorCross {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  static constexpr int block_size = 128;

  SpinorView<TargetT, T> x, y;
  int j, first_x;

  PLAQ_HD void operator()(const typename Arch::Site& site, int b) const {
    Complex<Real> left[3];
#pragma unroll
    for (int c = 0; c < 3; ++c) left[c] = x.component(j / 4, site, 3 * (j % 4) + c);
    const auto right = x.template load<Spinor<Real>>(first_x + b, site);
    Spinor<Real> product;
#pragma unroll
    for (int s = 0; s < 4; ++s)
#pragma unroll
      for (int a = 0; a < 3; ++a) {
        const int c = (a + 1) % 3, d = (a + 2) % 3;
        product.s[s].c[a] = conj(left[c] * right.s[s].c[d] - left[d] * right.s[s].c[c]);
      }
    y.store(b, site, product);
  }
};

}  // namespace plaq
