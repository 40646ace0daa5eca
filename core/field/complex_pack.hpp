// Numbers that are next to each other in memory, re, im, re, im, ..., and that a member of a team takes at
// once: one complex number on a device, a vector of the host. With them products of complex numbers without
// an exchange of lanes: of terms y p, the sum of y re(p) and that of y im(p) apart.
#pragma once

#include "core/field/component_lines.hpp"
#include "core/lattice/lattice_box.hpp"
#include "core/launch/team.hpp"
#if !defined(__CUDACC__)
#include "core/algebra/lanes.hpp"
#endif

namespace plaq {

template <class Target, class C>
struct ComplexPack;

#if !defined(__CUDACC__)
template <class C>
struct ComplexPack<Host, C> {
  static constexpr int reals = host_vector_bytes / static_cast<int>(sizeof(C)), count = reals / 2;
  using Lane = Lanes<C, reals>;

  Lane v{C(0)};

  // Loads Fixed16 integers.
  template <class S>
  static ComplexPack stored(const S* from) {
    return {load_stored<C, reals>(from)};
  }
  static ComplexPack load(const C* from) { return {Lane::load(from)}; }
  void store(C* to) const { v.store(to); }
  C operator[](int real) const { return v[real]; }
  // Number j of pack i changes places with number i of pack j.
  static void transpose(ComplexPack (&packs)[count]) { exchange<1>(packs); }
  friend ComplexPack operator+(const ComplexPack& a, const ComplexPack& b) { return {a.v + b.v}; }
  friend ComplexPack fma(C s, const ComplexPack& a, const ComplexPack& sum) {
    return {fma(Lane(s), a.v, sum.v)};
  }

 private:
  using Index = typename detail::IntOf<sizeof(C)>::type;
  typedef Index Mask __attribute__((vector_size(host_vector_bytes)));

  // Exchanges packs and numbers whose places differ in bit Bit and in those above.
  template <int Bit>
  static void exchange(ComplexPack (&packs)[count]) {
    if constexpr (Bit < count) {
      Mask low, high;
      for (int r = 0; r < reals; ++r) {
        low[r] = r & (2 * Bit) ? reals + r - 2 * Bit : r;
        high[r] = r & (2 * Bit) ? reals + r : r + 2 * Bit;
      }
      for (int i = 0; i < count; ++i) {
        if (i & Bit) continue;
        const auto a = packs[i].v.v, b = packs[i + Bit].v.v;
        packs[i].v.v = __builtin_shuffle(a, b, low);
        packs[i + Bit].v.v = __builtin_shuffle(a, b, high);
      }
      exchange<2 * Bit>(packs);
    }
  }
};
#endif

template <class C>
struct ComplexPack<Device, C> {
  static constexpr int reals = 2, count = 1;

  Complex<C> v{C(0), C(0)};

  template <class S>
  static PLAQ_HD ComplexPack stored(const S* from) {
    return {from_storage<C>(stored_complex(from))};
  }
  static PLAQ_HD ComplexPack load(const C* from) { return stored(from); }
  PLAQ_HD void store(C* to) const {
    to[0] = v.re;
    to[1] = v.im;
  }
  PLAQ_HD C operator[](int real) const { return real == 0 ? v.re : v.im; }
  friend PLAQ_HD ComplexPack operator+(const ComplexPack& a, const ComplexPack& b) { return {a.v + b.v}; }
  friend PLAQ_HD ComplexPack fma(C s, const ComplexPack& a, const ComplexPack& sum) {
    return {fma(s, a.v, sum.v)};
  }
};

// Sums of y re(p) and of y im(p).
template <class Target, class C>
struct PackSum {
  using Pack = ComplexPack<Target, C>;
  Pack by_re, by_im;

