// Overrelaxation of g in SU(3) as a whole, as Mandula and Ogilvie (1990) have it in the group: g goes to
//   g(x) -> P[g + omega (g' - g)],  g' = h g where the functional is largest at this site,
// P making rows orthonormal: W = 1 + omega (h - 1) has singular values of at least 1.
//
// Overrelaxing each subgroup of SU(2) on its own (gaugefix/sweep/relaxation.hpp) does not do the same. The
// diagonal generators are in two subgroups each: of the plane that they span, three
// reflections at 60 degrees (omega =
// 2) turn one direction round and leave the other one where it is, so that modes along it are hardly
// overrelaxed, and converge the slower the nearer omega is to 2. Here all eight directions have one omega,
// and the number of sweeps that a lattice takes grows like its length, with the omega of Young (1954).
//
// g' comes of relaxation in subgroups 0, 1, 2, 1: in that plane 1/16 is left of the way. (After 0, 1, 2 it
// would be -1/8: 9/8 of the way, which for omega above 16/9 does not converge.)
#pragma once

#include "gaugefix/sweep/update_site.hpp"
#include "kernels/site/unitarity.hpp"

namespace plaq {

struct GroupOverrelaxationStep {
  double omega = 1;  // 1 <= omega < 2

  static constexpr const char* name = "group overrelaxation";
  bool is_valid() const { return omega >= 1 && omega < 2; }
  static constexpr const char* wanted = "overrelaxation takes 1 <= omega < 2";

  template <class Functional, class Real, class Where>
  PLAQ_HD void change(Functional& functional, Matrix3<Real>& g, const Where&) const {
    const Matrix3<Real> before = g;
    relax<0>(functional, g);
    relax<1>(functional, g);
    relax<2>(functional, g);
    relax<1>(functional, g);
    const Real w = Real(static_cast<typename ScalarOf<Real>::type>(omega));
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
      for (int j = 0; j < 3; ++j)
        g.e[i][j] = {fma(w, g.e[i][j].re - before.e[i][j].re, before.e[i][j].re),
                     fma(w, g.e[i][j].im - before.e[i][j].im, before.e[i][j].im)};
    project_to_su3(g);
  }

 private:
  template <int Subgroup, class Functional, class Real>
  static PLAQ_HD void relax(Functional& functional, Matrix3<Real>& g) {
    functional.template apply<Subgroup>(functional.template optimum<Subgroup>(g), g);
  }
};

}  // namespace plaq
