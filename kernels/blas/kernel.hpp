// Vector updates over batches: one functor for all of them. An operation says what happens to the complex
// components of up to five vectors at one place, with coefficients of its own for each right-hand side.
#pragma once

#include <type_traits>

#include "core/arch.hpp"
#include "core/views.hpp"
#include "kernels/blas/coefficients.hpp"

namespace plaq::blas {

// Op: static constexpr int vectors, sums; static constexpr unsigned reads, writes (bit i: vector i is loaded,
// stored);
//     with sums and without writes: static constexpr Factors<sums> factors, the vectors whose products a sum
//     has; without sums: static constexpr const char* name; static void apply(Complex<Real> (&v)[vectors],
//     const Complex<Real> (&c)[3], RealDouble (&sum)[sums]).
// S: storage of the vectors, of N reals a site (24: spinors, 6: color vectors). A right-hand side is `slices`
// slots; what is added up over them goes to one sum. Sums add a site's terms in the order of its components,
// in double, before they are rounded to half precision; where nothing is written, of half precision's
// integers.
template <class TargetT, class S, class Op, int N>
struct Kernel {
  using T = Compute<S>;
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using RealDouble = typename Arch::RealDouble;
  static constexpr int sums = Op::sums;
  // What hides the latency of a device's memory is warps and the bytes that each asks for; five vectors in
  // double need the registers.
  static constexpr int block_size = sizeof(T) == 4 ? 128 : 256;
  static constexpr int blocks_in_half[] = {0, 8, 8, 6, 5, 5};  // by the number of vectors
  static constexpr int min_blocks = N == 6           ? (sizeof(T) == 4 ? 12 : 4)
                                    : sizeof(S) == 2 ? blocks_in_half[Op::vectors]
                                    : sizeof(T) == 4 ? 4
                                                     : (Op::vectors < 5 ? 2 : 1);

  SiteArray<TargetT, T, N, S, has_quantum<S>> vector[Op::vectors];
  CoefficientList coefficients;
  int slices = 1;

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
  PLAQ_HD int right_hand_side(int inner) const { return slices == 1 ? inner : inner / slices; }
  PLAQ_HD int slot_of(int inner) const {
    const int k = right_hand_side(inner);
    return coefficients.active[k] * slices + (inner - k * slices);
  }

  // Sums alone of 16-bit numbers: integers and their products, exact but for one rounding at the end.
  static constexpr bool in_steps = std::is_same_v<S, Fixed16> && Op::sums > 0 && Op::writes == 0;

  template <int M>
  PLAQ_HD void sum_steps(const typename Arch::Site& site, int inner, RealDouble (&sum)[M]) const {
    using Steps = typename Arch::Steps;
    using StepSum = typename Arch::StepSum;
    const int slot = slot_of(inner);
    Steps n[Op::vectors][N];
    RealDouble quantum[Op::vectors];
#pragma unroll
    for (int i = 0; i < Op::vectors; ++i) quantum[i] = to_double(vector[i].load_steps(slot, site, n[i]));
    StepSum total[M];
#pragma unroll
    for (int k = 0; k < M; ++k) total[k] = StepSum(0);
    const Complex<Steps> none[3] = {};
#pragma unroll
    for (int r = 0; r < N; r += 2) {
      Complex<Steps> z[Op::vectors];
#pragma unroll
      for (int i = 0; i < Op::vectors; ++i) z[i] = {n[i][r], n[i][r + 1]};
      Op::apply(z, none, total);
    }
    constexpr auto factors = Op::factors;
#pragma unroll
    for (int k = 0; k < M; ++k)
      sum[k] = to_double(total[k]) * (quantum[factors.of[k][0]] * quantum[factors.of[k][1]]);
  }
  template <int M>
  PLAQ_HD void run(const typename Arch::Site& site, int inner, RealDouble (&sum)[M]) const {
    const CoefficientList::Set mine = coefficients[right_hand_side(inner)];
    const int slot = slot_of(inner);
    Complex<Real> c[3];
#pragma unroll
    for (int k = 0; k < 3; ++k)
      c[k] = {Real(static_cast<T>(mine.value[2 * k])), Real(static_cast<T>(mine.value[2 * k + 1]))};

    Real v[Op::vectors][N];
#pragma unroll
    for (int i = 0; i < Op::vectors; ++i) {
      if ((Op::reads >> i) & 1u) {
        vector[i].load_mutable(slot, site, v[i]);
      } else {
        for (int r = 0; r < N; ++r) v[i][r] = Real(T(0));
      }
    }
#pragma unroll
    for (int r = 0; r < N; r += 2) {
      Complex<Real> z[Op::vectors];
#pragma unroll
      for (int i = 0; i < Op::vectors; ++i) z[i] = {v[i][r], v[i][r + 1]};
      Op::apply(z, c, sum);
#pragma unroll
      for (int i = 0; i < Op::vectors; ++i) {
        v[i][r] = z[i].re;
        v[i][r + 1] = z[i].im;
      }
    }
#pragma unroll
    for (int i = 0; i < Op::vectors; ++i)
      if ((Op::writes >> i) & 1u) vector[i].store(slot, site, v[i]);
  }
};

}  // namespace plaq::blas
