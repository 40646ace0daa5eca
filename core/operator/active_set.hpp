// Active right-hand sides of a batch, for which an operation is: solvers mask those that have converged. It
// is small enough to be passed to kernels by value.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/launch/target.hpp"
#include "core/system/error.hpp"

namespace plaq {

class ActiveSet {
 public:
  static constexpr int capacity = 256;  // largest batch

  ActiveSet() = default;
  // All of a batch.
  explicit ActiveSet(int batch) : batch_(check(batch)), count_(batch) {
    for (int i = 0; i < batch; ++i) rhs_[i] = static_cast<std::uint8_t>(i);
  }
  // Right-hand sides whose flag is not 0.
  explicit ActiveSet(const std::vector<char>& flags) : batch_(check(static_cast<int>(flags.size()))) {
    for (int i = 0; i < batch_; ++i)
      if (flags[static_cast<std::size_t>(i)]) rhs_[count_++] = static_cast<std::uint8_t>(i);
  }

  // At most `count` of them, from the `first` active one on.
  ActiveSet part(int first, int count) const {
    ActiveSet some = *this;
    some.first_ = first_ + first;
    some.count_ = std::clamp(count_ - first, 0, count);
    return some;
  }
  // Active subfields of a field in which each right-hand side is `Ls` subfields (FieldSpec::Ls).
  ActiveSet spread(int Ls) const {
    ActiveSet spread = *this;
    spread.batch_ *= Ls;
    spread.first_ *= Ls;
    spread.count_ *= Ls;
    spread.Ls_ *= Ls;
    return spread;
  }

  int batch() const { return batch_; }
  // The number for which launches are tuned. Right-hand sides leave a batch one by one, and numbers between
  // one and all are not worth their own trials.
  int tuned_count() const { return count_ == Ls_ ? Ls_ : batch_; }
  bool all() const { return count_ == batch_; }
  PLAQ_HD int count() const { return count_; }
  // The k-th active right-hand side, in ascending order.
  PLAQ_HD int operator[](int k) const {
    const int n = first_ + k;
    if (Ls_ == 1) return rhs_[n];
    const int of = n / Ls_;
    return rhs_[of] * Ls_ + (n - of * Ls_);
  }

 private:
  static int check(int batch) {
    require(batch >= 0 && batch <= capacity, "more right-hand sides in a batch than a kernel takes (256)");
    return batch;
  }
  int batch_ = 0, count_ = 0, first_ = 0, Ls_ = 1;
  std::uint8_t rhs_[capacity] = {};
};

}  // namespace plaq
