// Kernels of the Galerkin product at coarse sites. A team has a site.
#pragma once

#include "core/field/scalar_components.hpp"
#include "core/lattice/general_shape.hpp"
#include "core/launch/team.hpp"
#include "multigrid/coarse/coarse_links.hpp"

namespace plaq {

// Vector k is 1 in component first + k of all sites, and 0 elsewhere.
template <class Target, class C>
struct UnitVectors {
  static constexpr int max_team_size = 256;

  ScalarComponents<C> vectors;
  int sites = 0, components = 0, count = 0, first = 0;

  PLAQ_HD void operator()(Team<Target>& team, int site) const {
    if (site >= sites) return;
    team.for_range(components * count, [&](int ik) {
      const int k = ik / components, i = ik - k * components;
      vectors.store(k, site, i, Complex<C>{C(i == first + k ? 1 : 0), C(0)});
    });
  }
};

// Coarse vectors become columns of a matrix, or are added to them.
template <class Target, class C>
struct StoreColumns {
  static constexpr int max_team_size = 256;

  ScalarComponents<C> vectors, links;
  int sites = 0, components = 0, count = 0;  // count: of the vectors
  int matrix = 0, first = 0;                 // column of vector 0
  bool add = false;

  PLAQ_HD void operator()(Team<Target>& team, int site) const {
    if (site >= sites) return;
    team.for_range(components * count, [&](int ik) {
      const int k = ik / components, row = ik - k * components;
      const int at = coarse_link_component(matrix, first + k, components);
      Complex<C> z = vectors.load(k, site, row);
      if (add) z = links.load(row, site, at) + z;
      links.store(row, site, at, z);
    });
  }
};

template <class C>
PLAQ_HD Complex<C> gamma5_adjoint(const Complex<C>& transposed, int row, int column, int components) {
  const bool negative = (row < components / 2) != (column < components / 2);
  return negative ? -conj(transposed) : conj(transposed);
}

// Y_8 += F + Gamma5 F^dagger Gamma5.
template <class Target, class C>
struct AddInnerHops {
  static constexpr int max_team_size = 256;

  ScalarComponents<C> inner, links;  // inner: one matrix a site, F
  int sites = 0, components = 0;

  PLAQ_HD void operator()(Team<Target>& team, int site) const {
    if (site >= sites) return;
    const int n = components;
    team.for_range(n * n, [&](int ij) {
      const int column = ij / n, row = ij - column * n, at = coarse_link_component(coarse_hops, column, n);
      const auto f = inner.load(row, site, column);
      const auto back = gamma5_adjoint(inner.load(column, site, row), row, column, n);
      links.store(row, site, at, links.load(row, site, at) + (f + back));
    });
  }
};

// Y_2mu of the sites whose neighbours ahead are another rank's.
template <class Target, class C>
struct PackHopsAhead {
  static constexpr int max_team_size = 256;

  GeneralShape shape;
  ScalarComponents<C> links, face;
  int parity = 0, mu = 0, components = 0;

  PLAQ_HD void operator()(Team<Target>& team, int at) const {
    const int slice = shape.extent[mu] - 1, n = components;
    if (!shape.has_face_site(parity, mu, slice, at)) return;
    const int site = shape.index(shape.face_coordinates(parity, mu, slice, at));
    team.for_range(n * n, [&](int ij) {
      const int column = ij / n, row = ij - column * n;
      face.store(0, at, ij, links.load(row, site, coarse_link_component(2 * mu, column, n)));
    });
  }
};

// Y_2mu+1(X) = Gamma5 Y_2mu(X - mu)^dagger Gamma5.
template <class Target, class C>
struct FillHopsBehind {
  static constexpr int max_team_size = 256;

  GeneralShape shape;
  ScalarComponents<C> links, behind;  // of this parity, and of the neighbours'
  ScalarComponents<C> ghost;          // closed: all neighbours are this rank's
  int parity = 0, mu = 0, components = 0;

  PLAQ_HD void operator()(Team<Target>& team, int site) const {
    if (site >= shape.parity_sites(parity)) return;
    const int n = components;
    Coordinates c = shape.coordinates(parity, site);
    const bool edge = c.x[mu] == 0, far = edge && ghost;
    const int face = far ? shape.face_index(mu, c) : 0;
    c.x[mu] = edge ? shape.extent[mu] - 1 : c.x[mu] - 1;
    const int other = shape.index(c);
    team.for_range(n * n, [&](int ij) {
      const int column = ij / n, row = ij - column * n;
      const auto theirs = far ? ghost.load(0, face, row * n + column)
                              : behind.load(column, other, coarse_link_component(2 * mu, row, n));
      links.store(row, site, coarse_link_component(2 * mu + 1, column, n),
                  gamma5_adjoint(theirs, row, column, n));
    });
  }
};

}  // namespace plaq
