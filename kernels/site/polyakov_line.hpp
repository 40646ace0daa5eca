// The product of this rank's links U_t along one line in time, from its first owned slice to its last,
// multiplied from the left by the product of the ranks before: ((U_0 U_1) U_2) ... whatever the process grid.
#pragma once

#include "kernels/site/staple.hpp"

namespace plaq {

// Runs over the sites of one slice. Sums: real and imaginary part of the trace of the product.
template <class TargetT, class T>
struct PolyakovLine {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using RealDouble = typename Arch::RealDouble;
  static constexpr int sums = 2;

  GaugeLattice<TargetT, T> gauge;
  // By the number of the line on the face (LatticeShape::face_index), subfield 0. May be closed.
  SiteArray<TargetT, T, 18> before, after;
  int parity;  // of the line's first site
  int slices;  // owned here

  PLAQ_HD void operator()(const typename Arch::Site& site, int, RealDouble (&sum)[sums]) const {
    auto x = gauge.lattice.point(parity, site);
    const auto line = gauge.lattice.face_index(x, 3);
    auto product = unit_matrix<Real>();
    if (before) {
      Real r[18];
      before.load(0, line, r);
      for (int i = 0; i < 9; ++i) product.e[i / 3][i % 3] = {r[2 * i], r[2 * i + 1]};
    }
#pragma unroll 1
    for (int t = 0; t < slices; ++t) {
      product = product * gauge.link(3, x);
      x = gauge.lattice.step(x, 3, true);
    }
    if (after) {
      Real r[18];
      for (int i = 0; i < 9; ++i) {
        r[2 * i] = product.e[i / 3][i % 3].re;
        r[2 * i + 1] = product.e[i / 3][i % 3].im;
      }
      after.store(0, as_site(line), r);
    }
    const auto loop = trace(product);
    sum[0] = to_double(loop.re);
    sum[1] = to_double(loop.im);
  }

 private:
  static PLAQ_HD DeviceSite as_site(int line) { return {line}; }
#if !defined(__CUDACC__)
  static const LaneList<Arch::width>& as_site(const LaneList<Arch::width>& lines) { return lines; }
#endif
};

}  // namespace plaq
