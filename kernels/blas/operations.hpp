// Operations of vector updates at one place. Vectors are numbered in the order of the launch; `bytes` counts
// reads and writes. conj(a) b enters sums as (re, im). Sums of operations that write nothing come from
// products of the vectors `factors[k]` alone: of 16-bit numbers they are added as integers.
#pragma once

#include "core/algebra/complex_scalar.hpp"

namespace plaq::blas {

// The two vectors of each sum.
template <int sums>
struct Factors {
  int of[sums][2];
};

// Types of the sums of an operation, one after the other: each is a double or a ComplexDouble.
template <class... T>
struct SumTypes {
  static constexpr int doubles = (0 + ... + static_cast<int>(sizeof(T) / sizeof(double)));
};

template <class Real, class Sum>
PLAQ_HD void add_norm(const Complex<Real>& a, Sum& sum) {
  const Sum re = widen(a.re), im = widen(a.im);
  sum = fma(im, im, fma(re, re, sum));
}
template <class Real, class Sum>
PLAQ_HD void add_dot(const Complex<Real>& a, const Complex<Real>& b, Sum& re, Sum& im) {
  const Sum ar = widen(a.re), ai = widen(a.im), br = widen(b.re), bi = widen(b.im);
  re = fma(ai, bi, fma(ar, br, re));
  im = fma(-ai, br, fma(ar, bi, im));
}

// y = x
struct Copy {
  static constexpr const char* name = "copy";
  static constexpr int vectors = 2, sums = 0;
  static constexpr unsigned reads = 0b01, writes = 0b10;
  template <class Z, class R, int M>
  PLAQ_HD static void apply(Z (&v)[vectors], const Z (&)[3], R (&)[M]) {
    v[1] = v[0];
  }
};

// y = 0
struct Zero {
  static constexpr const char* name = "zero";
  static constexpr int vectors = 1, sums = 0;
  static constexpr unsigned reads = 0, writes = 0b1;
  template <class Z, class R, int M>
  PLAQ_HD static void apply(Z (&)[vectors], const Z (&)[3], R (&)[M]) {}  // what is not read is 0
};

// y = c0 x.   Vectors: x, y; may be one field
struct Scale {
  static constexpr const char* name = "scale";
  static constexpr int vectors = 2, sums = 0;
  static constexpr unsigned reads = 0b01, writes = 0b10;
  template <class Z, class R, int M>
  PLAQ_HD static void apply(Z (&v)[vectors], const Z (&c)[3], R (&)[M]) {
    v[1] = c[0] * v[0];
  }
};

// z = x + c0 y
struct Triad {
  static constexpr const char* name = "triad";
  static constexpr int vectors = 3, sums = 0;
  static constexpr unsigned reads = 0b011, writes = 0b100;
  template <class Z, class R, int M>
  PLAQ_HD static void apply(Z (&v)[vectors], const Z (&c)[3], R (&)[M]) {
    v[2] = fma(c[0], v[1], v[0]);
  }
};

// |x|^2
struct Norm {
  static constexpr int vectors = 1, sums = 1;
  using Types = SumTypes<double>;
  static constexpr Factors<sums> factors{{{0, 0}}};
  static constexpr unsigned reads = 0b1, writes = 0;
  template <class Z, class R>
  PLAQ_HD static void apply(Z (&v)[vectors], const Z (&)[3], R (&sum)[sums]) {
    add_norm(v[0], sum[0]);
  }
};

// (x, y)
struct Dot {
  static constexpr int vectors = 2, sums = 2;
  using Types = SumTypes<ComplexDouble>;
  static constexpr Factors<sums> factors{{{0, 1}, {0, 1}}};
  static constexpr unsigned reads = 0b11, writes = 0;
  template <class Z, class R>
  PLAQ_HD static void apply(Z (&v)[vectors], const Z (&)[3], R (&sum)[sums]) {
    add_dot(v[0], v[1], sum[0], sum[1]);
  }
};

// (x, y), |x|^2
struct DotNorm {
  static constexpr int vectors = 2, sums = 3;
  using Types = SumTypes<ComplexDouble, double>;
  static constexpr Factors<sums> factors{{{0, 1}, {0, 1}, {0, 0}}};
  static constexpr unsigned reads = 0b11, writes = 0;
  template <class Z, class R>
  PLAQ_HD static void apply(Z (&v)[vectors], const Z (&)[3], R (&sum)[sums]) {
    add_dot(v[0], v[1], sum[0], sum[1]);
    add_norm(v[0], sum[2]);
  }
};

// r = b - y; |r|^2.   Vectors: b, y, r; y may be r
struct Residual {
  static constexpr int vectors = 3, sums = 1;
  using Types = SumTypes<double>;
  static constexpr unsigned reads = 0b011, writes = 0b100;
  template <class Z, class R>
  PLAQ_HD static void apply(Z (&v)[vectors], const Z (&)[3], R (&sum)[sums]) {
    v[2] = v[0] - v[1];
    add_norm(v[2], sum[0]);
  }
};

// y = c0 x + c1 y.   Vectors: x, y
struct Axpby {
  static constexpr const char* name = "axpby";
  static constexpr int vectors = 2, sums = 0;
  static constexpr unsigned reads = 0b11, writes = 0b10;
  template <class Z, class R, int M>
  PLAQ_HD static void apply(Z (&v)[vectors], const Z (&c)[3], R (&)[M]) {
    v[1] = fma(c[0], v[0], c[1] * v[1]);
  }
};

// y = y + c0 x.   Vectors: x, y
struct Axpy {
  static constexpr const char* name = "axpy";
  static constexpr int vectors = 2, sums = 0;
  static constexpr unsigned reads = 0b11, writes = 0b10;
  template <class Z, class R, int M>
  PLAQ_HD static void apply(Z (&v)[vectors], const Z (&c)[3], R (&)[M]) {
    v[1] = fma(c[0], v[0], v[1]);
  }
};

// y = y + c0 x; |y|^2.   Vectors: x, y
struct AxpyNorm {
  static constexpr int vectors = 2, sums = 1;
  using Types = SumTypes<double>;
  static constexpr unsigned reads = 0b11, writes = 0b10;
  template <class Z, class R>
  PLAQ_HD static void apply(Z (&v)[vectors], const Z (&c)[3], R (&sum)[sums]) {
    v[1] = fma(c[0], v[0], v[1]);
    add_norm(v[1], sum[0]);
  }
};

}  // namespace plaq::blas
