// One link of a microcanonical update: the reflection g = (u^dagger)^2 of each SU(2) subgroup, with q = k u
// its part of link times staples, leaves Re tr(U V) as it is. Creutz, Phys. Rev. D 36 (1987) 515; Brown and
// Woch, Phys. Rev. Lett. 58 (1987) 2394.
#pragma once

#include "kernels/site/staple.hpp"
#include "kernels/site/su2_subgroup.hpp"
#include "kernels/site/unitarity.hpp"

namespace plaq {

// One subgroup. w = U V; both become g times themselves.
template <int Subgroup, class Real>
PLAQ_HD void reflect(Matrix3<Real>& u, Matrix3<Real>& w) {
  const auto part = su2_part<Subgroup>(w);
  const Real(&q)[4] = part.a;
  const Real tiny = Real(1e-30f);  // makes g = 1 where q vanishes, and changes nothing elsewhere
  const Real square = fma(q[3], q[3], fma(q[2], q[2], q[1] * q[1]));
  const Real inverse = Real(1) / fma(q[0], q[0], square + tiny);
  const Real twice = Real(-2) * q[0] * inverse;
  const Quaternion<Real> g{
      {(fma(q[0], q[0], tiny) - square) * inverse, twice * q[1], twice * q[2], twice * q[3]}};
  multiply_left<Subgroup>(g, u);
  if (Subgroup < subgroups - 1) multiply_left<Subgroup>(g, w);
}

// All three subgroups, for a link U with staples V.
template <class Real>
PLAQ_HD void overrelax(Matrix3<Real>& u, const Matrix3<Real>& staples) {
  auto w = u * staples;
  reflect<0>(u, w);
  reflect<1>(u, w);
  reflect<2>(u, w);
  project_to_su3(u);
}

// Links U_mu of one parity, with the Wilson gauge action.
template <class TargetT, class T>
struct Overrelaxation {
  using Arch = plaq::Arch<TargetT, T>;
  static constexpr int block_size = 128;

  GaugeLattice<TargetT, T> gauge;
  int mu;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int) const {
    const auto staples = staple_sum(gauge, gauge.lattice.point(parity, site), mu);
    auto u = gauge.links.load_mutable(mu, parity, site);
    overrelax(u, staples);
    gauge.links.store(mu, parity, site, u);
  }
};

}  // namespace plaq
