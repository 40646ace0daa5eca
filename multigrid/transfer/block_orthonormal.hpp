// Near-null vectors, put together by aggregate and made orthonormal there: V becomes V R^-1 with V^dagger
// V = R^dagger R, twice (CholeskyQR2; Yamamoto et al., ETNA 44 (2015) 306), since one pass loses
// orthogonality as the square of the condition number.
#pragma once

#include "core/algebra/random.hpp"
#include "core/field/scalar_components.hpp"
#include "multigrid/transfer/aggregate_teams.hpp"

namespace plaq {

// From vectors on the fine lattice. Rows without a site become 0.
template <class Target, class V, class F>
struct AggregateGather {
  static constexpr int max_team_size = 256;

  AggregateTeams teams;  // inner: vectors
  AggregateRows rows;
  ScalarComponents<F> fine[2];
  ScalarComponents<V> v[2];

  PLAQ_HD void operator()(Team<Target>& team, int index) const {
    const auto at = teams.place(index);
    if (!teams.has_site(at)) return;
    for (int parity = 0; parity < rows.parities; ++parity)
      for_aggregate_sites(team, rows, parity, at, [&](int place, int site) {
        for (int c = 0; c < rows.components; ++c) {
          const int chirality = c / rows.half();
          Complex<Compute<V>> z{};
          if (site >= 0) {
            const auto found = fine[parity].load(at.inner, site, c);
            z = {static_cast<Compute<V>>(found.re), static_cast<Compute<V>>(found.im)};
          }
          v[at.parity].store(at.inner, at.site,
                             rows.row(chirality, parity, place, c - chirality * rows.half()), z);
        }
      });
  }
};

// One chirality of an aggregate: a matrix of rows x near-null vectors, read in double.
template <class V>
struct AggregateMatrix {
  ScalarComponents<V> v;
  int site, first;  // row

  PLAQ_HD Complex<double> operator()(int row, int vector) const {
    const auto z = v.load(vector, site, first + row);
    return {static_cast<double>(z.re), static_cast<double>(z.im)};
  }
};

// Some rows of it in scratch memory: [vector][row].
template <class V>
struct RowTile {
  Complex<V>* numbers;
  int vectors;

  // With many vectors there is not much room beside their matrices.
  static PLAQ_HD int rows(int vectors) { return vectors <= 32 ? 128 : 16; }
  static PLAQ_HD std::size_t scratch_bytes(int vectors) {
    return scratch_bytes_of<Complex<V>>(vectors * rows(vectors));
  }
  template <class TeamT>
  static PLAQ_HD RowTile in(TeamT& team, int vectors) {
    return {team.template scratch<Complex<V>>(vectors * rows(vectors)), vectors};
  }
  PLAQ_HD Complex<V>& stored(int row, int vector) const { return numbers[vector * rows(vectors) + row]; }
  PLAQ_HD Complex<double> operator()(int row, int vector) const {
    const Complex<V>& z = stored(row, vector);
    return {static_cast<double>(z.re), static_cast<double>(z.im)};
  }
  // f(first row, number of rows) with these rows of v in the tile, for all `all` of them in turn.
  template <class TeamT, class F>
  PLAQ_HD void for_rows(TeamT& team, const AggregateMatrix<V>& v, int all, const F& f) const {
    for (int first = 0; first < all; first += rows(vectors)) {
      const int here = all - first < rows(vectors) ? all - first : rows(vectors);
      team.for_range(here * vectors, [&](int i) {
        const int row = i / vectors, k = i - row * vectors;
        stored(row, k) = v.v.load(k, v.site, v.first + first + row);
      });
      f(first, here);
    }
  }
};

// gram[i n + j] = (v_i, v_j) for i <= j < n, added up in the order of rows.
template <class TeamT, class V>
PLAQ_HD void gram_matrix(TeamT& team, const AggregateMatrix<V>& v, const RowTile<V>& tile, int rows, int n,
                         Complex<double>* gram) {
  tile.for_rows(team, v, rows, [&](int first, int here) {
    // Among pairs i <= j, the line of i = a and that of n - 1 - a make one line of n + 1.
    team.for_range(n * (n + 1) / 2, [&](int pair) {
      const int a = pair / (n + 1), b = pair - a * (n + 1);
      const int i = b < n - a ? a : n - 1 - a, j = b < n - a ? a + b : i + b - (n - a);
      Complex<double> sum = first == 0 ? Complex<double>{0, 0} : gram[i * n + j];
      for (int row = 0; row < here; ++row) sum = conj_fma(tile(row, i), tile(row, j), sum);
      gram[i * n + j] = sum;
    });
  });
}

// Result of a team.
struct OrthonormalPass {
  double least_pivot;  // least |v_k orthogonal to those before| / |v_k|
  int dropped;         // columns that depend on those before to rounding
};

// One pass over one chirality of an aggregate. Gram matrices and their factors in
// double. A dropped column becomes 0.
template <class Target, class V>
struct BlockOrthonormal {
  static constexpr int max_team_size = 256;
  using Z = Complex<double>;

