// Vector updates over batches: one functor for all of them. An operation says what happens to the complex
// components of up to five vectors at one place, with coefficients of its own for each right-hand side.
#pragma once

#include <type_traits>

#include "core/field/site_blocks.hpp"
#include "core/field/views.hpp"
#include "core/launch/arch.hpp"
#include "kernels/blas/coefficients.hpp"

namespace plaq::blas {

// Reals of a site that a thread has in registers at a time: all, where an update is compiled for their
// number. A device has 16-byte loads enough in flight with 6 for one vector and with 3 for more, in half
// precision with one; a host a color vector at a time. Longer sites that are written in half
// precision are read twice, the second time from a cache: a color vector is not.
template <class Target, class S, class Op, int Reals>
constexpr int block_reals() {
  if (Reals != 0) return Reals;
  if (std::is_same_v<Target, Host>) return 6;
  if (sizeof(S) == 2) return 8;
  return (Op::vectors == 1 ? 6 : 3) * 16 / static_cast<int>(sizeof(S));
}

// Op: static constexpr int vectors, sums; static constexpr unsigned reads, writes (bit i: vector i is loaded,
// stored);
//     with sums and without writes: static constexpr Factors<sums> factors, the vectors whose products a sum
//     has; without sums: static constexpr const char* name; static void apply(Complex<Real> (&v)[vectors],
//     const Complex<Real> (&c)[3], RealDouble (&sum)[sums]).
// S: storage of the vectors, of one shape, of `Reals` reals a site (0: any number). A right-hand side is
// `Ls` subfields; what is added up over them goes to one sum. Sums add a site's terms in the order of
// its components, in double, before they are rounded to half precision; where nothing is written, of half
// precision's integers.
template <class TargetT, class S, class Op, int Reals>
struct Kernel {
  using T = Compute<S>;
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using RealDouble = typename Arch::RealDouble;
  static constexpr int sums = Op::sums, vectors = Op::vectors;
  static constexpr int block = block_reals<TargetT, S, Op, Reals>();
  static constexpr bool with_scale = has_scale<S>;
  using Blocks = SiteBlocks<TargetT, T, S, with_scale, block, Reals, Op::writes == 0>;
  using Packed = typename Blocks::Packed;
  // Warps, and the bytes that each asks for, hide the latency of a device's memory.
  static constexpr int block_size = sizeof(T) == 4 ? 128 : 256;
  static constexpr int blocks_in_half[] = {0, 8, 8, 6, 5, 5};  // by the number of vectors
  static constexpr int min_blocks = sizeof(S) == 2 ? blocks_in_half[vectors] : sizeof(T) == 4 ? 4 : 2;

  typename Blocks::Shape shape;
  Blocks vector[vectors];
  CoefficientList coefficients;
  int Ls = 1;

  // `inner` counts the slices of the active right-hand sides. Sums go to the right-hand side's place.
  PLAQ_HD int place(int inner) const { return coefficients.active[right_hand_side(inner)]; }

  // Without sums.
  PLAQ_HD void operator()(const typename Arch::Site& site, int inner) const {
    RealDouble none[1];
    run(site, inner, none);
  }
  PLAQ_HD void operator()(const typename Arch::Site& site, int inner,
                          RealDouble (&sum)[Op::sums > 0 ? Op::sums : 1]) const {
#pragma unroll
    for (int k = 0; k < Op::sums; ++k) sum[k] = RealDouble(0.0);
    if constexpr (in_steps) {
      sum_steps(site, inner, sum);
    } else {
      run(site, inner, sum);
    }
  }

 private:
  PLAQ_HD int right_hand_side(int inner) const { return Ls == 1 ? inner : inner / Ls; }
  PLAQ_HD int subfield_of(int inner) const {
    const int k = right_hand_side(inner);
    return coefficients.active[k] * Ls + (inner - k * Ls);
  }
  static constexpr bool reads(int i) { return ((Op::reads >> i) & 1u) != 0; }
  static constexpr bool writes(int i) { return ((Op::writes >> i) & 1u) != 0; }

  // Sums alone of 16-bit numbers: integers and their products, exact but for one rounding at the end.
  static constexpr bool in_steps = std::is_same_v<S, Fixed16> && Op::sums > 0 && Op::writes == 0;
  // A scale is known when all blocks are: the last one is then stored, and the others are computed again.
  static constexpr bool again = with_scale && Op::writes != 0;

  template <class Place>
  PLAQ_HD void load(int subfield, const Place& at, int first, Packed (&packed)[vectors]) const {
    shape.with_chunk([&](auto chunk) {
#pragma unroll
      for (int i = 0; i < vectors; ++i)
        if (reads(i)) vector[i].load_packed(shape, subfield, at, first, chunk, packed[i]);
    });
  }

