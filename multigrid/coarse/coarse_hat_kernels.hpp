// The inverse of each site's own matrix, and hops multiplied by it. A team has a site.
#pragma once

#include "core/field/scalar_components.hpp"
#include "core/lattice/general_shape.hpp"
#include "core/launch/team.hpp"
#include "multigrid/coarse/coarse_links.hpp"

namespace plaq {

// True if component i is that of a dropped near-null vector: its row and its column are 0. A NaN is not 0.
template <class At>
PLAQ_HD bool is_absent(int i, int n, const At& at) {
  const auto is_zero = [](const auto& z) { return z.re == 0 && z.im == 0; };
  for (int j = 0; j < n; ++j)
    if (!is_zero(at(i, j)) || !is_zero(at(j, i))) return false;
  return true;
}

// Gauss and Jordan with rows exchanged for the largest pivot, in double and in place: one matrix a site,
// [column][row]. Components whose row and column are 0, those of dropped near-null vectors,
// stay out of it and of the inverse.
template <class Target, class C>
struct InvertSites {
  static constexpr int max_team_size = 256;
  using Z = Complex<double>;

  ScalarComponents<C> links;
  ScalarComponents<double> matrices;  // X^-1
  int* singular = nullptr;            // of each site
  int sites = 0, components = 0;
  int matrix = coarse_hops;  // of the sites among the links

  static std::size_t scratch_bytes(int n) {
    return 2 * scratch_bytes_of<int>(n) + scratch_bytes_of<Z>(n) + scratch_bytes_of<int>(2);
  }

  PLAQ_HD void operator()(Team<Target>& team, int site) const {
    if (site >= sites) return;
    const int n = components;
    int* exchanged = team.template scratch<int>(n);
    int* absent = team.template scratch<int>(n);
    Z* column = team.template scratch<Z>(n);
    int* state = team.template scratch<int>(2);  // pivot row; whether a pivot was 0
    team.for_range(n * n, [&](int ij) {
      const int j = ij / n, i = ij - j * n;
      const auto x = links.load(i, site, coarse_link_component(matrix, j, n));
      set(site, i, j, {static_cast<double>(x.re), static_cast<double>(x.im)});
    });
    team.for_range(n, [&](int i) {
      absent[i] = is_absent(i, n, [&](int row, int column) { return at(site, row, column); });
    });
    team.for_range(n, [&](int i) {
      if (absent[i]) set(site, i, i, {1, 0});
      if (i == 0) state[1] = 0;
    });
    for (int k = 0; k < n; ++k) {
      team.for_range(1, [&](int) {
        int best = k;
        for (int i = k + 1; i < n; ++i)
          if (size(at(site, i, k)) > size(at(site, best, k))) best = i;
        state[0] = exchanged[k] = best;
        if (!(size(at(site, best, k)) > 0)) state[1] = 1;
      });
      if (state[1]) break;
      const int pivot_row = state[0];
      team.for_range(n, [&](int j) {
        if (pivot_row == k) return;
        const Z one = at(site, k, j);
        set(site, k, j, at(site, pivot_row, j));
        set(site, pivot_row, j, one);
      });
      team.for_range(n, [&](int i) { column[i] = at(site, i, k); });
      const Z inverse = scale(1 / size(column[k]), conj(column[k]));
      team.for_range(n, [&](int j) { set(site, k, j, j == k ? inverse : inverse * at(site, k, j)); });
      team.for_range(n * n, [&](int ij) {
        const int j = ij / n, i = ij - j * n;
        if (i == k || j == k) return;
        set(site, i, j, fma(-column[i], at(site, k, j), at(site, i, j)));
      });
      team.for_range(n, [&](int i) {
        if (i != k) set(site, i, k, -(column[i] * inverse));
      });
    }
    if (!state[1]) {
      for (int k = n - 1; k >= 0; --k)
        team.for_range(n, [&](int i) {
          const int other = exchanged[k];
          if (other == k) return;
          const Z one = at(site, i, k);
          set(site, i, k, at(site, i, other));
          set(site, i, other, one);
        });
      team.for_range(n, [&](int i) {
        if (absent[i]) set(site, i, i, {0, 0});
      });
    }
    team.for_range(1, [&](int) { singular[site] = state[1]; });
  }

