// The plain parameters and the values of point-split operators in three-point functions
// (observables/quark/bilinears.hpp).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/quark/momentum.hpp"

namespace plaq {

/// Point-split operators on a quark line, beside the local currents.
struct BilinearSettings {
  bool conserved = false;                     ///< the conserved currents, see conserved_current_weights()
  std::vector<std::string> derivatives = {};  ///< covariant derivatives, by their directions: "t", "xyz"
  std::vector<int> line_directions = {};      ///< directions of Wilson lines: 0 to 3 for x, y, z, t
  int line_length = 0;                        ///< longest Wilson line, in lattice units

  /// True if there is any operator.
  bool any() const { return conserved || !derivatives.empty() || !line_directions.empty(); }
  /// True if there are operators on links of choice: derivatives or Wilson lines.
  bool has_hops() const { return !derivatives.empty() || !line_directions.empty(); }
};

/// Name of a setting, and what is wrong with it; none: nothing. Derivatives are of order 1 to 3, and a line
/// is at most half as long as the lattice.
std::optional<std::pair<std::string, std::string>> fault_of(const BilinearSettings& settings,
                                                            const Extents& extents);

/// Three-point functions of point-split operators. The Gamma of derivatives and lines are the 16 of
/// all_loop_currents(), in their order.
struct Bilinears {
  Correlators conserved;                        ///< [mu][momentum][t]; of walls [4 + mu] is axial
  std::vector<Correlators> derivatives;         ///< [derivative][Gamma][momentum][t]
  std::vector<std::vector<Correlators>> lines;  ///< [direction][line_length + z][Gamma][momentum][t]

  /// Multiplies all numbers.
  Bilinears& operator*=(double factor);
  bool operator==(const Bilinears&) const = default;
};

}  // namespace plaq
