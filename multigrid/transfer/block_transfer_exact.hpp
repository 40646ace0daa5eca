// Restriction and prolongation (multigrid/transfer/block_transfer.hpp) with near-null vectors in half or
// quarter precision: exact products
// (core/field/exact_product.hpp). Slabs are some sites of R, the coarse components of a chirality of P. What
// is rounded besides are sums over slabs, in a fixed order. So host and device have the same bits.
#pragma once

#include "core/field/exact_product.hpp"
#include "multigrid/transfer/block_transfer.hpp"

namespace plaq {

// Fine sites of a slab.
PLAQ_HD int exact_restriction_places(const AggregateRows& rows) {
  constexpr int columns = 48;
  return rows.half() < columns ? columns / rows.half() : 1;
}

// A team has an aggregate and a chirality of it. Part p of eight has the slabs p, p + 8, ... in this order.
template <class Target, class V, class F, int Tile>
struct ExactRestriction : BlockTransfer<Target, V, F> {
  static constexpr int max_team_size = 32 * most_workers;
  using Z = Complex<float>;
  using Product = ExactProduct<Target, Tile>;

  using Lines = ComponentLines<Target, F>;
  struct Component {
    typename Lines::Place place;
    bool taken;
  };

  int workers = 1;  // of a team

  static std::size_t scratch_bytes(const AggregateRows& rows, int vectors, int workers) {
    return scratch_bytes_of<const F*>(2 * Tile) + scratch_bytes_of<int>(rows.parities * rows.places()) +
           Product::scratch_bytes(workers, exact_restriction_places(rows) * rows.half()) +
           scratch_bytes_of<Z>(parts_of_rows * Tile * vectors);
  }
  static int teams_of_tile(const AggregateRows& rows) { return rows.chiralities; }

  PLAQ_HD void operator()(Team<Target>& team, int index) const {
    const auto at = this->teams.place(index);
    if (!this->teams.has_site(at)) return;
    const AggregateRows& rows = this->rows;
    const int tile = at.inner / rows.chiralities, chirality = at.inner - tile * rows.chiralities;
    const int first = tile * Tile, rest = this->active.count() - first, count = rest < Tile ? rest : Tile;
    const F** subfields = team.template scratch<const F*>(2 * Tile);  // [parity][right-hand side]
    team.for_range(rows.parities * count, [&](int i) {
      const int parity = i / count, t = i - parity * count;
      if (this->fine[parity])
        subfields[parity * Tile + t] = this->fine[parity].subfield(this->active[first + t]);
    });
    int* sites = team.template scratch<int>(rows.parities * rows.places());  // -1: not taken
    for (int parity = 0; parity < rows.parities; ++parity)
      if (this->fine[parity])
        for_aggregate_sites(team, rows, parity, at, [&](int place, int site) {
          sites[parity * rows.places() + place] = site >= 0 && this->counts(parity, site) ? site : -1;
        });
    const int places = exact_restriction_places(rows), slabs = (rows.places() + places - 1) / places;
    // Slabs of an absent parity are left out.
    const int begin = this->fine[0] ? 0 : slabs,
              end = rows.parities == 2 && this->fine[1] ? 2 * slabs : slabs;
    Product product(team, workers, places * rows.half(), count);
    Z* sums =
        team.template scratch<Z>(parts_of_rows * Tile * this->vectors);  // [part][right-hand side][vector]
    Workers<Target>::for_each(parts_of_rows, [&](int part) {
      const int mine = Workers<Target>::number();
      Z* sum = sums + part * Tile * this->vectors;
      for (int slab = begin + part; slab < end; slab += parts_of_rows) {
        const int parity = slab / slabs, place = (slab - parity * slabs) * places,
                  left = rows.places() - place, here = left < places ? left : places,
                  columns = here * rows.half();
        const bool begins = slab == begin + part;
        const int* of_slab = sites + parity * rows.places() + place;
        if (!any_taken(of_slab, here)) {  // a plane of a block, for hops across planes
          if (begins) Workers<Target>::for_members(Tile * this->vectors, [&](int i) { sum[i] = {0, 0}; });
          continue;
        }
        product.take(
            mine, columns,
            [&](int k) {
              const int of = static_cast<int>(this->by_half.divide(static_cast<std::uint32_t>(k))),
                        site = of_slab[of];
              return Component{this->fine[parity].place(site < 0 ? 0 : site,
                                                        chirality * rows.half() + k - of * rows.half()),
                               site >= 0};
            },
            [&](const Component& of, int t) {  // conj(psi), so that V is as it is stored
              const Z z = Lines::load(subfields[parity * Tile + t], of.place);
              return of.taken ? conj(z) : Z{0, 0};
            });
        const StoredMatrix<Adjacent::rows, V> v(
            this->v[at.parity].column(at.site, this->first_row(chirality) + rows.row(parity, place, 0)),
            this->v[at.parity].column_stride(), this->vectors, columns);
        product.multiply(mine, v, 0, this->vectors, [&](int row, int t, const Z& z) {
          Z& s = sum[t * this->vectors + row];
          s = begins ? z : s + z;
        });
      }
    });
    for_lines<Target>(team, count, this->by_vectors, [&](int t, int k) {
      const Z all = tree_sum<parts_of_rows>([&](int part) {
        return begin + part < end ? sums[(part * Tile + t) * this->vectors + k] : Z{0, 0};
      });
      this->store_coarse(this->coarse[at.parity].line(this->active[first + t], at.site),
                         this->coarse_component(chirality, k), conj(scale(this->scale_of(at, k), all)));
    });
  }

