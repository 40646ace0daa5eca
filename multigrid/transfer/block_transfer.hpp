// Restriction and prolongation within aggregates:
//   (R psi)(X, chi, k) = sum of conj(V_k(x, i)) psi(x, i) over x in X and i of chirality chi,   R = P^dagger
//   (P e)(x, i)        = sum over k of V_k(x, i) e(X(x), chi(i), k)
// A team has a slice of an aggregate, and up to Tile right-hand sides, which share what it reads of V. R adds
// one slice to the next.
//
// Rounding: the sum over rows has eight parts, rows p, p + 8, ... in this order, and these as
// ((0+1) + (2+3)) + ...; that over k is in the order of k. Real and imaginary parts of vectors are multiplied
// apart (core/field/complex_pack.hpp). V in half precision is integers until then; its scale is R's last
// factor, and P's first. So the same bits for any Tile and Parts, any size of a
// team, any process grid and any batch.
#pragma once

#include "core/field/complex_pack.hpp"
#include "core/launch/team_lines.hpp"
#include "core/operator/active_set.hpp"
#include "multigrid/transfer/aggregate_teams.hpp"

namespace plaq {

inline constexpr int parts_of_rows = 8;

// V: storage of the near-null vectors, F: of fine vectors, C: of coarse ones, which is what is computed with.
template <class Target, class V, class F>
struct BlockTransfer {
  using C = Compute<F>;

  AggregateTeams teams;
  AggregateRows rows;
  int vectors = 0, slice = 0;
  ComponentLines<Target, V> v[2];     // by coarse parity
  ComponentLines<Target, F> fine[2];  // of the slice, by fine parity; closed where the field does not hold it
  ComponentLines<Target, C> coarse[2];  // by coarse parity
  ActiveSet active;
  Divisor by_packs;             // of vectors, for R; of the rows of a chirality and a parity, for P
  Divisor by_vectors, by_half;  // by rows.half()
  HopSites sites;               // that R takes
  bool add = false;             // to what the result is; else it becomes that

  PLAQ_HD C scale_of(const AggregateTeams::Place& at, int k) const {
    return static_cast<C>(v[at.parity].scale(k, at.site));
  }
  PLAQ_HD int coarse_component(int chirality, int k) const { return chirality * vectors + k; }
  // First row of the slice in an aggregate.
  PLAQ_HD int first_row(int chirality) const { return rows.first_row(chirality, slice); }
  // True if R takes the fine site.
  PLAQ_HD bool counts(int parity, int site) const {
    if (sites.all) return true;
    const BlockMap& map = rows.map;
    const Coordinates c = map.fine.coordinates(parity, site);
    for (int mu = 0; mu < 4; ++mu) {
      const int hop = sites.hop.x[mu];
      if (hop == 0) continue;
      const int extent = map.block.extent[mu], x = c.x[mu];
      const int to =
          x - static_cast<int>(map.by_block[mu].divide(static_cast<std::uint32_t>(x))) * extent + hop;
      if ((to < 0 || to >= extent) != (sites.across.x[mu] != 0)) return false;
    }
    return true;
  }
  // The sum that R has found for a coarse component.
  template <class Line>
  PLAQ_HD void store_coarse(const Line& out, int component, const Complex<C>& z) const {
    out.store(component, add ? out.load(component) + z : z);
  }
  // All components of a fine site, which share its scale: number(chirality, i), which becomes what is stored.
  template <class Number>
  PLAQ_HD void store(int parity, int rhs, int site, const Number& number) const {
    const auto& to = fine[parity];
    const auto line = to.line(rhs, site);
    const int half = rows.half();
    const C before = add ? static_cast<C>(to.scale(rhs, site)) : C(0);
    C most = C(0);
    for (int chirality = 0; chirality < rows.chiralities; ++chirality)
      for (int i = 0; i < half; ++i) {
        Complex<C>& z = number(chirality, i);
        if (add) z = scale(before, line.load(chirality * half + i)) + z;
        most = larger_magnitude(z.im, larger_magnitude(z.re, most));
      }
    const C steps = to.set_scale(rhs, site, most);
    line.store_all(
        0, rows.components,
        [&](int i) {
          const int chirality = i < half ? 0 : 1;
          return number(chirality, i - chirality * half);
        },
        steps);
  }
};

template <class Target, class V, class F, int Tile, int Parts>
struct BlockRestriction : BlockTransfer<Target, V, F> {
  static constexpr int max_team_size = 256;
  using C = Compute<F>;
  using Z = Complex<C>;
  using Pack = ComplexPack<Target, C>;
  using Sums = PartSums<Target, C, parts_of_rows, Tile, Parts>;

