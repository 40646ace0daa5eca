// Near-null vectors, put together by aggregate and made orthonormal there: V becomes V R^-1 with V^dagger
// V = R^dagger R, twice (CholeskyQR2; Yamamoto et al., ETNA 44 (2015) 306), since one pass loses
// orthogonality as the square of the condition number.
#pragma once

#include "core/algebra/random.hpp"
#include "core/field/scalar_components.hpp"
#include "multigrid/transfer/aggregate_teams.hpp"

namespace plaq {

// From a slice of vectors on the fine lattice. Rows without a site become 0. A team has an aggregate, and
// brings some places of it into the order of rows x vectors in scratch memory.
template <class Target, class V, class F>
struct AggregateGather {
  static constexpr int max_team_size = 256;
  static constexpr int places_at_once = 8;

  AggregateTeams teams;
  AggregateRows rows;
  ScalarComponents<F> fine[2];  // of a slice
  ScalarComponents<V> v[2];
  int vectors = 0, slice = 0;

  static std::size_t scratch_bytes(const AggregateRows& rows, int vectors) {
    return scratch_bytes_of<int>(places_at_once) +
           scratch_bytes_of<Complex<V>>(places_at_once * rows.components * (vectors | 1));
  }

  PLAQ_HD void operator()(Team<Target>& team, int index) const {
    const auto at = teams.place(index);
    if (!teams.has_site(at)) return;
    const int line = vectors | 1, half = rows.half();
    int* sites = team.template scratch<int>(places_at_once);
    auto* numbers = team.template scratch<Complex<V>>(places_at_once * rows.components * line);
    for (int parity = 0; parity < rows.parities; ++parity)
      for (int first = 0; first < rows.places(); first += places_at_once) {
        const int left = rows.places() - first, places = left < places_at_once ? left : places_at_once;
        team.for_range(places, [&](int p) {
          sites[p] = rows.map.fine_index(parity, {at.parity, at.site, first + p});
        });
        team.for_range(places * vectors, [&](int pk) {
          const int k = pk / places, p = pk - k * places, site = sites[p];
#pragma unroll 6
          for (int c = 0; c < rows.components; ++c) {
            Complex<V> z{};
            if (site >= 0) {
              const auto found = fine[parity].load(k, site, c);
              z = {static_cast<V>(found.re), static_cast<V>(found.im)};
            }
            numbers[(p * rows.components + c) * line + k] = z;
          }
        });
        team.for_range(places * rows.components * vectors, [&](int pck) {
          const int pc = pck / vectors, k = pck - pc * vectors, p = pc / rows.components,
                    c = pc - p * rows.components, chirality = c / half;
          const int row =
              rows.first_row(chirality, slice) + rows.row(parity, first + p, c - chirality * half);
          v[at.parity].store(k, at.site, row, numbers[pc * line + k]);
        });
      }
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

// Some rows of it in scratch memory: [row][vector]. Lines of an odd length put vectors of a row, and rows of
// a vector, into different banks.
template <class V>
struct RowTile {
  static constexpr int together = 4;

  Complex<V>* numbers;
  int vectors, line;

  // With many vectors there is not much room beside their matrices.
  static PLAQ_HD int rows(int vectors) { return vectors <= 32 ? 128 : 16; }
  static PLAQ_HD std::size_t scratch_bytes(int vectors) {
    return scratch_bytes_of<Complex<V>>((vectors | 1) * rows(vectors));
  }
  template <class TeamT>
  static PLAQ_HD RowTile in(TeamT& team, int vectors) {
    const int line = vectors | 1;
    return {team.template scratch<Complex<V>>(line * rows(vectors)), vectors, line};
  }
  PLAQ_HD Complex<double> operator()(int row, int vector) const {
    const Complex<V>& z = numbers[row * line + vector];
    return {static_cast<double>(z.re), static_cast<double>(z.im)};
  }
  // f(first row, number of rows) with these rows of v in the tile, for all `all` of them in turn.
  template <class TeamT, class F>
  PLAQ_HD void for_rows(TeamT& team, const AggregateMatrix<V>& v, int all, const F& f) const {
    for (int first = 0; first < all; first += rows(vectors)) {
      const int here = all - first < rows(vectors) ? all - first : rows(vectors);
      // Some numbers at once, which wait for memory together.
      const int groups = (vectors + together - 1) / together;
      team.for_range(here * groups, [&](int i) {
        const int row = i / groups, k = together * (i - row * groups);
        Complex<V> z[together];
#pragma unroll
        for (int j = 0; j < together; ++j)
          if (k + j < vectors) z[j] = v.v.load(k + j, v.site, v.first + first + row);
#pragma unroll
        for (int j = 0; j < together; ++j)
          if (k + j < vectors) numbers[row * line + k + j] = z[j];
      });
      f(first, here);
    }
  }
};

// gram[i n + j] = (v_i, v_j) for i <= j < n, added up in the order of rows. A member takes two vectors and
// two others at once, which saves half of the reads.
template <class TeamT, class V>
PLAQ_HD void gram_matrix(TeamT& team, const AggregateMatrix<V>& v, const RowTile<V>& tile, int rows, int n,
                         Complex<double>* gram) {
  const int pairs = (n + 1) / 2;
  tile.for_rows(team, v, rows, [&](int first, int here) {
    // Among pairs a <= b of pairs, the line of a and that of pairs - 1 - a make one line of pairs + 1.
    team.for_range(pairs * (pairs + 1) / 2, [&](int block) {
      const int line = block / (pairs + 1), at = block - line * (pairs + 1);
      const int a = at < pairs - line ? line : pairs - 1 - line,
                b = at < pairs - line ? line + at : a + at - (pairs - line);
      const int i = 2 * a, j = 2 * b;
      const bool two_i = i + 1 < n, two_j = j + 1 < n;
      Complex<double> sum[2][2] = {};
      if (first > 0) {
        sum[0][0] = gram[i * n + j];
        if (two_j) sum[0][1] = gram[i * n + j + 1];
        if (two_i && a < b) sum[1][0] = gram[(i + 1) * n + j];
        if (two_i && two_j) sum[1][1] = gram[(i + 1) * n + j + 1];
      }
      for (int row = 0; row < here; ++row) {
        const Complex<double> left[2] = {tile(row, i), tile(row, two_i ? i + 1 : i)},
                              right[2] = {tile(row, j), tile(row, two_j ? j + 1 : j)};
#pragma unroll
        for (int k = 0; k < 2; ++k)
#pragma unroll
          for (int l = 0; l < 2; ++l) sum[k][l] = conj_fma(left[k], right[l], sum[k][l]);
      }
      gram[i * n + j] = sum[0][0];
      if (two_j) gram[i * n + j + 1] = sum[0][1];
      if (two_i && a < b) gram[(i + 1) * n + j] = sum[1][0];
      if (two_i && two_j) gram[(i + 1) * n + j + 1] = sum[1][1];
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
    // X = R^-1 above its diagonal, which is `inverse`: X_ik is kept at (k, i), below that of R.
    team.for_range(n, [&](int k) {
      for (int i = k - 1; i >= 0; --i) {
        Z sum = scale(inverse[k], r[i * n + k]);
        for (int j = i + 1; j < k; ++j) sum = fma(r[i * n + j], r[k * n + j], sum);
        r[k * n + i] = scale(-inverse[i], sum);
      }
    });
    // V X, two rows and two vectors at once.
    const int pairs = (n + 1) / 2;
    tile.for_rows(team, wide, rows.of_chirality(), [&](int begin, int here) {
      const int lines = (here + 1) / 2;
      team.for_range(pairs * lines, [&](int item) {
        const int k = 2 * (item / lines), row = item % lines, other = row + lines;
        const bool two_k = k + 1 < n, two_rows = other < here;
        const int last = two_k ? k + 1 : k;
        Z w[2][2] = {};  // [row][vector]
        for (int i = 0; i < k; ++i) {
          const Z a = tile(row, i), b = tile(two_rows ? other : row, i), x = r[k * n + i],
                  y = r[last * n + i];
          w[0][0] = fma(a, x, w[0][0]);
          w[0][1] = fma(a, y, w[0][1]);
          w[1][0] = fma(b, x, w[1][0]);
          w[1][1] = fma(b, y, w[1][1]);
        }
        const auto store = [&](int mine, int of) {
          const Z v_k = tile(mine, k);
          const auto put = [&](int vector, const Z& z) {
            v[at.parity].store(vector, at.site, first + begin + mine,
                               {static_cast<V>(z.re), static_cast<V>(z.im)});
          };
          put(k, w[of][0] + scale(inverse[k], v_k));
          if (two_k) put(k + 1, fma(v_k, r[last * n + k], w[of][1]) + scale(inverse[last], tile(mine, last)));
        };
        store(row, 0);
        if (two_rows) store(other, 1);
      });
    });
    team.for_range(1, [&](int) { found[index] = *state; });
  }
};

}  // namespace plaq