 private:
  static PLAQ_HD bool any_taken(const int* sites, int count) {
    for (int i = 0; i < count; ++i)
      if (sites[i] >= 0) return true;
    return false;
  }
};

// Rows of a chirality that are whole sites, and whole tiles of 16.
PLAQ_HD int exact_prolongation_rows(const AggregateRows& rows) {
  int n = rows.half();
  while (n % 16 != 0) n += rows.half();
  return n;
}
inline constexpr int exact_prolongation_groups = 16;  // of a team at most

// A team has some groups of sites of one parity of an aggregate.
template <class Target, class V, class F, int Tile>
struct ExactProlongation : BlockTransfer<Target, V, F> {
  static constexpr int max_team_size = 32 * most_workers;
  using Z = Complex<float>;
  using Product = ExactProduct<Target, Tile>;

  using Lines = ComponentLines<Target, float>;
  struct Component {
    typename Lines::Place place;
    float scale;
  };

  int workers = 1;  // of a team

  // Sites of a team.
  static PLAQ_HD int slab_places(const AggregateRows& rows) {
    return exact_prolongation_groups * (exact_prolongation_rows(rows) / rows.half());
  }
  static PLAQ_HD int slabs(const AggregateRows& rows) {
    return (rows.places() + slab_places(rows) - 1) / slab_places(rows);
  }
  static std::size_t scratch_bytes(const AggregateRows& rows, int vectors, int workers) {
    const int group_rows = exact_prolongation_rows(rows);
    return scratch_bytes_of<Z>(workers * Tile * rows.chiralities * group_rows) +
           scratch_bytes_of<float>(workers * Tile * rows.chiralities * (group_rows / rows.half())) +
           scratch_bytes_of<int>(workers * (group_rows / rows.half())) +
           Product::scratch_bytes(rows.chiralities, vectors);
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
    const int group_rows = exact_prolongation_rows(rows), sites = group_rows / rows.half();
    Z* sums = team.template scratch<Z>(workers * Tile * rows.chiralities * group_rows);
    float* largest = team.template scratch<float>(workers * Tile * rows.chiralities * sites);
    int* site_list = team.template scratch<int>(workers * sites);
    Product product(team, rows.chiralities, this->vectors, count);
    Workers<Target>::for_each(rows.chiralities, [&](int chirality) {
      const auto& coarse = this->coarse[at.parity];
      product.take(
          chirality, this->vectors,
          [&](int k) {
            return Component{coarse.place(at.site, this->coarse_component(chirality, k)),
                             this->scale_of(at, k)};
          },
          [&](const Component& of, int t) {
            return scale(of.scale, Lines::load(coarse.subfield(this->active[first + t]), of.place));
          });
    });
    Workers<Target>::for_each((places + sites - 1) / sites, [&](int group) {
      const int mine = Workers<Target>::number();
      const Group of{at,
                     parity,
                     begin + group * sites,
                     first,
                     count,
                     sums + mine * Tile * rows.chiralities * group_rows,  // [chirality][right-hand side][row]
                     largest + mine * Tile * rows.chiralities * sites,
                     site_list + mine * sites};
      for (int chirality = 0; chirality < rows.chiralities; ++chirality) {
        const StoredMatrix<Adjacent::columns, V> v(
            this->v[at.parity].column(at.site, this->first_row(chirality) + rows.row(parity, begin, 0)),
            this->v[at.parity].column_stride(), places * rows.half(), this->vectors);
        const int begin_row = group * group_rows;
        product.multiply(chirality, v, begin_row, group_rows, [&](int row, int t, const Z& z) {
          of.sum[(chirality * Tile + t) * group_rows + row - begin_row] = z;
        });
      }
      store_group(of, sites, group_rows);
    });
  }

