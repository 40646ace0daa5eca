// Vector updates over batches: one functor for all of them. An operation says what happens to the complex
// components of up to five vectors at one place, with coefficients of its own for each right-hand side.
#pragma once

#include "core/arch.hpp"
#include "core/views.hpp"

namespace plaq::blas {

// Coefficients of one right-hand side, as solvers set them: complex numbers c[k] = (value[2k], value[2k+1]).
// A right-hand side that is not active is left alone and adds nothing to any sum.
struct Coefficients {
  double active = 1;
  double value[6] = {};
};

// Those of a batch. Few travel with the launch itself; `more`, at the location of the vectors, has all of
// them where they are many.
struct CoefficientList {
  static constexpr int most = 16;
  Coefficients few[most];
  const Coefficients* more = nullptr;

  PLAQ_HD Coefficients operator[](int rhs) const {
    if (more != nullptr) return more[rhs];
    return few[rhs];
  }
};

// Op: static constexpr int vectors, sums; static constexpr unsigned reads, writes (bit i: vector i is loaded,
// stored);
//     without sums: static constexpr const char* name;
//     static void apply(Complex<Real> (&v)[vectors], const Complex<Real> (&c)[3], RealDouble (&sum)[sums]).
// S: storage of the spinors. Sums add a site's terms in the order of its components, in double, before they
// are rounded to half precision.
template <class TargetT, class S, class Op>
struct Kernel {
  using T = Compute<S>;
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using RealDouble = typename Arch::RealDouble;
  static constexpr int sums = Op::sums;
  // Sixteen warps of a device's multiprocessor hide the memory's latency; double precision needs the
  // registers.
  static constexpr int block_size = sizeof(T) == 4 ? 128 : 256;
  static constexpr int min_blocks = sizeof(T) == 4 ? 4 : (Op::vectors < 5 ? 2 : 1);

  static constexpr int N = 24;

  typename SpinorView<TargetT, S>::Array vector[Op::vectors];
  CoefficientList coefficients;  // one a right-hand side

  // Without sums.
  PLAQ_HD void operator()(const typename Arch::Site& site, int rhs) const {
    RealDouble none[1];
    run(site, rhs, none);
  }
  PLAQ_HD void operator()(const typename Arch::Site& site, int rhs,
                          RealDouble (&sum)[Op::sums > 0 ? Op::sums : 1]) const {
#pragma unroll
    for (int k = 0; k < Op::sums; ++k) sum[k] = RealDouble(0.0);
    run(site, rhs, sum);
  }

 private:
  template <int M>
  PLAQ_HD void run(const typename Arch::Site& site, int rhs, RealDouble (&sum)[M]) const {
    const Coefficients mine = coefficients[rhs];
    if (mine.active == 0) return;
    Complex<Real> c[3];
#pragma unroll
    for (int k = 0; k < 3; ++k)
      c[k] = {Real(static_cast<T>(mine.value[2 * k])), Real(static_cast<T>(mine.value[2 * k + 1]))};

    Real v[Op::vectors][N];
#pragma unroll
    for (int i = 0; i < Op::vectors; ++i) {
      if ((Op::reads >> i) & 1u) {
        vector[i].load_mutable(rhs, site, v[i]);
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
      if ((Op::writes >> i) & 1u) vector[i].store(rhs, site, v[i]);
  }
};

}  // namespace plaq::blas
