// A coarse operator at a site with links in half or quarter precision: an exact product for each matrix
// (core/field/exact_product.hpp), its vector being a slab. What is rounded besides are their sums, in the
// order of CoarseHop. So host and device have the same bits.
#pragma once

#include "core/field/exact_product.hpp"
#include "multigrid/coarse/coarse_hop.hpp"

namespace plaq {

template <class Target, class L, int Tile>
struct ExactCoarseHop : CoarseHopFields<Target, L, float> {
  static constexpr int max_team_size = 32 * most_workers;
  using Z = Complex<float>;
  using Product = ExactProduct<Target, Tile>;
  using Line = typename CoarseHopFields<Target, L, float>::Line;

  int together = 1;  // hops whose products a worker adds up: 1 or 2, the same bits
  int workers = 1;   // of a team

  static int units(int together) { return coarse_hops / together + 1; }
  static std::size_t scratch_bytes(int components, int together, int workers) {
    return scratch_bytes_of<Line>(coarse_matrices * Tile) + Product::scratch_bytes(workers, components) +
           scratch_bytes_of<Z>(units(together) * Tile * components);
  }

  struct Component {
    unsigned place;
    bool negative;
  };

  PLAQ_HD void operator()(Team<Target>& team, int index) const {
    const int site = this->teams.site(index), n = this->components;
    if (site < 0 || site >= this->shape.parity_sites(this->parity)) return;
    const int tile = this->teams.tile(index) * Tile, rest = this->active.count() - tile;
    const int count = rest < Tile ? rest : Tile;
    const int begin = this->parts.begin, end = this->parts.end;
    Line* lines = team.template scratch<Line>(coarse_matrices * Tile);
    const Coordinates c = this->shape.coordinates(this->parity, site);
    team.for_range((end - begin) * count, [&](int k) {
      lines[k] = this->line(c, site, begin + k / count, this->active[tile + k % count]);
    });
    Product product(team, workers, n, count);
    Z* sums =
        team.template scratch<Z>((coarse_hops / together + 1) * Tile * n);  // [unit][right-hand side][row]
    const int first = begin / together, last = (end - 1) / together;
    Workers<Target>::for_each(last - first + 1, [&](int i) {
      const int from = (first + i) * together, mine = Workers<Target>::number();
      Z* sum = sums + i * Tile * n;
      for (int d = from < begin ? begin : from; d < end && d < from + together; ++d) {
        const Line* line = lines + (d - begin) * count;
        product.take(
            mine, n,
            [&](int k) {
              return Component{line[0].place(k), k >= this->first_negative};
            },
            [&](const Component& of, int t) {
              const Z z = line[t].load_at(of.place);
              return of.negative ? -z : z;
            });
        const StoredMatrix<Adjacent::rows, L> y(
            this->links.column(site, coarse_link_component(d - this->stored_from, 0, n)),
            this->links.column_stride(), n, n);
        const bool begins = d == from || d == begin;
        product.multiply(mine, y, 0, n, [&](int row, int t, const Z& z) {
          Z& s = sum[t * n + row];
          s = begins ? z : s + z;
        });
      }
    });
    for_lines<Target>(team, count, this->by_components, [&](int t, int row) {
      const auto of = [&](int unit) {
        return unit < first || unit > last ? Z{0, 0} : sums[((unit - first) * Tile + t) * n + row];
      };
      const Z all = together == 2 ? tree_sum<coarse_hops / 2>(of) + of(coarse_hops / 2)
                                  : tree_sum<coarse_hops>(of) + of(coarse_hops);
      const int rhs = this->active[tile + t];
      const Line out = this->out.line(rhs, site);
      Z z = this->signed_by(row, scale(this->links.scale(row, site), all));
      if (this->from) {
        const Z before = this->from.line(rhs, site).load(row);
        z = this->adds ? before + z : before - z;
      }
      out.store(row, z);
    });
  }
};

}  // namespace plaq