  AggregateTeams teams;  // inner: chiralities
  AggregateRows rows;
  ScalarComponents<V> v[2];
  OrthonormalPass* found = nullptr;  // of each team
  int vectors = 0;
  double dependent = 0;  // a pivot below this share of its column drops it

  static std::size_t scratch_bytes(int vectors) {
    return scratch_bytes_of<Z>(vectors * vectors) + scratch_bytes_of<double>(vectors) +
           scratch_bytes_of<OrthonormalPass>(1) + RowTile<V>::scratch_bytes(vectors);
  }

  PLAQ_HD void operator()(Team<Target>& team, int index) const {
    const auto at = teams.place(index);
    const int n = vectors, first = at.inner * rows.of_chirality();
    const AggregateMatrix<V> wide{v[at.parity], at.site, first};
    if (!teams.has_site(at)) {
      team.for_range(1, [&](int) { found[index] = {1, 0}; });
      return;
    }
    Z* r = team.template scratch<Z>(n * n);              // r[i n + j], i <= j: first the Gram matrix
    double* inverse = team.template scratch<double>(n);  // of the diagonal; 0: dropped
    auto* state = team.template scratch<OrthonormalPass>(1);
    const auto tile = RowTile<V>::in(team, n);
    gram_matrix(team, wide, tile, rows.of_chirality(), n, r);
    team.for_range(n, [&](int j) { inverse[j] = r[j * n + j].re; });  // |v_j|^2 for now
    team.for_range(1, [&](int) { *state = {1, 0}; });
    for (int k = 0; k < n; ++k) {
      team.for_range(1, [&](int) {
        const double pivot = r[k * n + k].re, whole = inverse[k];
        const bool kept = pivot > dependent * dependent * whole && pivot > 0;
        const double share = whole > 0 && pivot > 0 ? sqrt(pivot / whole) : 0;
        if (share < state->least_pivot) state->least_pivot = share;
        if (!kept) ++state->dropped;
        inverse[k] = kept ? 1 / sqrt(pivot) : 0;
      });
      team.for_range(n - k, [&](int j) { r[k * n + k + j] = scale(inverse[k], r[k * n + k + j]); });
      // G_ij -= conj(R_ki) R_kj for k < i <= j.
      const int rest = n - k - 1;
      team.for_range(rest * rest, [&](int ij) {
        const int i = k + 1 + ij / rest, j = k + 1 + ij % rest;
        if (i <= j) r[i * n + j] = conj_fma(r[k * n + i], -r[k * n + j], r[i * n + j]);
      });
    }
    // Row by row w R = v, that is w_k = (v_k - sum of w_j R_jk over j < k) / R_kk.
    tile.for_rows(team, wide, rows.of_chirality(), [&](int begin, int here) {
      team.for_range(here, [&](int row) {
        for (int k = 0; k < n; ++k) {
          Z w = tile(row, k);
          for (int j = 0; j < k; ++j) w = fma(-tile(row, j), r[j * n + k], w);
          w = scale(inverse[k], w);
          tile.stored(row, k) = {static_cast<V>(w.re), static_cast<V>(w.im)};
        }
      });
      team.for_range(here * n, [&](int i) {
        const int row = i / n, k = i - row * n;
        v[at.parity].store(k, at.site, first + begin + row, tile.stored(row, k));
      });
    });
    team.for_range(1, [&](int) { found[index] = *state; });
  }
};

}  // namespace plaq