 private:
  static PLAQ_HD double size(const Z& z) { return fma(z.re, z.re, z.im * z.im); }
  PLAQ_HD Z at(int site, int row, int column) const { return matrices.load(row, site, column); }
  PLAQ_HD void set(int site, int row, int column, const Z& z) const { matrices.store(row, site, column, z); }
};

// Adds a number to the diagonal of the matrix of a site, but for dropped components.
template <class Target, class C>
struct ShiftSites {
  static constexpr int max_team_size = 256;

  ScalarComponents<C> links;
  C shift = 0;
  int sites = 0, components = 0;

  PLAQ_HD void operator()(Team<Target>& team, int site) const {
    if (site >= sites) return;
    const int n = components;
    team.for_range(n, [&](int i) {  // no other member reads number (i, i)
      const auto at = [&](int row, int column) {
        return links.load(row, site, coarse_link_component(coarse_hops, column, n));
      };
      if (is_absent(i, n, at)) return;
      links.store(i, site, coarse_link_component(coarse_hops, i, n), at(i, i) + Complex<C>{shift, C(0)});
    });
  }
};

// X + i Gamma5 (b B + c): `out` is X with a twist, and `share` B, closed where b is 0. Dropped components
// stay out.
template <class Target, class C>
struct TwistSites {
  static constexpr int max_team_size = 256;

  ScalarComponents<C> links, share, out;
  C of_share = 0, of_one = 0;  // b, c
  int sites = 0, components = 0;
  int out_matrix = 0;  // of the sites in `out`

  PLAQ_HD void operator()(Team<Target>& team, int site) const {
    if (site >= sites) return;
    const int n = components;
    const auto at = [&](int row, int column) {
      return links.load(row, site, coarse_link_component(coarse_hops, column, n));
    };
    team.for_range(n * n, [&](int ij) {
      const int j = ij / n, i = ij - j * n;
      const C sign = i < n / 2 ? C(1) : C(-1);
      Complex<C> z = at(i, j);
      if (share) z = fma_i(sign * of_share, share.load(i, site, j), z);
      if (i == j && !is_absent(i, n, at)) z.im += sign * of_one;
      out.store(i, site, coarse_link_component(out_matrix, j, n), z);
    });
  }
};

// X^-1 Y_d of the hops. A member makes two rows of two columns at once, which share what it reads.
template <class Target, class C>
struct MultiplyHops {
  static constexpr int max_team_size = 256;
  using Z = Complex<double>;

  ScalarComponents<double> inverse;
  ScalarComponents<C> links, hat;
  int sites = 0, components = 0;

  PLAQ_HD void operator()(Team<Target>& team, int site) const {
    if (site >= sites) return;
    const int n = components, half = (n + 1) / 2;
    team.for_range(coarse_hops * half * half, [&](int k) {
      const int d = k / (half * half), rest = k - d * half * half, pair = rest / half;
      const int rows[2] = {rest - pair * half, rest - pair * half + half};
      const int columns[2] = {2 * pair, 2 * pair + 1};
      const bool two_rows = rows[1] < n, two_columns = columns[1] < n;
      const int second_row = rows[two_rows ? 1 : 0], second_column = columns[two_columns ? 1 : 0];
      Z sum[2][2] = {};
      for (int j = 0; j < n; ++j) {
        const Z x[2] = {inverse.load(rows[0], site, j), inverse.load(second_row, site, j)};
        const Z y[2] = {link(j, site, d, columns[0]), link(j, site, d, second_column)};
#pragma unroll
        for (int r = 0; r < 2; ++r)
#pragma unroll
          for (int c = 0; c < 2; ++c) sum[r][c] = fma(x[r], y[c], sum[r][c]);
      }
#pragma unroll
      for (int r = 0; r < 2; ++r)
#pragma unroll
        for (int c = 0; c < 2; ++c)
          if ((r == 0 || two_rows) && (c == 0 || two_columns))
            hat.store(rows[r], site, coarse_link_component(d, columns[c], n),
                      {static_cast<C>(sum[r][c].re), static_cast<C>(sum[r][c].im)});
    });
  }

 private:
  PLAQ_HD Z link(int row, int site, int d, int column) const {
    const auto y = links.load(row, site, coarse_link_component(d, column, components));
    return {static_cast<double>(y.re), static_cast<double>(y.im)};
  }
};

}  // namespace plaq
