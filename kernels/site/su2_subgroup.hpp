// SU(2) as quaternions a0 + i a.sigma, and its three embeddings in SU(3): Cabibbo and Marinari, Phys. Lett.
// 119B (1982) 387.
#pragma once

#include "core/algebra/su3.hpp"

namespace plaq {

template <class Real>
struct Quaternion {
  Real a[4];
};

// The rows and columns of the three subgroups.
inline constexpr int subgroups = 3;
constexpr int subgroup_row(int subgroup, int which) {
  return which == 0 ? (subgroup == 2 ? 1 : 0) : (subgroup == 0 ? 1 : 2);
}

// The part q of w's block in rows and columns i, j that SU(2) sees: Re tr(g w) = 2 (g0 q0 - g.q) + terms
// without g.
template <int Subgroup, class Real>
PLAQ_HD Quaternion<Real> su2_part(const Matrix3<Real>& w) {
  constexpr int i = subgroup_row(Subgroup, 0), j = subgroup_row(Subgroup, 1);
  const Real half = Real(0.5f);
  return {{half * (w.e[i][i].re + w.e[j][j].re), half * (w.e[i][j].im + w.e[j][i].im),
           half * (w.e[i][j].re - w.e[j][i].re), half * (w.e[i][i].im - w.e[j][j].im)}};
}

// u becomes g u.
template <int Subgroup, class Real>
PLAQ_HD void multiply_left(const Quaternion<Real>& g, Matrix3<Real>& u) {
  constexpr int i = subgroup_row(Subgroup, 0), j = subgroup_row(Subgroup, 1);
  const Complex<Real> diagonal{g.a[0], g.a[3]}, upper{g.a[2], g.a[1]};
  for (int c = 0; c < 3; ++c) {
    const auto x = u.e[i][c], y = u.e[j][c];
    u.e[i][c] = fma(upper, y, diagonal * x);
    u.e[j][c] = fma(-conj(upper), x, conj_times(diagonal, y));
  }
}

}  // namespace plaq
