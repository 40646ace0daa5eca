// GCR where the vectors are, scalars and all (solvers/krylov/gcr.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <tuple>
#include <variant>

#include "kernels/blas/krylov_operations.hpp"
#include "solvers/krylov/scalars.hpp"
#include "solvers/krylov/sums.hpp"

namespace plaq::gcr {

// Sums that there is room for, until they are all added up over ranks: (z_i, z_j) for so many i.
inline constexpr int dots_at_once = 12;

struct Scalars {
  Scalars(ScalarMemory& memory, int length)
      : zz(memory, length),
        alpha(memory, length),
        overlaps(memory, pairs(length)),
        combinations(memory, triples(length)),
        minus_alpha(memory),
        breakdown(memory),
        status(memory) {}
  static std::size_t bytes(int length, int batch) {
    using Set = blas::CoefficientList::Set;
    return ScalarMemory::bytes<double>(length, batch) + ScalarMemory::bytes<ComplexDouble>(length, batch) +
           ScalarMemory::bytes<ComplexDouble>(pairs(length), batch) +
           ScalarMemory::bytes<Set>(triples(length), batch) + ScalarMemory::bytes<Set>(1, batch) +
           ScalarMemory::bytes<bool>(1, batch);
  }

  ScalarArray<double> zz;            // |z_j|^2
  ScalarArray<ComplexDouble> alpha;  // still to come: x += sum_j alpha(j) A^-1 z_j
  ScalarArray<ComplexDouble> overlaps;
  ScalarArray<blas::CoefficientList::Set> combinations;
  UpdateCoefficients minus_alpha;  // of r -= alpha z
  Scalar<bool> breakdown;
  Statuses status;

  // A p_j = z_j + sum_{i<j} overlap(j, i) z_i
  PLAQ_HD ComplexDouble& overlap(int j, int i, int rhs) const { return overlaps(pairs(j) + i, rhs); }
  // Coefficients of y += c0 v_i + c1 v_(i+1) + c2 v_(i+2), i divisible by 3.
  PLAQ_HD UpdateCoefficients combination(int i) const { return UpdateCoefficients(&combinations(i / 3, 0)); }

