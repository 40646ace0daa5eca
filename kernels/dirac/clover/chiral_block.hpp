// Hermitian 6x6 matrices that act on the two spins of one chirality and on color: the blocks of the clover
// term, of the diagonal of a Dirac operator that has one, and their inverses. Row 3 * spin + color, spin 0 or
// 1 within the chirality: spins 0, 1 of a spinor for chirality 0 (gamma5 = 1), spins 2, 3 for chirality 1. In
// memory 36 reals: the diagonal, then below it row by row (1,0), (2,0), (2,1), (3,0), ... as (re, im).
#pragma once

#include "core/field/views.hpp"

namespace plaq {

template <class Real>
struct ChiralBlock {
  Real d[6];
  Complex<Real> o[15];
};

// Place of (row, column), row > column, in `o`.
PLAQ_HD constexpr int below_diagonal(int row, int column) { return row * (row - 1) / 2 + column; }

template <class Real>
PLAQ_HD ChiralBlock<Real> unpack_block(const Real (&r)[36]) {
  ChiralBlock<Real> a;
#pragma unroll
  for (int i = 0; i < 6; ++i) a.d[i] = r[i];
#pragma unroll
  for (int k = 0; k < 15; ++k) a.o[k] = {r[6 + 2 * k], r[7 + 2 * k]};
  return a;
}

template <class Real>
PLAQ_HD void pack_block(const ChiralBlock<Real>& a, Real (&r)[36]) {
#pragma unroll
  for (int i = 0; i < 6; ++i) r[i] = a.d[i];
#pragma unroll
  for (int k = 0; k < 15; ++k) {
    r[6 + 2 * k] = a.o[k].re;
    r[7 + 2 * k] = a.o[k].im;
  }
}

// Element (row, column).
template <class Real>
PLAQ_HD Complex<Real> element(const ChiralBlock<Real>& a, int row, int column) {
  if (row == column) return {a.d[row], Real(0)};
  if (row > column) return a.o[below_diagonal(row, column)];
  return conj(a.o[below_diagonal(column, row)]);
}

// a + s
template <class Real>
PLAQ_HD ChiralBlock<Real> shifted(ChiralBlock<Real> a, const Real& s) {
#pragma unroll
  for (int i = 0; i < 6; ++i) a.d[i] = a.d[i] + s;
  return a;
}

namespace detail {

template <int Row, class Real>
PLAQ_HD Complex<Real> row_times(const ChiralBlock<Real>& a, const HalfSpinor<Real>& v) {
  Complex<Real> sum = scale(a.d[Row], v.s[Row / 3].c[Row % 3]);
#pragma unroll
  for (int j = 0; j < Row; ++j) sum = fma(a.o[below_diagonal(Row, j)], v.s[j / 3].c[j % 3], sum);
#pragma unroll
  for (int j = Row + 1; j < 6; ++j) sum = conj_fma(a.o[below_diagonal(j, Row)], v.s[j / 3].c[j % 3], sum);
  return sum;
}

}  // namespace detail

// a v, 252 flops. Each row begins with its diagonal element; the others are added by fma, left to right.
template <class Real>
PLAQ_HD HalfSpinor<Real> operator*(const ChiralBlock<Real>& a, const HalfSpinor<Real>& v) {
  using detail::row_times;
  return {{{{row_times<0>(a, v), row_times<1>(a, v), row_times<2>(a, v)}},
           {{row_times<3>(a, v), row_times<4>(a, v), row_times<5>(a, v)}}}};
}

// The block of one chirality times its two spins, in place. `chirality` is best known to the compiler.
template <class Real>
PLAQ_HD void multiply_chirality(Spinor<Real>& psi, int chirality, const ChiralBlock<Real>& a) {
  const HalfSpinor<Real> r = a * HalfSpinor<Real>{{psi.s[2 * chirality], psi.s[2 * chirality + 1]}};
  psi.s[2 * chirality] = r.s[0];
  psi.s[2 * chirality + 1] = r.s[1];
}

// A field of them, at the sites of one parity: subfields are chiralities.
template <class Target, class S>
class CloverView {
 public:
  using T = Compute<S>;
  using Real = typename Arch<Target, T>::Real;
  using Array = SiteArray<Target, T, 36, S, has_scale<S>>;
  static constexpr bool scaled = Array::scaled;

  CloverView() = default;
  explicit CloverView(Array array) : array_(array) {}
  PLAQ_HD explicit operator bool() const { return static_cast<bool>(array_); }

  template <class Index>
  PLAQ_HD ChiralBlock<Real> load(int chirality, const Index& index) const {
    Real r[36];
    array_.load(chirality, index, r);
    return unpack_block(r);
  }
  // Block divided by `factor`.
  template <class Index>
  PLAQ_HD ChiralBlock<Real> load_raw(int chirality, const Index& index, Real& factor) const {
    Real r[36];
    factor = array_.load_raw(chirality, index, r);
    return unpack_block(r);
  }
  // psi becomes C psi.
  template <class Index>
  PLAQ_HD void multiply(const Index& index, Spinor<Real>& psi) const {
#pragma unroll
    for (int chirality = 0; chirality < 2; ++chirality) {
      Real factor;
      const auto block = load_raw(chirality, index, factor);
      multiply_chirality(psi, chirality, block);
      if constexpr (scaled) {
#pragma unroll
        for (int s = 2 * chirality; s < 2 * chirality + 2; ++s)
#pragma unroll
          for (int c = 0; c < 3; ++c) psi.s[s].c[c] = scale(factor, psi.s[s].c[c]);
      }
    }
  }
  template <class Index>
  PLAQ_HD void store(int chirality, const Index& index, const ChiralBlock<Real>& a) const {
    Real r[36];
    pack_block(a, r);
    array_.store(chirality, index, r);
  }

 private:
  Array array_;
};

}  // namespace plaq
