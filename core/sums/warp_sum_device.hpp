// A warp's share of an ExactSum on a device. The 32 values that a warp has at a time are cut into digits
// relative to a common base, the digits of one weight are added in one instruction, and lane d keeps the sum
// of the d-th: a register or two a sum, whatever the number of sites. Where each thread has many values, it
// adds them first (core/sums/thread_sum.hpp): six registers, and a few additions in place of all this.
#pragma once

#include <cuda_runtime.h>

#include "core/sums/exact_sum.hpp"
#include "core/sums/thread_sum.hpp"

namespace plaq {

// `limbs`: of an ExactSum in global memory. At most ExactSum::max_adds values in all.
__device__ __forceinline__ void add_to_limb(std::int64_t* limbs, int limb, std::int64_t value) {
  if (value != 0)
    atomicAdd(reinterpret_cast<unsigned long long*>(limbs) + limb, static_cast<unsigned long long>(value));
}
__device__ __forceinline__ void add_digit(std::int64_t* limbs, int digit, std::int64_t value) {
  if (value == 0) return;
  int limb;
  std::int64_t piece[2];
  limbs_of_digit(digit, value, limb, piece);
  add_to_limb(limbs, limb, piece[0]);
  add_to_limb(limbs, limb + 1, piece[1]);
}

class WarpSum {
 public:
  static constexpr int digits = 6;
  static constexpr int highest = digits - 4;  // of a value's first digit, relative to the base

  // Called by all lanes together.
  __device__ __forceinline__ void add(double value, std::int64_t* limbs) {
    const bool finite = isfinite(value);
    const Digits d = digits_of(value);
    const bool counts = finite && value != 0;
    int k = d.first - base_;
    if (__any_sync(all, !finite || (counts && static_cast<unsigned>(k) > highest))) {
      const int base = move(value, counts, d.first, base_, mine_, limbs);
      if (base != base_) mine_ = 0;
      base_ = base;
      k = d.first - base_;
    }
    const bool inside = counts && static_cast<unsigned>(k) <= highest;
    const bool k0 = inside && k == 0, k1 = inside && k == 1, k2 = inside && k == 2;
    const int sum[digits] = {
        add_lanes(k0 ? d.piece[0] : 0),
        add_lanes(k0   ? d.piece[1]
                  : k1 ? d.piece[0]
                       : 0),
        add_lanes(k0   ? d.piece[2]
                  : k1 ? d.piece[1]
                  : k2 ? d.piece[0]
                       : 0),
        add_lanes(k0   ? d.piece[3]
                  : k1 ? d.piece[2]
                  : k2 ? d.piece[1]
                       : 0),
        add_lanes(k1   ? d.piece[3]
                  : k2 ? d.piece[2]
                       : 0),
        add_lanes(k2 ? d.piece[3] : 0),
    };
    const int lane = static_cast<int>(threadIdx.x % 32);
    int my_sum = 0;
#pragma unroll
    for (int i = 0; i < digits; ++i) my_sum = lane == i ? sum[i] : my_sum;
    mine_ += my_sum;
  }

  // Quick add() where all values are 0.
  __device__ __forceinline__ void add_any(double value, std::int64_t* limbs) {
    if (__any_sync(all, value != 0)) add(value, limbs);
  }

  // Adds all of it to the limbs.
  __device__ void hand_over(std::int64_t* limbs) const {
    const int lane = static_cast<int>(threadIdx.x % 32);
    if (lane < digits) add_digit(limbs, base_ + lane, mine_);
  }
  // Lane d < digits has the sum of digit base() + d.
  __device__ int base() const { return base_; }
  __device__ std::int64_t mine() const { return mine_; }

 private:
  static constexpr unsigned all = 0xffffffffu;
  static constexpr int nowhere = -digits;
  static constexpr int most_alone = 4;  // values that are not worth another base

  static __device__ __forceinline__ int add_lanes(int value) { return __reduce_add_sync(all, value); }

  // The base for the values at hand; those that still are outside go to the limbs at once. Rare.
  static __device__ __noinline__ int move(double value, bool counts, int first, int base, std::int64_t mine,
                                          std::int64_t* limbs) {
    if (const int counter = ExactSum::counter_of(value)) add_to_limb(limbs, counter, 1);
    const int top = __reduce_max_sync(all, counts ? first : nowhere);
    const int below = __popc(__ballot_sync(all, counts && first < base));
    if (top > base + highest || below > most_alone) {
      const int lane = static_cast<int>(threadIdx.x % 32);
      if (lane < digits) add_digit(limbs, base + lane, mine);
      base = top - highest;
    }
    if (counts && first < base) {
      int limb;
      std::int64_t piece[3];
      split(value, limb, piece);
      for (int i = 0; i < 3; ++i) add_to_limb(limbs, limb + i, piece[i]);
    }
    return base;
  }

  int base_ = nowhere;
  std::int64_t mine_ = 0;
};

// A thread's share of an ExactSum, of which its warp has a WarpSum at the end. All lanes call it together.
class LaneSum {
 public:
  // At most ThreadSum<double>::most_adds times before empty().
  __device__ __forceinline__ void add(double value, std::int64_t* limbs) {
    if (__any_sync(all, !sum_.takes(value))) {
      sum_ = begun(value, sum_, limbs);
      if (!sum_.takes(value)) {
        add_alone(value, limbs);
        value = 0;
      }
    }
    const double left = sum_.add(value);
    if (left != 0) add_alone(left, limbs);
  }
  __device__ __forceinline__ void empty(std::int64_t* limbs) { sum_ = begun(0, sum_, limbs); }
  __device__ __forceinline__ WarpSum of_warp(std::int64_t* limbs) const {
    WarpSum warp;
#pragma unroll 1
    for (int i = 0; i < ThreadSum<double>::parts; ++i)
      warp.add_any(i == 0 ? sum_.part(0) : i == 1 ? sum_.part(1) : sum_.part(2), limbs);
    return warp;
  }

 private:
  static constexpr unsigned all = 0xffffffffu;

  // Hands over the warp's sum, and begins one for values as large as those at hand.
  static __device__ __noinline__ ThreadSum<double> begun(double value, ThreadSum<double> sum,
                                                         std::int64_t* limbs) {
    WarpSum warp;
#pragma unroll
    for (int i = 0; i < ThreadSum<double>::parts; ++i) warp.add_any(sum.part(i), limbs);
    warp.hand_over(limbs);
    const double finite = isfinite(value) ? value : 0;
    const auto high = static_cast<unsigned>(to_magnitude(finite) >> 32);
    sum.begin(from_magnitude(static_cast<std::uint64_t>(__reduce_max_sync(all, high)) << 32));
    return sum;
  }

  static __device__ __noinline__ void add_alone(double value, std::int64_t* limbs) {
    if (const int counter = ExactSum::counter_of(value)) {
      add_to_limb(limbs, counter, 1);
      return;
    }
    int limb;
    std::int64_t piece[3];
    split(value, limb, piece);
    for (int i = 0; i < 3; ++i) add_to_limb(limbs, limb + i, piece[i]);
  }

  ThreadSum<double> sum_;
};

}  // namespace plaq
