// Prolongation and restriction of adaptive multigrid on a whole lattice, from the formulas of Clark et al.
// 2016, section 3.4: near-null vectors cut to boxes of sites and to chiralities, made
// orthonormal there by Gram and Schmidt.
//
// A vector is [site][component]; the first half of a site's components has chirality 0,
// the second 1 (with one chirality:
// all are together). A coarse vector is [box][chirality][near-null vector].
#pragma once

#include <complex>
#include <vector>

#include "tests/reference/lattice.hpp"

namespace plaq::reference {

class Aggregates {
 public:
  using Complex = std::complex<double>;
  using Vector = std::vector<Complex>;

  // Extents of a box divide those of the lattice.
  Aggregates(const Lattice& fine, const std::array<int, 4>& box, int components, int chiralities,
             const std::vector<Vector>& vectors);

  const Lattice& coarse() const { return coarse_; }
  int coarse_components() const { return chiralities_ * static_cast<int>(v_.size()); }
  const std::vector<Vector>& orthonormal() const { return v_; }
  Vector restrict(const Vector& fine) const;
  Vector prolong(const Vector& coarse) const;
  // Gamma5: 1 on chirality 0, -1 on chirality 1.
  Vector gamma5(const Vector& vector, int components) const;

 private:
  int box_of(int site) const;
  // Sum of conj(a) b over one box and chirality.
  Complex dot(const Vector& a, const Vector& b, int box, int chirality) const;
  template <class F>
  void for_rows(int box, int chirality, F&& f) const;

  Lattice fine_, coarse_;
  std::array<int, 4> box_;
  int components_, chiralities_;
  std::vector<Vector> v_;
};

}  // namespace plaq::reference
