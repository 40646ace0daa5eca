// Time slices over which a mass is averaged.
#pragma once

#include <vector>

namespace plaq {

/// Time slices first..last from the source, both in it.
struct Plateau {
  int first = 0, last = 0;  ///< first and last time slice, from the source
  /// The middle half of `slices`: from a quarter of them, rounded up, to as far from the source on its
  /// other side.
  static Plateau middle(int slices);
  /// Average of numbers at each time slice over the plateau.
  double average(const std::vector<double>& of_t) const;
};

}  // namespace plaq
