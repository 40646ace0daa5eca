// Distance of links from SU(3), and their projection to it.
#pragma once

#include "core/field/views.hpp"
#include "core/lattice/lattice_view.hpp"

namespace plaq {

// The nearest matrix of SU(3) for rows that are nearly orthonormal: Gram-Schmidt on rows 0 and 1, row 2 by
// Clark et al. 2010, appendix A.1. A pair of independent Gaussian rows becomes Haar distributed.
template <class Real>
PLAQ_HD void project_to_su3(Matrix3<Real>& u) {
  auto normalize = [&](int row) {
    Real norm = Real(0);
    for (int c = 0; c < 3; ++c)
      norm = fma(u.e[row][c].im, u.e[row][c].im, fma(u.e[row][c].re, u.e[row][c].re, norm));
    const Real inverse = Real(1) / sqrt(norm);
    for (int c = 0; c < 3; ++c) u.e[row][c] = scale(inverse, u.e[row][c]);
  };
  normalize(0);
  const auto overlap =
      -conj_fma(u.e[0][2], u.e[1][2], conj_fma(u.e[0][1], u.e[1][1], conj_times(u.e[0][0], u.e[1][0])));
  for (int c = 0; c < 3; ++c) u.e[1][c] = fma(overlap, u.e[0][c], u.e[1][c]);
  normalize(1);
  complete_third_row(u);
}

// Inner index of the launch: direction.
template <class TargetT, class T>
struct Reunitarize {
  using Arch = plaq::Arch<TargetT, T>;

  GaugeView<TargetT, T> links;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int mu) const {
    auto u = links.load_mutable(mu, parity, site);
    project_to_su3(u);
    links.store(mu, parity, site, u);
  }
};

// Maxima over links, in double: 0 of |U U^dagger - 1|^2 (sum over elements), 1 of |det U - 1|^2.
template <class TargetT, class T>
struct UnitarityViolation {
  using Arch = plaq::Arch<TargetT, T>;
  using RealDouble = typename Arch::RealDouble;
  static constexpr int maxima = 2;

  GaugeView<TargetT, T> links;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int mu, RealDouble (&value)[maxima]) const {
    const auto single = links.load(mu, parity, site);
    Matrix3<RealDouble> u;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) u.e[i][j] = {to_double(single.e[i][j].re), to_double(single.e[i][j].im)};
    auto deviation = times_dagger(u, u);
    for (int i = 0; i < 3; ++i) deviation.e[i][i].re -= RealDouble(1.0);
    value[0] = real_trace_times_dagger(deviation, deviation);
    auto det = determinant(u);
    det.re -= RealDouble(1.0);
    value[1] = fma(det.im, det.im, det.re * det.re);
  }
};

}  // namespace plaq
