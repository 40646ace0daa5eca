// One application of a coarse operator at a site, and the faces that it needs of other ranks.
//
// A team has a site and a right-hand side: it gathers the nine vectors, then a member has a row of one matrix. Rounding: a
// row is added up column by column; the nine sums as ((0+1) + (2+3)) + ((4+5) + (6+7)) + 8. So the same bits for any size
// of a team, any process grid and any batch.
#pragma once

#include "core/field/scalar_components.hpp"
#include "core/lattice/domain.hpp"
#include "core/lattice/general_shape.hpp"
#include "core/launch/team.hpp"
#include "core/operator/active_set.hpp"
#include "multigrid/coarse/coarse_links.hpp"

namespace plaq {

// The sites of a region, one a team, times an inner number.
struct TeamSites {
  Domain sites;
  int count() const { return (sites.end - sites.begin) * sites.inner; }
  PLAQ_HD int inner(int team) const { return team / (sites.end - sites.begin); }
  // -1: none.
  PLAQ_HD int site(int team) const {
    const int k = sites.begin + team % (sites.end - sites.begin);
    if (sites.list != nullptr) return sites.list[k];
    if (sites.masks != nullptr && !((sites.masks[k / host_mask_sites] >> (k % host_mask_sites)) & 1u))
      return -1;
    return k;
  }
};

// L: storage of the links, C: of vectors.
template <class Target, class L, class C>
struct CoarseHop {
  static constexpr int max_team_size = 256;
  using Z = Complex<C>;

  TeamSites teams;
  GeneralShape shape;
  ScalarComponents<L> links;  // of this parity
  ScalarComponents<C> in,
      here;  // of the neighbours' parity, and of this one; `here` closed: without the site itself
  ScalarComponents<C> out, from;           // out = from - M in where `from` is open
  ScalarComponents<C> ghost[coarse_hops];  // closed: the neighbour is this rank's
  ActiveSet active;
  int parity = 0, components = 0;
  CoarseParts parts;
  // Gamma5 M Gamma5, which is M^dagger: components from here on have the other sign before and behind; else `components`.
  int first_negative = 0;

  static std::size_t scratch_bytes(int components) {
    return 2 * scratch_bytes_of<Z>(coarse_matrices * components);
  }

  PLAQ_HD void operator()(Team<Target>& team, int index) const {
    const int site = teams.site(index);
    if (site < 0 || site >= shape.parity_sites(parity)) return;
    const int rhs = active[teams.inner(index)], n = components, matrices = parts.end - parts.begin;
    Z* psi = team.template scratch<Z>(coarse_matrices * n);
    Z* sum = team.template scratch<Z>(coarse_matrices * n);
    const Coordinates c = shape.coordinates(parity, site);
    team.for_range(matrices * n, [&](int k) {
      const int d = parts.begin + k / n, i = k % n;
      psi[d * n + i] = signed_by(i, d == coarse_hops ? here.load(rhs, site, i) : neighbor(c, d, rhs, i));
    });
    team.for_range(matrices * n, [&](int k) {
      const int d = parts.begin + k / n, row = k % n;
      Z s{C(0), C(0)};
      for (int column = 0; column < n; ++column) {
        const auto y = links.load(row, site, coarse_link_component(d, column, n));
        s = fma(Z{static_cast<C>(y.re), static_cast<C>(y.im)}, psi[d * n + column], s);
      }
      sum[d * n + row] = s;
    });
    team.for_range(n, [&](int row) {
      const auto of = [&](int d) {
        return d >= parts.begin && d < parts.end ? sum[d * n + row] : Z{C(0), C(0)};
      };
      Z all = ((of(0) + of(1)) + (of(2) + of(3))) + ((of(4) + of(5)) + (of(6) + of(7)));
      all = all + of(coarse_hops);
      all = signed_by(row, all);
      if (from) all = from.load(rhs, site, row) - all;
      out.store(rhs, site, row, all);
    });
  }

 private:
  PLAQ_HD Z signed_by(int component, const Z& z) const { return component < first_negative ? z : -z; }
  PLAQ_HD Z neighbor(Coordinates c, int d, int rhs, int component) const {
    const int mu = d / 2, far = shape.extent[mu] - 1;
    const bool ahead = d % 2 == 0, edge = c.x[mu] == (ahead ? far : 0);
    if (edge && ghost[d]) return ghost[d].load(rhs, shape.face_index(mu, c), component);
    c.x[mu] += ahead ? (edge ? -far : 1) : (edge ? far : -1);
    return in.load(rhs, shape.index(c), component);
  }
};

// Copies the sites that neighbours see in their hop d.
template <class Target, class C>
struct CoarseFacePack {
  static constexpr int max_team_size = 256;

  GeneralShape shape;
  ScalarComponents<C> in, face;
  ActiveSet active;
  int parity = 0;  // of the sites that are sent
  int d = 0, sites = 0, components = 0;

  PLAQ_HD void operator()(Team<Target>& team, int index) const {
    const int at = index % sites, rhs = active[index / sites], mu = d / 2;
    // A hop ahead finds our first slice, one behind our last.
    const int slice = d % 2 == 0 ? 0 : shape.extent[mu] - 1;
    if (!shape.has_face_site(parity, mu, slice, at)) return;
    const int site = shape.index(shape.face_coordinates(parity, mu, slice, at));
    team.for_range(components, [&](int i) { face.store(rhs, at, i, in.load(rhs, site, i)); });
  }
};

}  // namespace plaq