  PLAQ_HD void add(const Pack& y, const Complex<C>& p) {
    by_re = fma(p.re, y, by_re);
    by_im = fma(p.im, y, by_im);
  }
  static PLAQ_HD PackSum load(const C* from, int imaginary) {
    return {Pack::load(from), Pack::load(from + imaginary)};
  }
  PLAQ_HD void store(C* to, int imaginary) const {
    by_re.store(to);
    by_im.store(to + imaginary);
  }
  friend PLAQ_HD PackSum operator+(const PackSum& a, const PackSum& b) {
    return {a.by_re + b.by_re, a.by_im + b.by_im};
  }
  // Number r of y p, for a pack p; conjugate_number() is that of conj(y) p.
  PLAQ_HD Complex<C> number(int r) const {
    return {by_re[2 * r] - by_im[2 * r + 1], by_re[2 * r + 1] + by_im[2 * r]};
  }
  PLAQ_HD Complex<C> conjugate_number(int r) const {
    return {by_re[2 * r] + by_im[2 * r + 1], by_im[2 * r] - by_re[2 * r + 1]};
  }
};

// Numbers of a column, in packs.
template <class Target, class C>
PLAQ_HD constexpr int packs_of(int numbers) {
  return (numbers + ComplexPack<Target, C>::count - 1) / ComplexPack<Target, C>::count;
}

// Reals of a column of `numbers` in whole packs.
template <class Target, class C>
PLAQ_HD constexpr int pack_reals(int numbers) {
  return packs_of<Target, C>(numbers) * ComplexPack<Target, C>::reals;
}

// f(first) + ... + f(first + N - 1), N a power of two, by halves: ((0+1) + (2+3)) + ...
template <int N, class F>
PLAQ_HD auto tree_sum(const F& f, int first = 0) {
  if constexpr (N == 1) {
    return f(first);
  } else {
    return tree_sum<N / 2>(f, first) + tree_sum<N / 2>(f, first + N / 2);
  }
}

// Sums over j of y_j p_j[t] for t below Tile, in All parts: part k has j = k, k + All, ... in this order. A
// group of them, by one member at once, which waits for none of its sums.
template <class Target, class C, int All, int Tile, int Parts>
struct PartSums {
  static constexpr int groups = All / Parts;
  using Pack = ComplexPack<Target, C>;
  using Sum = PackSum<Target, C>;

  // begin <= j < end. A pack y_j is at y + j stride, p_j[t] at p[j Tile + t]. The result for t, parts as
  // tree_sum adds them, is at sums + 2 t reals: its two sums, `reals` apart.
  template <class S>
  static PLAQ_HD void add(const S* y, std::size_t stride, const Complex<C>* p, int begin, int end, int group,
                          C* sums, int reals) {
    Sum sum[Parts][Tile];
    const auto take = [&](int part, int j) {
      const Pack pack = Pack::stored(y + static_cast<std::size_t>(j) * stride);
#pragma unroll
      for (int t = 0; t < Tile; ++t) sum[part][t].add(pack, p[j * Tile + t]);
    };
    // A first round may begin, and a last one end, within these parts.
    int j = begin - begin % All + group * Parts;
    for (; j < end; j += All) {
      if (j >= begin && j + Parts <= end) {
#pragma unroll
        for (int part = 0; part < Parts; ++part) take(part, j + part);
      } else {
#pragma unroll
        for (int part = 0; part < Parts; ++part)
          if (j + part >= begin && j + part < end) take(part, j + part);
      }
    }
#pragma unroll
    for (int t = 0; t < Tile; ++t) {
      // Not by tree_sum: compilers would keep `sum` in memory.
      Sum all = sum[0][t];
      if constexpr (Parts == 2) all = sum[0][t] + sum[1][t];
      if constexpr (Parts == 4) all = (sum[0][t] + sum[1][t]) + (sum[2][t] + sum[3][t]);
      all.store(sums + 2 * t * reals, reals);
    }
  }
  // Sum of all groups; add() put group k's at sums + 2 k Tile reals.
  static PLAQ_HD Sum all(const C* sums, int t, int reals) {
    return tree_sum<groups>(
        [&](int group) { return Sum::load(sums + 2 * (group * Tile + t) * reals, reals); });
  }
};

}  // namespace plaq
