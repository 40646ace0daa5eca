// Buffer of a reduction for its exact sums, at the location where it runs; the host reads it afterwards.
#pragma once

#include <vector>

#include "core/launch/queue.hpp"
#include "core/sums/exact_sum.hpp"
#include "core/system/memory.hpp"

namespace plaq {

class SumBuffer {
 public:
  SumBuffer(Location location, int capacity);
  // Memory at the location; on a device as much again on the host from the first fetch on.
  static std::size_t bytes(int capacity) { return static_cast<std::size_t>(capacity) * sizeof(ExactSum); }

  int capacity() const { return capacity_; }
  Location location() const { return limbs_.location(); }
  std::int64_t* limbs() const { return limbs_.as<std::int64_t>(); }  // capacity x ExactSum::size

  // Sets `count` sums from number `first` on to 0.
  void clear(const Queue& queue, int count, int first = 0);
  // Waits for the queue; the first `count` sums, normalised.
  std::vector<ExactSum> fetch(const Queue& queue, int count) const;

 private:
  static std::vector<ExactSum> normalised(const void* limbs, int count);

  int capacity_;
  Buffer limbs_;            // where kernels add
  mutable Buffer staging_;  // page-locked, for a device, once somebody fetches
};

}  // namespace plaq
