// Restriction and prolongation within aggregates:
//   (R psi)(X, chi, k) = sum of conj(V_k(x, i)) psi(x, i) over x in X and i of chirality chi,   R = P^dagger
//   (P e)(x, i)        = sum over k of V_k(x, i) e(X(x), chi(i), k)
// A sum over rows is cut into as many parts as parts_of_rows, each added up in the order of rows, and these in their order:
// the same bits for any size of a team, any process grid and any batch.
#pragma once

#include "core/field/scalar_components.hpp"
#include "core/operator/active_set.hpp"
#include "multigrid/transfer/aggregate_teams.hpp"

namespace plaq {

inline constexpr int parts_of_rows = 8;

// V: storage of the near-null vectors, F: of fine vectors, C: of coarse ones, which is what is computed with.
template <class Target, class V, class F>
struct BlockTransfer {
  using C = Compute<F>;
  static constexpr int max_team_size = 256;

  AggregateTeams teams;
  AggregateRows rows;
  int vectors = 0;
  ScalarComponents<V> v[2];       // by coarse parity
  ScalarComponents<F> fine[2];    // by fine parity; closed where the field does not hold it
  ScalarComponents<C> coarse[2];  // by coarse parity
  ActiveSet active;

  // Of one V_k in a row.
  PLAQ_HD Complex<C> vector(const AggregateTeams::Place& at, int chirality, int row, int k) const {
    const auto z = v[at.parity].load(k, at.site, chirality * rows.of_chirality() + row);
    return {static_cast<C>(z.re), static_cast<C>(z.im)};
  }
  PLAQ_HD int coarse_component(int chirality, int k) const { return chirality * vectors + k; }
};

template <class Target, class V, class F>
struct BlockRestriction : BlockTransfer<Target, V, F> {
  using Base = BlockTransfer<Target, V, F>;
  using C = typename Base::C;

  // Of a fine vector that one directed hop has made: the sites whose neighbour in it is in the next aggregate, or the
  // others. -1: all sites.
  int hop = -1;
  bool across = false;

  static std::size_t scratch_bytes(const AggregateRows& rows, int vectors) {
    return scratch_bytes_of<Complex<C>>(rows.of_chirality()) +
           scratch_bytes_of<Complex<C>>(parts_of_rows * vectors);
  }

  PLAQ_HD void operator()(Team<Target>& team, int index) const {
    const auto at = this->teams.place(index);
    if (!this->teams.has_site(at)) return;
    const int n = this->rows.of_chirality(), half = this->rows.half(), vectors = this->vectors;
    const int rhs = this->active[at.inner / this->rows.chiralities],
              chirality = at.inner % this->rows.chiralities;
    auto* psi = team.template scratch<Complex<C>>(n);
    for (int parity = 0; parity < this->rows.parities; ++parity)
      for_aggregate_sites(team, this->rows, parity, at, [&](int place, int site) {
        Complex<C>* row = psi + this->rows.row(0, parity, place, 0);
        for (int i = 0; i < half; ++i)
          row[i] = site >= 0 && this->fine[parity] && counts(parity, site)
                       ? this->fine[parity].load(rhs, site, chirality * half + i)
                       : Complex<C>{C(0), C(0)};
      });
    auto* part = team.template scratch<Complex<C>>(parts_of_rows * vectors);
    const int each = (n + parts_of_rows - 1) / parts_of_rows;
    team.for_range(parts_of_rows * vectors, [&](int j) {
      const int p = j / vectors, k = j - p * vectors, last = (p + 1) * each < n ? (p + 1) * each : n;
      Complex<C> sum{C(0), C(0)};
      for (int row = p * each; row < last; ++row)
        sum = conj_fma(this->vector(at, chirality, row, k), psi[row], sum);
      part[j] = sum;
    });
    team.for_range(vectors, [&](int k) {
      Complex<C> sum = part[k];
      for (int p = 1; p < parts_of_rows; ++p) sum = sum + part[p * vectors + k];
      this->coarse[at.parity].store(rhs, at.site, this->coarse_component(chirality, k), sum);
    });
  }

 private:
  PLAQ_HD bool counts(int parity, int site) const {
    if (hop < 0) return true;
    const BlockMap& map = this->rows.map;
    const int mu = hop / 2, extent = map.block.extent[mu];
    const int x = map.fine.coordinates(parity, site).x[mu];
    const int inside = x - static_cast<int>(map.by_block[mu].divide(static_cast<std::uint32_t>(x))) * extent;
    return (inside == (hop % 2 == 0 ? extent - 1 : 0)) == across;
  }
};

// `add`: to what the fine vector is; else it becomes that.
template <class Target, class V, class F>
struct BlockProlongation : BlockTransfer<Target, V, F> {
  using Base = BlockTransfer<Target, V, F>;
  using C = typename Base::C;

  bool add = false;

  static std::size_t scratch_bytes(const AggregateRows& rows, int vectors) {
    return scratch_bytes_of<Complex<C>>(rows.chiralities * vectors) +
           scratch_bytes_of<Complex<C>>(rows.all());
  }

  PLAQ_HD void operator()(Team<Target>& team, int index) const {
    const auto at = this->teams.place(index);
    if (!this->teams.has_site(at)) return;
    const AggregateRows& rows = this->rows;
    const int rhs = this->active[at.inner], vectors = this->vectors, n = rows.of_chirality();
    auto* e = team.template scratch<Complex<C>>(rows.chiralities * vectors);
    team.for_range(rows.chiralities * vectors,
                   [&](int c) { e[c] = this->coarse[at.parity].load(rhs, at.site, c); });
    auto* sum = team.template scratch<Complex<C>>(rows.all());
    team.for_range(rows.all(), [&](int r) {
      const int chirality = r / n, row = r - chirality * n;
      if (!this->fine[row / rows.of_parity()]) return;
      Complex<C> s{C(0), C(0)};
      for (int k = 0; k < vectors; ++k)
        s = fma(this->vector(at, chirality, row, k), e[this->coarse_component(chirality, k)], s);
      sum[r] = s;
    });
    for (int parity = 0; parity < rows.parities; ++parity)
      if (this->fine[parity])
        for_aggregate_sites(team, rows, parity, at, [&](int place, int site) {
          if (site >= 0) store(parity, rhs, site, place, sum);
        });
  }

 private:
  // All components of a site, which share its scale.
  PLAQ_HD void store(int parity, int rhs, int site, int place, Complex<C>* sum) const {
    const AggregateRows& rows = this->rows;
    const auto& fine = this->fine[parity];
    C most = C(0);
    for (int c = 0; c < rows.components; ++c) {
      const int chirality = c / rows.half();
      Complex<C>& z = sum[rows.row(chirality, parity, place, c - chirality * rows.half())];
      if (add) z = fine.load(rhs, site, c) + z;
      most = larger_magnitude(z.im, larger_magnitude(z.re, most));
    }
    const C steps = fine.set_scale(rhs, site, most);
    for (int c = 0; c < rows.components; ++c) {
      const int chirality = c / rows.half();
      fine.store(rhs, site, c, sum[rows.row(chirality, parity, place, c - chirality * rows.half())], steps);
    }
  }
};

}  // namespace plaq
