// The plaquette on one side of a link, with insertions at its corners: for derivatives of clover leaves and
// of smeared links.
#pragma once

#include "kernels/site/staple.hpp"

namespace plaq {

// The way A B C from x + mu back to x around the plaquette of U_mu(x) on the side nu, up or down: A =
// V(x+mu), B = U_mu(x+nu)^dagger, C = V(x)^dagger, V the step by nu.
template <class Target, class T>
struct PlaquetteSide {
  using Point = typename GaugeLattice<Target, T>::Point;
  using Matrix = Matrix3<typename Arch<Target, T>::Real>;

  Point ahead, beside, corner;  // x + mu, x + nu, x + mu + nu
  Matrix a, b, c;

  // The sum of A B C with matrices inserted at its four corners: far B C + A B near, where far stands for A
  // with insertions at its ends, and near for C.
  PLAQ_HD Matrix with_insertions(const Matrix& far, const Matrix& near) const {
    return (far * b) * c + (a * b) * near;
  }
};

template <class Target, class T>
PLAQ_HD PlaquetteSide<Target, T> plaquette_side(const GaugeLattice<Target, T>& gauge,
                                                const typename GaugeLattice<Target, T>::Point& x, int mu,
                                                int nu, bool up) {
  const auto& lattice = gauge.lattice;
  auto along = [&](const typename GaugeLattice<Target, T>::Point& y) {
    return up ? gauge.link(nu, y) : dagger(gauge.link(nu, lattice.step(y, nu, false)));
  };
  const auto ahead = lattice.step(x, mu, true), beside = lattice.step(x, nu, up);
  return {ahead,           beside, lattice.step(ahead, nu, up), along(ahead), dagger(gauge.link(mu, beside)),
          dagger(along(x))};
}

}  // namespace plaq
