// A coarse operator at a site with links in half precision: one exact product of all matrices (core/field/exact_product.hpp).
// The numbers of a right-hand side at the site and its neighbours become integers of one quantum; what is rounded besides is
// the sum, once. So host and device have the same bits.
#pragma once

#include "core/field/exact_product.hpp"
#include "multigrid/coarse/coarse_hop.hpp"

namespace plaq {

template <class Target, int Tile>
struct ExactCoarseHop : CoarseHopFields<Target, Fixed16, float> {
  static constexpr int max_team_size = 256;
  using Z = Complex<float>;
  using Product = ExactProduct<Target, Tile>;
  using Line = typename CoarseHopFields<Target, Fixed16, float>::Line;

  static std::size_t scratch_bytes(int components) {
    return scratch_bytes_of<Line>(coarse_matrices * Tile) +
           Product::scratch_bytes(components, exact_slab(coarse_matrices * components));
  }

  PLAQ_HD void operator()(Team<Target>& team, int index) const {
    const int site = this->teams.site(index), n = this->components;
    if (site < 0 || site >= this->shape.parity_sites(this->parity)) return;
    const int first = this->teams.tile(index) * Tile, rest = this->active.count() - first;
    const int count = rest < Tile ? rest : Tile;
    const int begin = this->parts.begin, matrices = this->parts.end - begin;
    Line* lines = team.template scratch<Line>(coarse_matrices * Tile);
    const Coordinates c = this->shape.coordinates(this->parity, site);
    team.for_range(matrices * Tile, [&](int k) {
      const int t = k % Tile;
      if (t < count) lines[k] = this->line(c, site, begin + k / Tile, this->active[first + t]);
    });
    const StoredMatrix<Adjacent::rows> matrix(this->links.column(site, coarse_link_component(begin, 0, n)),
                                              this->links.column_stride(), n, matrices * n);
    Product product(team, n, exact_slab(coarse_matrices * n));
    product.multiply(team, matrix, count, [&](int k, int t) {
      const int m = static_cast<int>(this->by_components.divide(static_cast<std::uint32_t>(k))),
                i = k - m * n;
      return this->signed_by(i, lines[m * Tile + t].load(i));
    });
    for_lines<Target>(team, count, this->by_components, [&](int t, int row) {
      const int rhs = this->active[first + t];
      const Line out = this->out.line(rhs, site);
      Z z = this->signed_by(row, scale(this->links.scale(row, site), product.sum(row, t)));
      if (this->from) z = this->from.line(rhs, site).load(row) - z;
      out.store(row, z);
    });
  }
};

}  // namespace plaq
