// The staples of a link: V_mu(x) such that sum over its six plaquettes of Re tr P = Re tr(U_mu(x) V_mu(x)).
//   V_mu(x) = sum_{nu != mu} [ U_nu(x+mu) U_mu(x+nu)^dagger U_nu(x)^dagger
//                            + U_nu(x+mu-nu)^dagger U_mu(x-nu)^dagger U_nu(x-nu) ]
// Reads the links of the stored lattice: a halo of depth 1 around the owned sites, corners included.
// With `directions` = 3, mu in space, only the four staples in space.
#pragma once

#include "core/field/views.hpp"
#include "core/lattice/lattice_view.hpp"

namespace plaq {

// Threads of a block in kernels that multiply link matrices of type T: three of them, and no more, stay in
// registers.
template <class T>
inline constexpr int matrix_block = sizeof(T) == 8 ? 384 : 640;

// Links by lattice point: a kernel's gauge field with the lattice that it lives on.
template <class Target, class T>
struct GaugeLattice {
  using Real = typename Arch<Target, T>::Real;
  using Lattice = LatticeView<Target, T>;
  using Point = typename Lattice::Point;

  Lattice lattice;
  GaugeView<Target, T> links;

  PLAQ_HD Matrix3<Real> link(int mu, const Point& x) const {
    return links.load(mu, x.parity, Lattice::index(x));
  }
};

// Added in the order nu = 0..3, up before down, each staple as a whole: the fields that a seed gives by
// heatbath have these bits. The loop over nu stays a loop: a sixth of the code, and on the device of the
// registers.
template <class Target, class T>
PLAQ_HD Matrix3<typename Arch<Target, T>::Real> staple_sum(const GaugeLattice<Target, T>& gauge,
                                                           const typename GaugeLattice<Target, T>::Point& x,
                                                           int mu, int directions = 4) {
  auto sum = zero_matrix<typename Arch<Target, T>::Real>();
  const auto ahead = gauge.lattice.step(x, mu, true);
#pragma unroll 1
  for (int nu = 0; nu < directions; ++nu) {
    if (nu == mu) continue;
    const auto above = gauge.lattice.step(x, nu, true);
    sum = sum + times_dagger(times_dagger(gauge.link(nu, ahead), gauge.link(mu, above)), gauge.link(nu, x));
    const auto below = gauge.lattice.step(x, nu, false);
    const auto corner = gauge.lattice.step(below, mu, true);
    sum = sum + dagger_times(gauge.link(mu, below) * gauge.link(nu, corner), gauge.link(nu, below));
  }
  return sum;
}

}  // namespace plaq
