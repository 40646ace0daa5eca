// Products and sums of the color vectors in spinors, at one site, for both machines
// (kernels/quark/slice_products.hpp).
#pragma once

#include "core/field/views.hpp"

namespace plaq {

// x_k^dagger y_j of one vector k and the four of a spinor of y. Inner index: k * subfields of y + subfield.
// Sums: real and imaginary parts of the four products, in double.
template <class TargetT, class T>
struct SliceDots {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using RealDouble = typename Arch::RealDouble;
  static constexpr int sums = 8;
  static constexpr bool sums_in_threads = true;
  static constexpr int min_blocks = 2;

  SpinorView<TargetT, T> x, y;
  int first_x, first_y, count_y;

  PLAQ_HD void operator()(const typename Arch::Site& site, int inner, RealDouble (&sum)[sums]) const {
    const int k = inner / count_y, b = inner - k * count_y;
    Complex<RealDouble> left[3], product[4];
#pragma unroll
    for (int c = 0; c < 3; ++c) left[c] = wide(x.component(first_x + k / 4, site, 3 * (k % 4) + c));
    const auto right = y.template load<Spinor<Real>>(first_y + b, site);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      product[j] = {RealDouble(0.0), RealDouble(0.0)};
#pragma unroll
      for (int c = 0; c < 3; ++c) product[j] = conj_fma(left[c], wide(right.s[j].c[c]), product[j]);
      sum[2 * j] = product[j].re;
      sum[2 * j + 1] = product[j].im;
    }
  }

 private:
  static PLAQ_HD Complex<RealDouble> wide(const Complex<Real>& z) {
    return {to_double(z.re), to_double(z.im)};
  }
};

// y_j = keep y_j + sum_k x_k c_kj for the four vectors of a spinor of y. Inner index: subfield of y.
template <class TargetT, class T>
struct SliceAxpys {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  static constexpr int block_size = 128;

  SpinorView<TargetT, T> x, y;
  const Complex<double>* coefficients;  // of the slice
  double keep;
  int first_x, count_x, first_y, count_y;

  PLAQ_HD void operator()(const typename Arch::Site& site, int b) const {
    Spinor<Real> sum;
    if (keep == 0) {
      sum = zero_spinor<Real>();
    } else {
      sum = y.template load<Spinor<Real>>(first_y + b, site);
      const Real factor(static_cast<T>(keep));
#pragma unroll
      for (int j = 0; j < 4; ++j)
#pragma unroll
        for (int c = 0; c < 3; ++c) sum.s[j].c[c] = scale(factor, sum.s[j].c[c]);
    }
    const int columns = 4 * count_y;
#pragma unroll 1
    for (int a = 0; a < count_x; ++a) {
      const auto from = x.template load<Spinor<Real>>(first_x + a, site);
      const Complex<double>* row = coefficients + 4 * a * columns + 4 * b;
#pragma unroll
      for (int s = 0; s < 4; ++s, row += columns)
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          const Complex<Real> z{Real(static_cast<T>(row[j].re)), Real(static_cast<T>(row[j].im))};
#pragma unroll
          for (int c = 0; c < 3; ++c) sum.s[j].c[c] = fma(z, from.s[s].c[c], sum.s[j].c[c]);
        }
    }
    y.store(first_y + b, site, sum);
  }
};

}  // namespace plaq
