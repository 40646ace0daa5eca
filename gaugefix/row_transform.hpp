// Fourier transforms of complex numbers in single precision on one rank: FFTW on the host, cuFFT on a device.
// Neither chooses its way by timing, so that results repeat bit by bit.
#pragma once

#include <memory>
#include <vector>

#include "core/queue.hpp"

namespace plaq {

class RowTransform {
 public:
  // Of up to three `extents`, the slowest first: element (i, j, k) of transform b is at
  // distance b + stride ((i extents[1] + j) extents[2] + k), b < batch. Throws Error(device) on a
  // device without cuFFT.
  RowTransform(Location location, const std::vector<int>& extents, int stride, int batch, int distance);
  ~RowTransform();
  RowTransform(const RowTransform&) = delete;
  RowTransform& operator=(const RowTransform&) = delete;

  struct Plan;
  // sum over x of exp(-+ i p x) data(x), in place; `data` aligned as Buffer is. Queued.
  void run(void* data, bool forward, const Queue& queue) const;

 private:
  std::unique_ptr<Plan> plan_;
};

}  // namespace plaq