  PLAQ_HD static constexpr int pairs(int j) { return j * (j - 1) / 2; }
  static constexpr int triples(int length) { return (length + 2) / 3; }
};

// overlap(j, i) = (z_i, z_j) / |z_i|^2 for `first` <= i < end; to be subtracted.
struct Overlaps {
  Scalars gcr;
  int j, first, end;
  Sum<ComplexDouble> dots[dots_at_once];
  PLAQ_HD void operator()(int rhs) const {
    for (int i = first; i < end; i += 3) {
      ComplexDouble minus[3] = {};
      for (int k = 0; k < 3 && i + k < end; ++k) {
        const ComplexDouble dot = dots[i + k - first](rhs);
        const double zz = gcr.zz(i + k, rhs);
        // 0 of a right-hand side that is solved: who takes a fixed number of steps goes on.
        gcr.overlap(j, i + k, rhs) = zz == 0 ? ComplexDouble{0, 0} : ComplexDouble{dot.re / zz, dot.im / zz};
        minus[k] = -gcr.overlap(j, i + k, rhs);
      }
      gcr.combination(i).set(rhs, minus[0], minus[1], minus[2]);
    }
  }
};

// alpha(j) = (z_j, r) / |z_j|^2
struct StepLength {
  Scalars gcr;
  int j;
  Sum<ComplexDouble> zr;
  Sum<double> zz;
  PLAQ_HD void operator()(int rhs) const {
    const ComplexDouble dot = zr(rhs);
    gcr.zz(j, rhs) = zz(rhs);
    gcr.breakdown(rhs) = zz(rhs) == 0 || is_zero(dot);
    gcr.alpha(j, rhs) =
        gcr.breakdown(rhs) ? ComplexDouble{0, 0} : ComplexDouble{dot.re / zz(rhs), dot.im / zz(rhs)};
    gcr.minus_alpha.set(rhs, -gcr.alpha(j, rhs));
  }
};

struct EndStep {
  Scalars gcr;
  Sum<double> rr;
  PLAQ_HD void operator()(int rhs) const { gcr.status.set(rhs, std::sqrt(rr(rhs)), gcr.breakdown(rhs)); }
};

// Coefficients of x += sum_i y_i p_i: sum_i alpha(i) z_i = A sum_i y_i p_i. No update is deferred after it.
struct Solution {
  Scalars gcr;
  int j;  // how many there are
  PLAQ_HD void operator()(int rhs) const {
    for (int i = j - 1; i >= 0; --i) {
      ComplexDouble y = gcr.alpha(i, rhs);
      for (int k = i + 1; k < j; ++k) y = y - gcr.overlap(k, i, rhs) * gcr.alpha(k, rhs);
      gcr.alpha(i, rhs) = y;
    }
    for (int i = 0; i < j; i += 3) {
      ComplexDouble y[3] = {};
      for (int k = 0; k < 3 && i + k < j; ++k) {
        y[k] = gcr.alpha(i + k, rhs);
        gcr.alpha(i + k, rhs) = {0, 0};
      }
      gcr.combination(i).set(rhs, y[0], y[1], y[2]);
    }
  }
};

using Function = std::variant<Overlaps, StepLength, EndStep, Solution>;

// y += sum_{i<j} c_i v_i, c as in combination(i).
template <class It, class Vectors, class Vector>
void combine(It& it, const Scalars& gcr, int j, const Vectors& v, Vector& y) {
  const auto of = [&](int i) { return &v[static_cast<std::size_t>(std::min(i, j - 1))]; };
  for (int i = 0; i < j; i += 3)
    it.update(blas::ThreeAxpys(), gcr.combination(i), {of(i), of(i + 1), of(i + 2), &y});
}

// z_j -= sum_{i<j} ((z_i, z_j) / |z_i|^2) z_i: classical Gram-Schmidt.
template <class It, class Vectors>
void orthogonalise(It& it, const Scalars& gcr, int j, Vectors& z) {
  for (int first = 0; first < j; first += dots_at_once) {
    Overlaps overlaps{gcr, j, first, std::min(j, first + dots_at_once), {}};
    const auto of = [&](int i) { return &z[static_cast<std::size_t>(std::min(i, overlaps.end - 1))]; };
    const auto& zj = z[static_cast<std::size_t>(j)];
    for (int i = first; i < overlaps.end; i += 3) {
      Sum<ComplexDouble>* dots = overlaps.dots + (i - first);
      std::tie(dots[0], dots[1], dots[2]) =
          it.add_sums(blas::ThreeDots(), {of(i), of(i + 1), of(i + 2), &zj});
    }
    it.after_sums(overlaps);
  }
  combine(it, gcr, j, z, z[static_cast<std::size_t>(j)]);
}

// `it`: an Iteration<Function>; direction(p, z, r) makes p = K r and z = A p. Leaves alpha(j).
template <class It, class Vectors, class Vector, class Direction>
void add_direction(It& it, const Scalars& gcr, int j, Vectors& p, Vectors& z, Vector& r,
                   Direction&& direction) {
  auto &pj = p[static_cast<std::size_t>(j)], &zj = z[static_cast<std::size_t>(j)];
  direction(pj, zj, r);                                           // p_j = K r, z_j = A p_j
  orthogonalise(it, gcr, j, z);                                   // to all z_i, i < j
  const auto [zr, zz] = it.add_sums(blas::DotNorm(), {&zj, &r});  // (z_j, r), |z_j|^2
  it.after_sums(StepLength{gcr, j, zr, zz});                      // alpha = (z_j, r) / |z_j|^2
}

// The last of an iteration tells the host.
template <class It, class Vectors, class Vector, class Direction>
void iterate(It& it, const Scalars& gcr, int j, Vectors& p, Vectors& z, Vector& r, Direction&& direction,
             bool last) {
  add_direction(it, gcr, j, p, z, r, direction);
  const auto& zj = z[static_cast<std::size_t>(j)];
  const auto rr = it.add_sums(blas::AxpyNorm(), gcr.minus_alpha, {&zj, &r});  // r -= alpha z_j
  last ? it.end(EndStep{gcr, rr}) : it.after_sums(EndStep{gcr, rr});          // |r|
}

}  // namespace plaq::gcr
