// Covariant derivatives of sources in space.
#pragma once

#include <string>

#include "core/field/field.hpp"
#include "kernels/gauge/link_copies.hpp"
#include "kernels/gauge/link_smearing.hpp"

namespace plaq {

/// b <- D_i D_j ... b for a word "ij..." of x, y, z, by symmetric differences
///   (D_i b)(x) = (1/2) [ U_i(x) b(x+i) - U_i(x-i)^dagger b(x-i) ],
/// the rightmost letter first. Hops over the edge of the lattice have the boundary signs of the quarks.
class QuarkDerivative {
 public:
  /// Collective. Throws Error(usage) for a smearing that is impossible.
  /// @param lattice  ranks and sites
  /// @param gauge  links as smear_links() takes them
  /// @param smearing  smearing of the links of the derivative; `gauge` is left as it is
  /// @param boundary  signs of the quarks around the lattice
  /// @param word  letters of the derivatives
  QuarkDerivative(const SharedLattice& lattice, const Field& gauge, const LinkSmearing& smearing,
                  const SpaceSigns& boundary, std::string word);

  /// In place, on a quark field of both parities without halo at the lattice's location, in single or double
  /// precision, with any number of columns. Collective, waits for the queue; the same bits on any process
  /// grid and in any batch.
  void apply(Field& b) const;

 private:
  const SharedLattice* lattice_;
  Field links_;
  std::string word_;
};

/// Why a word is none of 1 to 3 of the letters x, y, z; empty: it is one.
std::string derivative_fault(const std::string& word);
/// "D_x D_y" for the word "xy".
std::string derivative_formula(const std::string& word);

}  // namespace plaq
