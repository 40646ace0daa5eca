// Settings of a search for modes of the Laplacian in space.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace plaq {

/// Settings of a search for the lowest modes of minus the covariant Laplacian in space, on each time slice
/// (quarks/distillation/slice_lanczos.hpp).
struct LaplacianModeSettings {
  int modes = 64;                 ///< number of modes of each time slice
  double tolerance = 1e-8;        ///< largest ||A v - value v|| of modes with norm 1
  std::optional<int> basis = {};  ///< vectors of the basis, at least modes and a block; none: twice that
  int filter_degree = 40;         ///< largest degree of the Chebyshev polynomial of the operator
  int block = 2;                  ///< vectors of a block, in units of four
  int max_applications = 100000;  ///< largest number of applications of the operator to a block
  std::int64_t seed = 1;          ///< seed of start vectors
  std::array<int, 3> boundary = {1, 1, 1};  ///< signs of hops over the edge of the lattice in x, y, z
  bool operator==(const LaplacianModeSettings&) const = default;
};

}  // namespace plaq
