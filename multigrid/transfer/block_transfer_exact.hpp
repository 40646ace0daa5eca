// Restriction and prolongation (multigrid/transfer/block_transfer.hpp) with near-null vectors in half precision: exact products
// (core/field/exact_product.hpp). The numbers of a right-hand side within an aggregate become integers of one quantum; what is
// rounded besides are the sums, once. So host and device have the same bits.
#pragma once

#include "core/field/exact_product.hpp"
#include "multigrid/transfer/block_transfer.hpp"

namespace plaq {

// A team has an aggregate and a chirality of it.
template <class Target, class F, int Tile>
struct ExactRestriction : BlockTransfer<Target, Fixed16, F> {
  static constexpr int max_team_size = 256;
  using Z = Complex<float>;
  using Product = ExactProduct<Target, Tile>;

  static std::size_t scratch_bytes(const AggregateRows& rows, int vectors) {
    return scratch_bytes_of<int>(rows.parities * rows.places()) +
           Product::scratch_bytes(vectors, exact_slab(rows.of_chirality()));
  }
  static int teams_of_tile(const AggregateRows& rows) { return rows.chiralities; }

  PLAQ_HD void operator()(Team<Target>& team, int index) const {
    const auto at = this->teams.place(index);
    if (!this->teams.has_site(at)) return;
    const AggregateRows& rows = this->rows;
    const int n = rows.of_chirality(), tile = at.inner / rows.chiralities,
              chirality = at.inner - tile * rows.chiralities;
    const int first = tile * Tile, rest = this->active.count() - first, count = rest < Tile ? rest : Tile;
    int* sites = team.template scratch<int>(rows.parities * rows.places());  // -1: not taken
    for (int parity = 0; parity < rows.parities; ++parity)
      if (this->fine[parity])
        for_aggregate_sites(team, rows, parity, at, [&](int place, int site) {
          sites[parity * rows.places() + place] = site >= 0 && this->counts(parity, site) ? site : -1;
        });
    // Rows of a parity that is not there are left out.
    const int begin = this->fine[0] ? 0 : rows.of_parity();
    const int end = rows.parities == 2 && !this->fine[1] ? rows.of_parity() : n;
    const StoredMatrix<Adjacent::rows> v(this->v[at.parity].column(at.site, chirality * n + begin),
                                         this->v[at.parity].column_stride(), this->vectors, end - begin);
    Product product(team, this->vectors, exact_slab(n));
    product.multiply(team, v, count, [&](int k, int t) {  // conj(psi), so that V is as it is stored
      const int row = begin + k,
                place = static_cast<int>(this->by_half.divide(static_cast<std::uint32_t>(row))),
                site = sites[place], parity = place < rows.places() ? 0 : 1;
      if (site < 0) return Z{0, 0};
      const int rhs = this->active[first + t];
      const auto& fine = this->fine[parity];
      return conj(scale(fine.scale(rhs, site),
                        fine.line(rhs, site).load(chirality * rows.half() + row - place * rows.half())));
    });
    for_lines<Target>(team, count, this->by_vectors, [&](int t, int k) {
      this->coarse[at.parity]
          .line(this->active[first + t], at.site)
          .store(this->coarse_component(chirality, k), conj(scale(this->scale_of(at, k), product.sum(k, t))));
    });
  }
};

// Rows of a chirality that are whole sites, and whole tiles of 16.
PLAQ_HD int exact_prolongation_rows(const AggregateRows& rows) {
  int n = rows.half();
  while (n % 16 != 0) n += rows.half();
  return n;
}
inline constexpr int exact_prolongation_groups = 4;
inline int exact_prolongation_warps(const AggregateRows& rows) {
  const int groups = (rows.of_parity() + exact_prolongation_rows(rows) - 1) / exact_prolongation_rows(rows);
  return groups < exact_prolongation_groups ? groups : exact_prolongation_groups;
}

// A team has some groups of sites of one parity of an aggregate.
template <class Target, class F, int Tile>
struct ExactProlongation : BlockTransfer<Target, Fixed16, F> {
  static constexpr int max_team_size = 256;
  using Z = Complex<float>;
  using Product = ExactProduct<Target, Tile>;

  // Sites of a team, and their rows.
  static PLAQ_HD int slab_places(const AggregateRows& rows) {
    return exact_prolongation_groups * (exact_prolongation_rows(rows) / rows.half());
  }
  static PLAQ_HD int slab_rows(const AggregateRows& rows) { return slab_places(rows) * rows.half(); }
  static PLAQ_HD int slabs(const AggregateRows& rows) {
    return (rows.places() + slab_places(rows) - 1) / slab_places(rows);
  }
  static std::size_t scratch_bytes(const AggregateRows& rows, int vectors) {
    return scratch_bytes_of<Z>(Tile * rows.chiralities * slab_rows(rows)) +
           Product::scratch_bytes(0, rows.chiralities * exact_slab(vectors));
  }
  static int teams_of_tile(const AggregateRows& rows) { return rows.parities * slabs(rows); }

  PLAQ_HD void operator()(Team<Target>& team, int index) const {
    const auto at = this->teams.place(index);
    if (!this->teams.has_site(at)) return;
    const AggregateRows& rows = this->rows;
    const int per_tile = rows.parities * slabs(rows), tile = at.inner / per_tile,
              inner = at.inner - tile * per_tile, parity = inner / slabs(rows), slab = inner % slabs(rows);
    if (!this->fine[parity]) return;
    const int first = tile * Tile, rest = this->active.count() - first, count = rest < Tile ? rest : Tile;
    const int begin = slab * slab_places(rows), left = rows.places() - begin,
              places = left < slab_places(rows) ? left : slab_places(rows);
    if (places <= 0) return;
    const int lines = slab_rows(rows), slots = exact_slab(this->vectors);
    Z* sum = team.template scratch<Z>(Tile * rows.chiralities * lines);  // [chirality][right-hand side][row]
    Product product(team, 0, rows.chiralities * slots);
    product.multiply_each(
        team, rows.chiralities,
        [&](int chirality) {
          return StoredMatrix<Adjacent::columns>(
              this->v[at.parity].column(at.site, rows.row(chirality, parity, begin, 0)),
              this->v[at.parity].column_stride(), places * rows.half(), this->vectors);
        },
        exact_prolongation_rows(rows), count,
        [&](int number, int t) {
          const int chirality = number / slots, k = number - chirality * slots;
          if (k >= this->vectors) return Z{0, 0};
          const auto line = this->coarse[at.parity].line(this->active[first + t], at.site);
          return scale(this->scale_of(at, k), line.load(this->coarse_component(chirality, k)));
        },
        [&](int chirality, int row, int t, const Z& z) { sum[(chirality * Tile + t) * lines + row] = z; },
        [&](int group) {
          const int sites = exact_prolongation_rows(rows) / rows.half();
          Product::for_group(sites * count, [&](int st) {
            const int t = st / sites, place = group * sites + st - t * sites;
            if (place >= places) return;
            const int site = rows.map.fine_index(parity, BlockSite{at.parity, at.site, begin + place});
            if (site < 0) return;
            this->store(parity, this->active[first + t], site, [&](int chirality, int i) -> Z& {
              return sum[(chirality * Tile + t) * lines + place * rows.half() + i];
            });
          });
        });
  }
};

}  // namespace plaq
