// One application of a coarse operator at a site, and the faces that it needs of other ranks.
//
// Clark et al. 2016, section 6, names five kinds of parallelism. A team has a site and up to Tile right-hand
// sides, which share what it reads of matrices. Its members have rows, directions and parts of a dot product:
// part p of four takes columns p, p + 4, ... Parts of these are of one member, sums
// that do not wait for each other.
//
// Rounding: terms y re(psi) and y im(psi) are added up apart; each of the four parts column by column, the
// parts as (0+1) + (2+3), the nine matrices as ((0+1) + (2+3)) + ((4+5) + (6+7)) + 8, then both become a
// complex number. Links in half precision are integers until then: a row's scale is the last factor. So the
// same bits for any Tile and Parts, any size of a team, any process grid and any batch.
#pragma once

#include "core/field/complex_pack.hpp"
#include "core/lattice/domain.hpp"
#include "core/lattice/general_shape.hpp"
#include "core/launch/team_lines.hpp"
#include "core/operator/active_set.hpp"
#include "multigrid/coarse/coarse_links.hpp"

namespace plaq {

inline constexpr int parts_of_columns = 4;

// The sites of a region, one after the other for `tiles` teams.
struct TeamSites {
  Domain sites;
  int tiles = 1;
  int count() const { return (sites.end - sites.begin) * tiles; }
  PLAQ_HD int tile(int team) const { return team % tiles; }
  // -1: none.
  PLAQ_HD int site(int team) const {
    const int k = sites.begin + team / tiles;
    if (sites.list != nullptr) return sites.list[k];
    if (sites.masks != nullptr && !((sites.masks[k / host_mask_sites] >> (k % host_mask_sites)) & 1u))
      return -1;
    return k;
  }
};

// L: storage of the links, C: of vectors.
template <class Target, class L, class C>
struct CoarseHopFields {
  using Lines = ComponentLines<Target, C>;
  using Line = typename Lines::Line;

  TeamSites teams;
  GeneralShape shape;
  ComponentLines<Target, L> links;  // of this parity
  Lines in, here;   // of the neighbours' parity, and of this one; `here` closed: without the site itself
  Lines out, from;  // out = from - M in where `from` is open, or from + M in
  bool adds = false;
  Lines ghost[coarse_hops];  // closed: the neighbour is this rank's
  ActiveSet active;
  int parity = 0, components = 0;
  int stored_from = 0;  // the first matrix that is stored
  Divisor by_components, by_packs;
  CoarseParts parts;
  // Gamma5 M Gamma5, which is M^dagger: components from here on have the other sign
  // before and behind; else `components`.
  int first_negative = 0;

  PLAQ_HD Complex<C> signed_by(int component, const Complex<C>& z) const {
    return component < first_negative ? z : -z;
  }
  // Vector that matrix d multiplies at coordinates c.
  PLAQ_HD Line line(Coordinates c, int site, int d, int rhs) const {
    if (d == coarse_hops) return here.line(rhs, site);
    const int mu = d / 2, far = shape.extent[mu] - 1;
    const bool ahead = d % 2 == 0, edge = c.x[mu] == (ahead ? far : 0);
    if (edge && ghost[d]) return ghost[d].line(rhs, shape.face_index(mu, c));
    c.x[mu] += ahead ? (edge ? -far : 1) : (edge ? far : -1);
    return in.line(rhs, shape.index(c));
  }
};

template <class Target, class L, class C, int Tile, int Parts>
struct CoarseHop : CoarseHopFields<Target, L, C> {
  static constexpr int max_team_size = 256;
  using Z = Complex<C>;
  using Sums = PartSums<Target, C, parts_of_columns, Tile, Parts>;
  using Fields = CoarseHopFields<Target, L, C>;
  using Line = typename Fields::Line;
  using Pack = ComplexPack<Target, C>;
  using Sum = PackSum<Target, C>;

  static std::size_t scratch_bytes(int components) {
    return scratch_bytes_of<Line>(coarse_matrices * Tile) +
           scratch_bytes_of<Z>(coarse_matrices * Tile * components) +
           scratch_bytes_of<C>(coarse_matrices * Sums::groups * Tile * 2 * pack_reals<Target, C>(components));
  }

