// Values of neighbours, and products with gamma matrices, at one site.
#pragma once

#include "core/algebra/spinor.hpp"
#include "kernels/site/gamma_matrix.hpp"
#include "kernels/site/staple.hpp"

namespace plaq {

// A field of spinors (Spins = 4) or color vectors (1) on both parities.
template <class TargetT, class T, int Spins>
struct VectorsOfField {
  using Real = typename plaq::Arch<TargetT, T>::Real;
  using Value = std::conditional_t<Spins == 4, Spinor<Real>, StaggeredVector<Real>>;
  SpinView<TargetT, T, Spins> views[2];

  template <class Index>
  PLAQ_HD Value load(int subfield, int parity, const Index& index) const {
    return (parity == 0 ? views[0] : views[1]).template load<Value>(subfield, index);
  }
  template <class Site>
  PLAQ_HD void store(int subfield, int parity, const Site& site, const Value& value) const {
    (parity == 0 ? views[0] : views[1]).store(subfield, site, value);
  }
};

template <class Real>
PLAQ_HD StaggeredVector<Real> operator*(const Matrix3<Real>& u, const StaggeredVector<Real>& v) {
  return {{u * v.s[0]}};
}
template <class Real>
PLAQ_HD StaggeredVector<Real> dagger_times(const Matrix3<Real>& u, const StaggeredVector<Real>& v) {
  return {{dagger_times(u, v.s[0])}};
}

// out(x) = in(x + mu), or in(x - mu); covariant: U_mu(x) in(x + mu), or U_mu(x - mu)^dagger in(x - mu).
// Values: VectorsOfField, or GaugeView for color matrices. Inner index of the launch: subfield.
template <class TargetT, class T, class Values>
struct ShiftStep {
  using Arch = plaq::Arch<TargetT, T>;
  static constexpr int block_size = 128;

  LatticeView<TargetT, T> lattice;
  GaugeView<TargetT, T> links;
  Values in, out;
  int mu;
  bool forward, covariant;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int subfield) const {
    using Lattice = LatticeView<TargetT, T>;
    const auto x = lattice.point(parity, site);
    const auto y = lattice.step(x, mu, forward);
    auto value = in.load(subfield, y.parity, Lattice::index(y));
    if (covariant) {
      if (forward)
        value = links.load(mu, parity, site) * value;
      else
        value = dagger_times(links.load(mu, y.parity, Lattice::index(y)), value);
    }
    out.store(subfield, parity, site, value);
  }
};

// out = gamma in. Row r of gamma is i^phase[r] in column r ^ flip. Inner index of the launch: subfield.
template <class TargetT, class T>
struct SpinMultiply {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;

  SpinView<TargetT, T, 4> in, out;
  int flip;
  T re[4], im[4];  // i^phase[r]

  PLAQ_HD void operator()(const typename Arch::Site& site, int subfield) const {
    const auto psi = in.template load<Spinor<Real>>(subfield, site);
    Spinor<Real> product = zero_spinor<Real>();
#pragma unroll
    for (int r = 0; r < 4; ++r)
#pragma unroll
      for (int s = 0; s < 4; ++s)
        if (s == (r ^ flip))
#pragma unroll
          for (int c = 0; c < 3; ++c) {
            const Complex<Real>& z = psi.s[s].c[c];
            product.s[r].c[c] = {Real(re[r]) * z.re - Real(im[r]) * z.im,
                                 Real(re[r]) * z.im + Real(im[r]) * z.re};
          }
    out.store(subfield, site, product);
  }
};

}  // namespace plaq