  static std::size_t scratch_bytes(const AggregateRows& rows, int vectors) {
    return scratch_bytes_of<Z>(Tile * rows.of_slice()) +
           scratch_bytes_of<C>(Sums::groups * Tile * 2 * pack_reals<Target, C>(vectors));
  }
  static int teams_of_tile(const AggregateRows& rows) { return rows.chiralities; }

  PLAQ_HD void operator()(Team<Target>& team, int index) const {
    const auto at = this->teams.place(index);
    if (!this->teams.has_site(at)) return;
    const AggregateRows& rows = this->rows;
    const int n = rows.of_slice(), tile = at.inner / rows.chiralities,
              chirality = at.inner - tile * rows.chiralities;
    const int first = tile * Tile, rest = this->active.count() - first, count = rest < Tile ? rest : Tile;
    Z* psi = team.template scratch<Z>(Tile * n);  // [row of the slice][right-hand side]
    for (int parity = 0; parity < rows.parities; ++parity)
      if (this->fine[parity])
        for_aggregate_sites(team, rows, parity, at, [&](int place, int site) {
          Z* row = psi + rows.row(parity, place, 0) * Tile;
          const bool taken = site >= 0 && this->counts(parity, site);
          for (int t = 0; t < Tile; ++t)
            gather(row + t, taken, parity, site, this->active[first + (t < count ? t : 0)],
                   chirality * rows.half());
        });
    const int reals = pack_reals<Target, C>(this->vectors);
    C* sums = team.template scratch<C>(Sums::groups * Tile * 2 * reals);
    // Rows of a parity that is not there are left out.
    const int begin = this->fine[0] ? 0 : rows.of_parity();
    const int end = rows.parities == 2 && !this->fine[1] ? rows.of_parity() : n;
    const V* v = this->v[at.parity].column(at.site, this->first_row(chirality));
    const std::size_t stride = this->v[at.parity].column_stride();
    for_lines<Target>(team, Sums::groups, this->by_packs, [&](int group, int pack) {
      const int from = pack * Pack::reals;
      Sums::add(v + from, stride, psi, begin, end, group, sums + 2 * group * Tile * reals + from, reals);
    });
    for_lines<Target>(team, count, this->by_packs, [&](int t, int pack) {
      const auto sum = Sums::all(sums + pack * Pack::reals, t, reals);
      const auto out = this->coarse[at.parity].line(this->active[first + t], at.site);
      for (int r = 0; r < Pack::count; ++r) {
        const int k = pack * Pack::count + r;
        if (k >= this->vectors) return;
        this->store_coarse(out, this->coarse_component(chirality, k),
                           scale(this->scale_of(at, k), sum.conjugate_number(r)));
      }
    });
  }

 private:
  PLAQ_HD void gather(Z* row, bool taken, int parity, int site, int rhs, int first) const {
    const int half = this->rows.half();
    if (!taken) {
      for (int i = 0; i < half; ++i) row[i * Tile] = {C(0), C(0)};
      return;
    }
    const auto line = this->fine[parity].line(rhs, site);
    const C factor = this->fine[parity].scale(rhs, site);
    for (int i = 0; i < half; ++i) row[i * Tile] = scale(factor, line.load(first + i));
  }
};

template <class Target, class V, class F, int Tile>
struct BlockProlongation : BlockTransfer<Target, V, F> {
  static constexpr int max_team_size = 256;
  using C = Compute<F>;
  using Z = Complex<C>;
  using Pack = ComplexPack<Target, C>;
  using Sum = PackSum<Target, C>;

  static std::size_t scratch_bytes(const AggregateRows& rows, int vectors) {
    return scratch_bytes_of<Z>(Tile * rows.chiralities * padded(vectors)) +
           scratch_bytes_of<Z>(Tile * rows.chiralities * rows.of_slice());
  }
  static int teams_of_tile(const AggregateRows&) { return 1; }

