// Fourier transforms of numbers on a lattice that ranks share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "comms/grid/process_grid.hpp"
#include "core/lattice/geometry.hpp"
#include "core/launch/queue.hpp"

namespace plaq {

/// Transforms the directions whose bits are set in `directions`:
///   f(p) = sum over x of exp(-i p x) f(x),  p_mu = 2 pi n_mu / L_mu with n_mu in place of x_mu,
/// and backward f(x) = (1/V) sum over p of exp(i p x) f(p), where V is the product of the transformed L_mu.
/// Directions are transformed in the order x, y, z, t, each line of sites whole on one rank. The bits are the
/// same on any process grid, on the host and on a device.
template <class T>
class LatticeTransform {
 public:
  /// For arrays [t][z][y][x][numbers] of complex numbers, each two of T, of this rank's sites at `location`.
  /// Throws Error(usage) if they are more than 2^30 numbers on a rank. Collective;
  /// the grid must outlive this object.
  LatticeTransform(const ProcessGrid& grid, const Geometry& geometry, std::size_t numbers,
                   std::uint32_t directions, Location location);
  ~LatticeTransform();

  /// Transforms an array in place. Queued; waits if a direction is split over ranks. Collective.
  void run(void* array, bool forward, const Queue& queue) const;

 private:
  class Lines;
  struct Direction;

  Location location_;
  int total_ = 0;
  double volume_ = 1;
  std::vector<std::unique_ptr<Direction>> transformed_;
};

}  // namespace plaq
