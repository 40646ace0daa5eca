// Vectors that are kept orthonormal, and their rotations.
#pragma once

#include <complex>
#include <vector>

#include "solvers/krylov/batch.hpp"

namespace plaq {

// Single vectors of an operator. Sums are exact, so that all of this has the same bits on any process grid.
class KrylovBasis {
 public:
  using Complex64 = std::complex<double>;
  KrylovBasis(LinearOperator& a, Batch& batch, int size)
      : KrylovBasis(a.geometry(), a.spec(1), batch, size) {}
  KrylovBasis(const GeometryPtr& geometry, const FieldSpec& spec, Batch& batch, int size);

  Field& operator[](int i) { return v_[static_cast<std::size_t>(i)]; }
  const Field& operator[](int i) const { return v_[static_cast<std::size_t>(i)]; }
  void swap(int i, int j) { std::swap((*this)[i], (*this)[j]); }
  // More vectors, where there are fewer than `size`.
  void grow(int size);

  // v_n loses its part along v_0 .. v_n-1: classical Gram-Schmidt twice, and again while it loses much.
  // Returns what it lost, (v_i, v_n), and its norm after. Two passes read each v_i four times.
  struct Projection {
    std::vector<Complex64> overlap;
    double before = 0, norm = 0;
  };
  Projection orthogonalise(int n);
  // (v_i, w), i < n. Reads n/3 times four vectors.
  std::vector<Complex64> overlaps(int n, const Field& w);
  void scale(int i, double factor);
  // v_f+i = sum_j s[i n + j] v_f+j for i < kept, from v_f .. v_f+n-1, f = first; the others of these are
  // lost. Takes `kept` more vectors, which stay.
  void rotate(const std::vector<Complex64>& s, int n, int kept, int first = 0);
  // y = y + sum_i c_i v_first+i, i < n
  void add(const std::vector<Complex64>& c, int n, Field& y, int first = 0);

 private:
  double norm(const Field& x);
  Coefficients one() const { return batch_.coefficients(batch_.all()); }

  GeometryPtr geometry_;
  FieldSpec spec_;
  Batch& batch_;
  std::vector<Field> v_, spare_;
};

}  // namespace plaq
