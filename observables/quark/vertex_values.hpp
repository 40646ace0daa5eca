// Values of quark vertices (observables/quark/vertices.hpp).
#pragma once

#include <array>
#include <complex>
#include <cstddef>

namespace plaq {

/// Matrix of spin and color, both 3 * spin + color.
struct OpenSpinColor {
  std::array<std::complex<double>, 144> numbers{};  ///< number 12 * row + column

  /// Number of a row and a column.
  std::complex<double>& at(std::size_t row, std::size_t column) { return numbers[12 * row + column]; }
  /// Number of a row and a column.
  const std::complex<double>& at(std::size_t row, std::size_t column) const {
    return numbers[12 * row + column];
  }
  bool operator==(const OpenSpinColor&) const = default;
};

/// Vertex of a four-quark operator with open spins a, b of its first bilinear and c, d of its second one.
struct FourQuarkSpins {
  using Spins = std::array<std::complex<double>, 256>;  ///< number 64 a + 16 b + 4 c + d
  Spins joined{};                                       ///< traces over color of each bilinear
  Spins crossed{};                                      ///< colors of the bilinears crossed
  bool operator==(const FourQuarkSpins&) const = default;
};

}  // namespace plaq
