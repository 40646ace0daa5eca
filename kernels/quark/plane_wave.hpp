// Phases and positions on the whole lattice, on the host.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>

#include "core/algebra/complex.hpp"
#include "core/lattice/geometry.hpp"
#include "core/system/error.hpp"

namespace plaq {

// exp(i 2 pi n r / L), the same bits for the same n r modulo L, and exact where it is a power of i.
inline Complex<double> plane_wave(std::int64_t n, int r, int extent) {
  const std::int64_t turn = ((n % extent) * r % extent + extent) % extent;
  if (4 * turn % extent == 0) {
    constexpr double re[4] = {1, 0, -1, 0}, im[4] = {0, 1, 0, -1};
    return {re[4 * turn / extent], im[4 * turn / extent]};
  }
  const double angle = 2 * std::numbers::pi * static_cast<double>(turn) / extent;
  return {std::cos(angle), std::sin(angle)};
}

// Throws Error(internal) unless 0 <= position < extents: the caller, who knows the job file, checks it
// before.
inline void expect_inside(const Extents& position, const Geometry& geometry) {
  for (std::size_t mu = 0; mu < 4; ++mu)
    if (position[mu] < 0 || position[mu] >= geometry.global()[mu])
      throw Error(ErrorKind::internal, "internal error: source position (" + std::to_string(position[0]) +
                                           ", " + std::to_string(position[1]) + ", " +
                                           std::to_string(position[2]) + ", " + std::to_string(position[3]) +
                                           ") is outside the lattice " + to_string(geometry.global()));
}

}  // namespace plaq
