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

}  // namespace plaq