  PLAQ_HD void operator()(Team<Target>& team, int index) const {
    const int site = this->teams.site(index), n = this->components;
    if (site < 0 || site >= this->shape.parity_sites(this->parity)) return;
    const int first = this->teams.tile(index) * Tile, rest = this->active.count() - first;
    const int count = rest < Tile ? rest : Tile;
    const int begin = this->parts.begin, matrices = this->parts.end - begin;
    Line* lines = team.template scratch<Line>(coarse_matrices * Tile);
    Z* psi = team.template scratch<Z>(coarse_matrices * Tile * n);  // [matrix][component][right-hand side]
    C* sums = team.template scratch<C>(coarse_matrices * Sums::groups * Tile * 2 * pack_reals<Target, C>(n));
    const Coordinates c = this->shape.coordinates(this->parity, site);
    team.for_range(matrices * Tile, [&](int k) {
      const int t = k % Tile;
      lines[k] = this->line(c, site, begin + k / Tile, this->active[first + (t < count ? t : 0)]);
    });
    for_lines<Target>(team, matrices * Tile, this->by_components, [&](int k, int i) {
      psi[(k / Tile * n + i) * Tile + k % Tile] = this->signed_by(i, lines[k].load(i));
    });
    const L* matrix = this->links.column(site, coarse_link_component(begin - this->stored_from, 0, n));
    const std::size_t stride = this->links.column_stride();
    for_lines<Target>(team, matrices * Sums::groups, this->by_packs, [&](int k, int pack) {
      const int m = k / Sums::groups, reals = pack_reals<Target, C>(n), at = pack * Pack::reals;
      Sums::add(matrix + static_cast<std::size_t>(m * n) * stride + at, stride, psi + m * n * Tile, 0, n,
                k % Sums::groups, sums + 2 * k * Tile * reals + at, reals);
    });
    for_lines<Target>(team, count, this->by_packs,
                      [&](int t, int pack) { finish(site, this->active[first + t], t, pack, sums); });
  }

 private:
  PLAQ_HD void finish(int site, int rhs, int t, int pack, const C* sums) const {
    const int reals = pack_reals<Target, C>(this->components);
    const auto of = [&](int d) {
      const int m = d - this->parts.begin;
      if (m < 0 || d >= this->parts.end) return Sum{};
      return Sums::all(sums + 2 * m * Sums::groups * Tile * reals + Pack::reals * pack, t, reals);
    };
    const Sum all = tree_sum<coarse_hops>(of) + of(coarse_hops);
    const Line out = this->out.line(rhs, site), from = this->from ? this->from.line(rhs, site) : out;
    for (int r = 0; r < Pack::count; ++r) {
      const int row = pack * Pack::count + r;
      if (row >= this->components) return;
      Z z = this->signed_by(row, scale(static_cast<C>(this->links.scale(row, site)), all.number(r)));
      if (this->from) z = this->adds ? from.load(row) + z : from.load(row) - z;
      out.store(row, z);
    }
  }
};

// out(X) = in(X + d) at a site, for all right-hand sides.
template <class Target, class C>
struct CoarseShift : CoarseHopFields<Target, C, C> {
  static constexpr int max_team_size = 256;
  int d = 0;

  PLAQ_HD void operator()(Team<Target>& team, int index) const {
    const int site = this->teams.site(index);
    if (site < 0 || site >= this->shape.parity_sites(this->parity)) return;
    const Coordinates c = this->shape.coordinates(this->parity, site);
    for_lines<Target>(team, this->active.count(), this->by_components, [&](int t, int i) {
      const int rhs = this->active[t];
      this->out.line(rhs, site).store(i, this->line(c, site, d, rhs).load(i));
    });
  }
};

// Copies the sites that neighbours see in their hop d.
template <class Target, class C>
struct CoarseFacePack {
  static constexpr int max_team_size = 256;

  GeneralShape shape;
  ComponentLines<Target, C> in, face;
  ActiveSet active;
  int parity = 0;  // of the sites that are sent
  int d = 0, sites = 0, components = 0;

  PLAQ_HD void operator()(Team<Target>& team, int index) const {
    const int at = index % sites, rhs = active[index / sites], mu = d / 2;
    // A hop ahead finds our first slice, one behind our last.
    const int slice = d % 2 == 0 ? 0 : shape.extent[mu] - 1;
    if (!shape.has_face_site(parity, mu, slice, at)) return;
    const int site = shape.index(shape.face_coordinates(parity, mu, slice, at));
    const auto from = in.line(rhs, site), to = face.line(rhs, at);
    team.for_range(components, [&](int i) { to.store(i, from.load(i)); });
  }
};

}  // namespace plaq