 private:
  // Some sites of a parity, from a place of the block on, and what they become.
  struct Group {
    AggregateTeams::Place at;
    int parity, place, first, count;
    Z* sum;
    float* largest;
    int* site;
  };
  // By the members of a worker: the largest number of each chirality of a site first, since all share a
  // scale, then pieces of the sites.
  PLAQ_HD void store_group(const Group& of, int sites, int group_rows) const {
    const AggregateRows& rows = this->rows;
    const auto& to = this->fine[of.parity];
    const int half = rows.half();
    const auto number = [&](int chirality, int t, int s, int i) -> Z& {
      return of.sum[(chirality * Tile + t) * group_rows + s * half + i];
    };
    Workers<Target>::for_members(sites, [&](int s) {
      const int place = of.place + s;
      of.site[s] = place < rows.places()
                       ? rows.map.fine_index(of.parity, BlockSite{of.at.parity, of.at.site, place})
                       : -1;
    });
    Workers<Target>::for_members(sites * of.count * rows.chiralities, [&](int cts) {
      const int ct = cts / sites, s = cts - ct * sites, chirality = ct / of.count,
                t = ct - chirality * of.count;
      if (of.site[s] < 0) return;
      const int rhs = this->active[of.first + t];
      float most = 0;
      for (int i = 0; i < half; ++i) {
        Z& z = number(chirality, t, s, i);
        if (this->add)
          z = scale(to.scale(rhs, of.site[s]), to.line(rhs, of.site[s]).load(chirality * half + i)) + z;
        most = larger_magnitude(z.im, larger_magnitude(z.re, most));
      }
      of.largest[(chirality * Tile + t) * sites + s] = most;
    });
    constexpr int pieces = 3;
    const int piece =
        (rows.components + 4 * pieces - 1) / (4 * pieces) * 4;  // numbers, a multiple of a chunk
    Workers<Target>::for_members(pieces * sites * of.count, [&](int pts) {
      const int pt = pts / sites, s = pts - pt * sites, p = pt / of.count, t = pt - p * of.count;
      const int site = of.site[s], from = p * piece, left = rows.components - from;
      if (site < 0 || left <= 0) return;
      float most = of.largest[t * sites + s];
      if (rows.chiralities == 2) most = larger_magnitude(of.largest[(Tile + t) * sites + s], most);
      const int rhs = this->active[of.first + t];
      // Whoever has the first piece writes the scale; numbers before it need none any more.
      const float steps = p == 0 ? to.set_scale(rhs, site, most) : to.steps(most);
      to.line(rhs, site).store_all(
          from, from + (left < piece ? left : piece),
          [&](int i) {
            const int chirality = i < half ? 0 : 1;
            return number(chirality, t, s, i - chirality * half);
          },
          steps);
    });
  }
};

}  // namespace plaq
