// Sheets on which exact sums are handed over: a GPU or a rank writes them, and the reader adds them up. Sums
// of numbers of one size occupy few limbs, and only those are written and read.
#pragma once

#include <cstdint>

#include "core/sums/exact_sum.hpp"

namespace plaq {

// Limbs first ... first + count - 1; where there are more than `most`, they lie beside it on the sheet.
struct alignas(128) SumRecord {
  static constexpr int most = 14;
  std::int64_t first, count;
  std::int64_t limb[most];
};

class Queue;

struct SumSheet {
  static constexpr int capacity = 256;  // sums
  std::uint64_t number;                 // of the sums that lie here; written after them
  SumRecord record[capacity];
  std::int64_t all[capacity][ExactSum::size];
};

// A thread that works alone.
struct OneLane {
  PLAQ_HD int lane() const { return 0; }
  PLAQ_HD int count() const { return 1; }
  PLAQ_HD int min(int x) const { return x; }
  PLAQ_HD int max(int x) const { return x; }
  PLAQ_HD void sync() const {}
};

#if defined(__CUDACC__)
// The lanes of a warp that work on one thing.
struct WarpLanes {
  __device__ int lane() const { return static_cast<int>(threadIdx.x % 32); }
  __device__ int count() const { return 32; }
  __device__ int min(int x) const {
    for (int far = 16; far > 0; far /= 2) x = ::min(x, __shfl_xor_sync(0xffffffffu, x, far));
    return x;
  }
  __device__ int max(int x) const { return -min(-x); }
  __device__ void sync() const { __syncwarp(); }
};
#endif

// Limb i with 32 bits of its own and the carry of the one below: the same sum, and those of 2^29 ranks can be
// added.
PLAQ_HD std::int64_t carried(const std::int64_t* limbs, int i) {
  if (i >= ExactSum::limbs) return limbs[i];
  const std::int64_t carry = i > 0 ? limbs[i - 1] >> 32 : 0;
  return carry + (i < ExactSum::limbs - 1 ? limbs[i] & 0xffffffff : limbs[i]);
}

// The range of carried limbs that are not 0, found by all lanes of a group: first > end where there are none.
template <class Lanes>
PLAQ_HD void range_of(const std::int64_t* limbs, const Lanes& lanes, int& first, int& end) {
  first = ExactSum::size;
  end = 0;
  for (int i = lanes.lane(); i < ExactSum::size; i += lanes.count()) {
    if (carried(limbs, i) == 0) continue;
    if (i < first) first = i;
    end = i + 1;
  }
  first = lanes.min(first);
  end = lanes.max(end);
}

// Moves a sum to place k of a sheet, by all lanes of a group: `limbs` are 0 afterwards.
template <class Lanes>
PLAQ_HD void hand_over(SumSheet& sheet, int k, std::int64_t* limbs, const Lanes& lanes) {
  int first, end;
  range_of(limbs, lanes, first, end);
  const int count = end > first ? end - first : 0;
  SumRecord& record = sheet.record[k];
  std::int64_t* to = count <= SumRecord::most ? record.limb : sheet.all[k];
  for (int i = first + lanes.lane(); i < end; i += lanes.count()) to[i - first] = carried(limbs, i);
  if (lanes.lane() == 0) {
    record.first = first;
    record.count = count;
  }
  lanes.sync();
  for (int i = lanes.lane(); i < ExactSum::size; i += lanes.count()) limbs[i] = 0;
}

// The sum of what several sheets have in one place.
class SheetSum {
 public:
  void add(const SumSheet& sheet, int k) {
    const SumRecord& record = sheet.record[k];
    const auto first = static_cast<int>(record.first), end = first + static_cast<int>(record.count);
    const std::int64_t* from = record.count <= SumRecord::most ? record.limb : sheet.all[k];
    for (int i = first; i < end; ++i) sum_.limb[i] += from[i - first];
    if (first < first_) first_ = first;
    if (end > end_) end_ = end;
  }
  double round() const { return ExactSum::round(sum_.limb, first_, end_); }
  const ExactSum& sum() const { return sum_; }

 private:
  ExactSum sum_;
  int first_ = ExactSum::limbs, end_ = 0;
};

// A GPU hands its sums over to the host, and to other processes of the node, in one launch that nobody's
// stream waits for: they look at the sheet's number. Moves `count` sums of `limbs`, on the device of the
// queue, to a sheet in page-locked host memory, and then sets its number.
void send_sums(SumSheet* sheet, std::int64_t* limbs, int count, std::uint64_t number, const Queue& queue);

}  // namespace plaq
