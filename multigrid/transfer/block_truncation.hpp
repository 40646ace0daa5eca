// Keeps those combinations of the near-null vectors of an aggregate that have most of them: the leading left
// singular vectors of the matrix of rows x vectors, as V U with the eigenvectors U of its Gram matrix
// V^dagger V.
//
// U comes from Jacobi's method (Golub and Van Loan, Matrix Computations, 8.5): disjoint pairs are rotated at
// the same time, a sweep meets each pair once. All in double, in an order that does
// not depend on the size of the team.
#pragma once

#include "multigrid/transfer/block_orthonormal.hpp"

namespace plaq {

// Most vectors for which the scratch memory of a team has room.
inline constexpr int most_truncated = 64;

// Eigenvectors of a Hermitian matrix g[i n + j], by columns of u; g becomes diagonal.
template <class Target>
class JacobiEigenvectors {
 public:
  using Z = Complex<double>;

  static std::size_t scratch_bytes(int n) {
    return scratch_bytes_of<Rotation>((n + 1) / 2) + sum_scratch_bytes_of<double>(n * n);
  }

  PLAQ_HD JacobiEigenvectors(Team<Target>& team, int n, Z* g, Z* u)
      : team_(team), n_(n), g_(g), u_(u), rotation_(team.template scratch<Rotation>(pairs())) {}

  PLAQ_HD void run() {
    team_.for_range(n_ * n_, [&](int ij) { u_[ij] = {ij / n_ == ij % n_ ? 1.0 : 0.0, 0}; });
    const double trace = team_.sum(n_, [&](int i) { return g_[i * n_ + i].re; });
    negligible_ = negligible * trace;
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
      const double off =
          team_.sum(n_ * n_, [&](int ij) { return ij / n_ == ij % n_ ? 0.0 : square(g_[ij]); });
      if (!(off > accuracy * accuracy * trace * trace)) return;
      for (int round = 0; round < players() - 1; ++round) rotate(round);
    }
  }

 private:
  static constexpr int most_sweeps = 40;     // 6 to 9 are needed
  static constexpr double accuracy = 1e-15;  // of eigenvalues, relative to their sum
  static constexpr double negligible = 1e-20;

  // v_p becomes c v_p - s z v_q, and v_q becomes s v_p + c z v_q.
  struct Rotation {
    int p, q;  // q = n: none
    double c, s;
    Z z;
  };

  static PLAQ_HD double square(const Z& z) { return fma(z.re, z.re, z.im * z.im); }
  PLAQ_HD int players() const { return n_ + n_ % 2; }
  PLAQ_HD int pairs() const { return players() / 2; }

  // Pairs of a round as of a tournament: the last player stays, the others go round.
  PLAQ_HD Rotation pair(int round, int k) const {
    const int circle = players() - 1;
    const int a = k == 0 ? circle : (round + k) % circle, b = (round + circle - k) % circle;
    return {a < b ? a : b, a < b ? b : a, 1, 0, {1, 0}};
  }

  PLAQ_HD void rotate(int round) {
    team_.for_range(pairs(), [&](int k) {
      Rotation r = pair(round, k);
      if (r.q < n_) {
        const Z off = g_[r.p * n_ + r.q];
        const double size = sqrt(square(off));
        if (size > negligible_) {
          const double tau = (g_[r.q * n_ + r.q].re - g_[r.p * n_ + r.p].re) / (2 * size);
          const double t = (tau < 0 ? -1.0 : 1.0) / ((tau < 0 ? -tau : tau) + sqrt(fma(tau, tau, 1.0)));
          r.c = 1 / sqrt(fma(t, t, 1.0));
          r.s = t * r.c;
          r.z = scale(1 / size, conj(off));
        }
      }
      rotation_[k] = r;
    });
    team_.for_range(pairs() * n_, [&](int ki) {
      const int k = ki / n_, i = ki - k * n_;
      const Rotation r = rotation_[k];
      if (r.q >= n_) return;
      turn(r, r.z, g_[i * n_ + r.p], g_[i * n_ + r.q]);
      turn(r, r.z, u_[i * n_ + r.p], u_[i * n_ + r.q]);
    });
    team_.for_range(pairs() * n_, [&](int kj) {
      const int k = kj / n_, j = kj - k * n_;
      const Rotation r = rotation_[k];
      if (r.q >= n_) return;
      turn(r, conj(r.z), g_[r.p * n_ + j], g_[r.q * n_ + j]);
      // These numbers would be 0 but for rounding.
      if (j == r.p) g_[r.p * n_ + j].im = 0, g_[r.q * n_ + j] = {0, 0};
      if (j == r.q) g_[r.q * n_ + j].im = 0, g_[r.p * n_ + j] = {0, 0};
    });
  }
  static PLAQ_HD void turn(const Rotation& r, const Z& z, Z& p, Z& q) {
    const Z turned = z * q, before = p;
    p = {fma(r.c, before.re, -r.s * turned.re), fma(r.c, before.im, -r.s * turned.im)};
    q = {fma(r.s, before.re, r.c * turned.re), fma(r.s, before.im, r.c * turned.im)};
  }