  template <int M>
  PLAQ_HD void sum_steps(const typename Arch::Site& site, int inner, RealDouble (&sum)[M]) const {
    using Steps = typename Arch::Steps;
    using StepSum = typename Arch::StepSum;
    const int subfield = subfield_of(inner);
    const auto at = shape.place(site);
    RealDouble site_scale[vectors];
#pragma unroll
    for (int i = 0; i < vectors; ++i) site_scale[i] = to_double(vector[i].load_scale(subfield, at));
    StepSum total[M];
#pragma unroll
    for (int k = 0; k < M; ++k) total[k] = StepSum(0);
    const Complex<Steps> none[3] = {};
#pragma unroll 1
    for (int first = 0; first < shape.reals(); first += block) {
      Packed packed[vectors];
      load(subfield, at, first, packed);
#pragma unroll
      for (int r = 0; r < block; r += 2) {
        Complex<Steps> z[vectors];
#pragma unroll
        for (int i = 0; i < vectors; ++i) z[i] = Blocks::unpack_steps(packed[i], r);
        Op::apply(z, none, total);
      }
    }
    constexpr auto factors = Op::factors;
#pragma unroll
    for (int k = 0; k < M; ++k)
      sum[k] = to_double(total[k]) * (site_scale[factors.of[k][0]] * site_scale[factors.of[k][1]]);
  }

  template <int M>
  PLAQ_HD void run(const typename Arch::Site& site, int inner, RealDouble (&sum)[M]) const {
    const CoefficientList::Set mine = coefficients[right_hand_side(inner)];
    const int subfield = subfield_of(inner);
    const auto at = shape.place(site);
    Complex<Real> c[3];
#pragma unroll
    for (int k = 0; k < 3; ++k)
      c[k] = {Real(static_cast<T>(mine.value[2 * k])), Real(static_cast<T>(mine.value[2 * k + 1]))};
    Real site_scale[vectors], most[vectors];
#pragma unroll
    for (int i = 0; i < vectors; ++i) {
      most[i] = Real(T(0));
      if constexpr (with_scale)
        if (reads(i)) site_scale[i] = vector[i].load_scale(subfield, at);
    }

    const int once = (shape.reals() + block - 1) / block, passes = again ? 2 * once - 1 : once;
#pragma unroll 1
    for (int pass = 0; pass < passes; ++pass) {
      const bool known = again && pass >= once;  // all scales
      const int first = (known ? pass - once : pass) * block;
      Packed packed[vectors];
      Real v[vectors][block];
      load(subfield, at, first, packed);
      apply(known ? 0 : shape.reals() - first, c, packed, site_scale, v, sum, most);
      if (again && pass < once - 1) continue;
#pragma unroll
      for (int i = 0; i < vectors; ++i)
        if (writes(i)) {
          vector[i].store(shape, subfield, site, at, first, v[i],
                          with_scale ? steps_for(most[i]) : Real(T(1)));
        }
    }
    if constexpr (again) {
#pragma unroll
      for (int i = 0; i < vectors; ++i)
        if (writes(i))
          vector[i].store_scale(subfield, site, at, most[i] * Real(T(1) / static_cast<T>(fixed16_steps)));
    }
  }
  // Numbers that are not read are 0. Only the first `counted` reals count in sums and scales: if a number
  // that lies beyond the end of a site is 0, a coefficient that is not finite would still make more of it.
  template <int M>
  PLAQ_HD void apply(int counted, const Complex<Real> (&c)[3], const Packed (&packed)[vectors],
                     const Real (&site_scale)[vectors], Real (&v)[vectors][block], RealDouble (&sum)[M],
                     Real (&most)[vectors]) const {
    constexpr bool all = Reals != 0 || Op::writes == 0;
#pragma unroll
    for (int r = 0; r < block; r += 2) {
      Complex<Real> z[vectors];
#pragma unroll
      for (int i = 0; i < vectors; ++i) {
        z[i] = {Real(T(0)), Real(T(0))};
        if (reads(i)) z[i] = {Blocks::unpack(packed[i], r), Blocks::unpack(packed[i], r + 1)};
        if (with_scale && reads(i)) z[i] = plaq::scale(site_scale[i], z[i]);
      }
      RealDouble with[M];
#pragma unroll
      for (int k = 0; k < sums; ++k) with[k] = sum[k];
      Op::apply(z, c, with);
#pragma unroll
      for (int k = 0; k < sums; ++k)
        if (all || r < counted) sum[k] = with[k];
#pragma unroll
      for (int i = 0; i < vectors; ++i) {
        v[i][r] = z[i].re;
        v[i][r + 1] = z[i].im;
        if (again && writes(i) && (all || r < counted))
          most[i] = larger_magnitude(z[i].im, larger_magnitude(z[i].re, most[i]));
      }
    }
  }
};

}  // namespace plaq::blas