  PLAQ_HD void operator()(Team<Target>& team, int index) const {
    const auto at = this->teams.place(index);
    if (!this->teams.has_site(at)) return;
    const AggregateRows& rows = this->rows;
    const int first = at.inner * Tile, rest = this->active.count() - first, count = rest < Tile ? rest : Tile;
    const int all = padded(this->vectors);
    Z* e = team.template scratch<Z>(Tile * rows.chiralities * all);  // [chirality][vector][right-hand side]
    team.for_range(rows.chiralities * Tile, [&](int ct) {
      const int chirality = ct / Tile, t = ct % Tile;
      const auto line = this->coarse[at.parity].line(this->active[first + (t < count ? t : 0)], at.site);
      for (int k = 0; k < all; ++k)
        e[(chirality * all + k) * Tile + t] =
            k < this->vectors ? scale(this->scale_of(at, k), line.load(this->coarse_component(chirality, k)))
                              : Z{C(0), C(0)};
    });
    Z* sum = team.template scratch<Z>(Tile * rows.chiralities *
                                      rows.of_slice());  // [chirality][row of the slice][right-hand side]
    for_lines<Target>(team, rows.chiralities * rows.parities, this->by_packs, [&](int line, int pack) {
      const int chirality = line / rows.parities, parity = line - chirality * rows.parities;
      if (!this->fine[parity]) return;
      multiply(at, this->first_row(chirality) + parity * rows.of_parity(), pack * Pack::count,
               e + chirality * all * Tile, sum + line * rows.of_parity() * Tile);
    });
    for (int parity = 0; parity < rows.parities; ++parity)
      if (this->fine[parity])
        for_aggregate_sites(team, rows, parity, at, [&](int place, int site) {
          if (site < 0) return;
          for (int t = 0; t < count; ++t)
            this->store(parity, this->active[first + t], site, [&](int chirality, int i) -> Z& {
              return sum[(chirality * rows.of_slice() + rows.row(parity, place, i)) * Tile + t];
            });
        });
  }

 private:
  static PLAQ_HD int padded(int vectors) {
    constexpr int unit = right_hand_side_padding;
    return (vectors + unit - 1) / unit * unit;
  }

  // Vectors of a row, next to each other; rows begin at multiples of 16 bytes.
  struct alignas(16) StoredVectors {
    StoredComplex<V> z[8 / sizeof(V)];
  };

  // A pack of rows from `row` on, of those of a chirality and a parity, which begin at `first` of V, and at
  // `sum`.
  PLAQ_HD void multiply(const AggregateTeams::Place& at, int first, int row, const Z* e, Z* sum) const {
    const int rest = this->rows.of_parity() - row, rows = rest < Pack::count ? rest : Pack::count;
    const V* y = this->v[at.parity].column(at.site, first + row);
    const std::size_t stride = this->v[at.parity].column_stride();
    Sum s[Tile];
    // A member of a device reads 16 bytes of its row at once, one of a host a square of numbers.
    constexpr int step = std::is_same_v<Target, Host> ? Pack::count : static_cast<int>(8 / sizeof(V));
    for (int k = 0; k < this->vectors; k += step) {
      Pack v[step];
      if constexpr (std::is_same_v<Target, Host>) {
#pragma unroll
        for (int r = 0; r < step; ++r)  // behind the last row, it once more
          v[r] = Pack::stored(y + static_cast<std::size_t>(r < rows ? r : rows - 1) * stride + 2 * k);
        Pack::transpose(v);
      } else {
        const auto several = *reinterpret_cast<const StoredVectors*>(y + 2 * k);
#pragma unroll
        for (int i = 0; i < step; ++i) v[i].v = from_storage<C>(several.z[i]);
      }
#pragma unroll
      for (int i = 0; i < step; ++i)
#pragma unroll
        for (int t = 0; t < Tile; ++t) s[t].add(v[i], e[(k + i) * Tile + t]);
    }
#pragma unroll
    for (int t = 0; t < Tile; ++t)
      for (int r = 0; r < rows; ++r) sum[(row + r) * Tile + t] = s[t].number(r);
  }
};

}  // namespace plaq
