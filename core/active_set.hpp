// Which right-hand sides of a batch an operation is for: solvers freeze those that are done. Small enough to
// be passed to kernels by value.
#pragma once

#include <cstdint>
#include <vector>

#include "core/error.hpp"
#include "core/target.hpp"

namespace plaq {

class ActiveSet {
 public:
  static constexpr int capacity = 256;  // largest batch

  ActiveSet() = default;
  // All of a batch.
  explicit ActiveSet(int batch) : batch_(check(batch)), count_(batch) {
    for (int i = 0; i < batch; ++i) slot_[i] = static_cast<std::uint8_t>(i);
  }
  // Those whose flag is not 0.
  explicit ActiveSet(const std::vector<char>& flags) : batch_(check(static_cast<int>(flags.size()))) {
    for (int i = 0; i < batch_; ++i)
      if (flags[static_cast<std::size_t>(i)]) slot_[count_++] = static_cast<std::uint8_t>(i);
  }

  // At most `count` of them, from the `first` active one on.
  ActiveSet part(int first, int count) const {
    ActiveSet some;
    some.batch_ = batch_;
    for (int k = first; k < count_ && k < first + count; ++k) some.slot_[some.count_++] = slot_[k];
    return some;
  }

  // The slots of these right-hand sides where each has n: the k-th is set[k / n] * n + k % n.
  ActiveSet spread(int n) const {
    ActiveSet all;
    all.batch_ = check(batch_ * n);
    for (int k = 0; k < count_ * n; ++k)
      all.slot_[all.count_++] = static_cast<std::uint8_t>(slot_[k / n] * n + k % n);
    return all;
  }

  int batch() const { return batch_; }
  bool all() const { return count_ == batch_; }
  PLAQ_HD int count() const { return count_; }
  // Slot of the k-th active right-hand side, in ascending order.
  PLAQ_HD int operator[](int k) const { return slot_[k]; }

 private:
  static int check(int batch) {
    require(batch >= 0 && batch <= capacity, "more right-hand sides in a batch than a kernel takes (256)");
    return batch;
  }
  int batch_ = 0, count_ = 0;
  std::uint8_t slot_[capacity] = {};
};

}  // namespace plaq
