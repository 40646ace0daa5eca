// Vector updates that one Krylov method needs, as kernels/blas/operations.hpp has the general ones: each
// vector is loaded once for all that happens to it at one point of the iteration.
#pragma once

#include "kernels/blas/operations.hpp"

namespace plaq::blas {

// Conjugate gradients: x = x + c0 p; p = c1 s + c2 p.   Vectors: s, p, x
struct CgDirection {
  static constexpr const char* name = "cg_direction";
  static constexpr int vectors = 3, sums = 0;
  static constexpr unsigned reads = 0b111, writes = 0b110;
  template <class Z, class R, int M>
  PLAQ_HD static void apply(Z (&v)[vectors], const Z (&c)[3], R (&)[M]) {
    v[2] = fma(c[0], v[1], v[2]);
    v[1] = fma(c[1], v[0], c[2] * v[1]);
  }
};

// Craig's method: the same, and |p|^2.   Vectors: s, p, x
struct CraigDirection {
  static constexpr int vectors = 3, sums = 1;
  using Types = SumTypes<double>;
  static constexpr unsigned reads = 0b111, writes = 0b110;
  template <class Z, class R>
  PLAQ_HD static void apply(Z (&v)[vectors], const Z (&c)[3], R (&sum)[sums]) {
    CgDirection::apply(v, c, sum);
    add_norm(v[1], sum[0]);
  }
};

// BiCGstab: (t, r), |t|^2, (r0, t), (r0, r).   Vectors: t, r, r0
struct BicgstabDots {
  static constexpr int vectors = 3, sums = 7;
  using Types = SumTypes<ComplexDouble, double, ComplexDouble, ComplexDouble>;
  static constexpr Factors<sums> factors{{{0, 1}, {0, 1}, {0, 0}, {2, 0}, {2, 0}, {2, 1}, {2, 1}}};
  static constexpr unsigned reads = 0b111, writes = 0;
  template <class Z, class R>
  PLAQ_HD static void apply(Z (&v)[vectors], const Z (&)[3], R (&sum)[sums]) {
    add_dot(v[0], v[1], sum[0], sum[1]);
    add_norm(v[0], sum[2]);
    add_dot(v[2], v[0], sum[3], sum[4]);
    add_dot(v[2], v[1], sum[5], sum[6]);
  }
};

// BiCGstab: x = x + c0 p + c1 r; r = r - c1 t; p = r + c2 (p - c1 v).   Vectors: t, v, p, r, x
struct BicgstabUpdate {
  static constexpr const char* name = "bicgstab_update";
  static constexpr int vectors = 5, sums = 0;
  static constexpr unsigned reads = 0b11111, writes = 0b11100;
  template <class Z, class R, int M>
  PLAQ_HD static void apply(Z (&v)[vectors], const Z (&c)[3], R (&)[M]) {
    v[4] = fma(c[1], v[3], fma(c[0], v[2], v[4]));
    v[3] = fma(-c[1], v[0], v[3]);
    v[2] = fma(c[2], fma(-c[1], v[1], v[2]), v[3]);
  }
};

// Minimal residual: x = x + c0 r; r = r - c0 q; |r|^2.   Vectors: q, r, x
struct MrUpdate {
  static constexpr int vectors = 3, sums = 1;
  using Types = SumTypes<double>;
  static constexpr unsigned reads = 0b111, writes = 0b110;
  template <class Z, class R>
  PLAQ_HD static void apply(Z (&v)[vectors], const Z (&c)[3], R (&sum)[sums]) {
    v[2] = fma(c[0], v[1], v[2]);
    v[1] = fma(-c[0], v[0], v[1]);
    add_norm(v[1], sum[0]);
  }
};

// MR step for smoothers, which ask for no norm.   Vectors: q, r, x
struct MrStep {
  static constexpr const char* name = "mr_step";
  static constexpr int vectors = 3, sums = 0;
  static constexpr unsigned reads = 0b111, writes = 0b110;
  template <class Z, class R, int M>
  PLAQ_HD static void apply(Z (&v)[vectors], const Z (&c)[3], R (&)[M]) {
    v[2] = fma(c[0], v[1], v[2]);
    v[1] = fma(-c[0], v[0], v[1]);
  }
};

// Smoothers: u = c0 r + c1 q; x = x + u, u in place of q.   Vectors: q, r, x
struct PairStep {
  static constexpr const char* name = "pair_step";
  static constexpr int vectors = 3, sums = 0;
  static constexpr unsigned reads = 0b111, writes = 0b101;
  template <class Z, class R, int M>
  PLAQ_HD static void apply(Z (&v)[vectors], const Z (&c)[3], R (&)[M]) {
    v[0] = fma(c[0], v[1], c[1] * v[0]);
    v[2] = v[2] + v[0];
  }
};

// GCR: z = r - s.   Vectors: r, s, z
struct Difference {
  static constexpr const char* name = "difference";
  static constexpr int vectors = 3, sums = 0;
  static constexpr unsigned reads = 0b011, writes = 0b100;
  template <class Z, class R, int M>
  PLAQ_HD static void apply(Z (&v)[vectors], const Z (&)[3], R (&)[M]) {
    v[2] = v[0] - v[1];
  }
};

// GCR: (z1, w), (z2, w), (z3, w).   Vectors: z1, z2, z3, w
struct ThreeDots {
  static constexpr int vectors = 4, sums = 6;
  using Types = SumTypes<ComplexDouble, ComplexDouble, ComplexDouble>;
  static constexpr Factors<sums> factors{{{0, 3}, {0, 3}, {1, 3}, {1, 3}, {2, 3}, {2, 3}}};
  static constexpr unsigned reads = 0b1111, writes = 0;
  template <class Z, class R>
  PLAQ_HD static void apply(Z (&v)[vectors], const Z (&)[3], R (&sum)[sums]) {
    add_dot(v[0], v[3], sum[0], sum[1]);
    add_dot(v[1], v[3], sum[2], sum[3]);
    add_dot(v[2], v[3], sum[4], sum[5]);
  }
};

// GCR: w = w + c0 z1 + c1 z2 + c2 z3.   Vectors: z1, z2, z3, w
struct ThreeAxpys {
  static constexpr const char* name = "three_axpys";
  static constexpr int vectors = 4, sums = 0;
  static constexpr unsigned reads = 0b1111, writes = 0b1000;
  template <class Z, class R, int M>
  PLAQ_HD static void apply(Z (&v)[vectors], const Z (&c)[3], R (&)[M]) {
    v[3] = fma(c[2], v[2], fma(c[1], v[1], fma(c[0], v[0], v[3])));
  }
};

}  // namespace plaq::blas
