// Prolongation and restriction of adaptive multigrid on a whole lattice, from the formulas of Clark et al.
// 2016, section 3.4: near-null vectors cut to boxes of sites and to chiralities, made
// orthonormal there by Gram and Schmidt.
//
// A vector is [slice of the fifth dimension][site][component]; the first half of a site's components has
// chirality 0, the second 1 (with one chirality: all are together). Slices are in one aggregate. A coarse
// vector is [box][chirality][near-null vector].
#pragma once

#include <complex>
#include <vector>

#include "tests/reference/lattice.hpp"

namespace plaq::reference {

class Aggregates {
 public:
  using Complex = std::complex<double>;
  using Vector = std::vector<Complex>;

  // Extents of a box divide those of the lattice. `components`: of a slice of a site.
  Aggregates(const Lattice& fine, const std::array<int, 4>& box, int components, int chiralities,
             const std::vector<Vector>& vectors, int slices = 1);

  const Lattice& coarse() const { return coarse_; }
  int coarse_components() const { return chiralities_ * static_cast<int>(v_.size()); }
  const std::vector<Vector>& orthonormal() const { return v_; }
  Vector restrict(const Vector& fine) const;
  // R of the sites alone from which a hop leads to the next box in the directions in which `across` has a
  // step, and stays in the box in the others.
  Vector restrict_hop(const Vector& fine, const std::array<int, 4>& hop,
                      const std::array<int, 4>& across) const;
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
  int components_, chiralities_, slices_;
  std::vector<std::vector<int>> sites_;  // of each box
  std::vector<Vector> v_;
};

}  // namespace plaq::reference
