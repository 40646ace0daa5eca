// Fourier transforms of complex numbers in single precision on one rank. On a device they are cuFFT's; on the
// host our own, which treat each line alike, so that a gauge copy has the same bits alone and with others.
// Nothing is tuned by timing: results repeat bit by bit.
#pragma once

#include <memory>
#include <vector>

#include "core/launch/queue.hpp"

namespace plaq {

class RowTransform {
 public:
  // Transforms up to three `extents`, the slowest first: element (i, j, k) of transform b is at
  // distance b + stride ((i extents[1] + j) extents[2] + k), b < batch.
  // Either these are whole rows (stride 1, one extent, which is the distance), or stride is the batch and
  // distance 1. Throws Error(device) on a device without cuFFT.
  RowTransform(Location location, const std::vector<int>& extents, int stride, int batch, int distance);
  ~RowTransform();
  RowTransform(const RowTransform&) = delete;
  RowTransform& operator=(const RowTransform&) = delete;

  // to = sum over x of exp(-+ i p x) from(x); `to` may be `from`. Queued.
  void run(void* to, const void* from, bool forward, const Queue& queue) const;

  struct Plan {
    virtual ~Plan() = default;
    virtual void run(void* to, const void* from, bool forward, const Queue& queue) = 0;
  };

 private:
  std::unique_ptr<Plan> plan_;
};

}  // namespace plaq