  Team<Target>& team_;
  int n_;
  double negligible_ = 0;
  Z *g_, *u_;
  Rotation* rotation_;
};

// `kept` of `vectors`, largest singular values first, not normalised. The largest component of a column of U
// is real and positive. Columns whose singular value is below a share of the largest become 0.
template <class Target, class V>
struct BlockTruncation {
  static constexpr int max_team_size = 256;
  using Z = Complex<double>;

  AggregateTeams teams;  // inner: chiralities
  AggregateRows rows;
  ScalarComponents<V> v[2], leading[2];
  int vectors = 0, kept = 0;
  double dependent = 0;

  static std::size_t scratch_bytes(int n) {
    return 2 * scratch_bytes_of<Z>(n * n) + scratch_bytes_of<int>(n) + scratch_bytes_of<Z>(n) +
           JacobiEigenvectors<Target>::scratch_bytes(n) + RowTile<V>::scratch_bytes(n);
  }

  PLAQ_HD void operator()(Team<Target>& team, int index) const {
    const auto at = teams.place(index);
    if (!teams.has_site(at)) return;
    const int n = vectors, first = at.inner * rows.of_chirality();
    const AggregateMatrix<V> matrix{v[at.parity], at.site, first};
    Z* g = team.template scratch<Z>(n * n);
    Z* u = team.template scratch<Z>(n * n);
    int* order = team.template scratch<int>(n);
    Z* factor = team.template scratch<Z>(n);
    gram_matrix(team, matrix, RowTile<V>::in(team, n), rows.of_chirality(), n, g);
    team.for_range(n * n, [&](int ij) {
      const int i = ij / n, j = ij - i * n;
      if (i > j) g[ij] = conj(g[j * n + i]);
    });
    JacobiEigenvectors<Target>(team, n, g, u).run();
    const auto value = [&](int k) { return g[k * n + k].re; };
    team.for_range(n, [&](int k) { order[k] = k; });
    team.for_range(n, [&](int k) {
      int before = 0;
      for (int j = 0; j < n; ++j)
        if (value(j) > value(k) || (value(j) == value(k) && j < k)) ++before;
      order[before] = k;
    });
    team.for_range(kept, [&](int k) {
      const int column = order[k];
      Z most{0, 0};
      for (int j = 0; j < n; ++j)
        if (square(u[j * n + column]) > square(most)) most = u[j * n + column];
      const bool there = value(column) > dependent * dependent * value(order[0]);
      factor[k] = there ? scale(1 / sqrt(square(most)), conj(most)) : Z{0, 0};
    });
    team.for_range(rows.of_chirality() * kept, [&](int i) {
      const int row = i / kept, k = i - row * kept;
      Z sum{0, 0};
      for (int j = 0; j < n; ++j) sum = fma(matrix(row, j), u[j * n + order[k]], sum);
      sum = factor[k] * sum;
      leading[at.parity].store(k, at.site, first + row, {static_cast<V>(sum.re), static_cast<V>(sum.im)});
    });
  }

 private:
  static PLAQ_HD double square(const Z& z) { return fma(z.re, z.re, z.im * z.im); }
};

}  // namespace plaq
