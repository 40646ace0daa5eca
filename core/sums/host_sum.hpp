// A host thread's share of an ExactSum: lanes of its vectors add up first (core/sums/thread_sum.hpp).
#pragma once

#include <algorithm>
#include <cmath>

#include "core/algebra/lanes.hpp"
#include "core/sums/exact_sum.hpp"
#include "core/sums/thread_sum.hpp"

namespace plaq {

// Functions are for many kernels, which call them: copies take long to compile.
class HostSum {
 public:
  // Lanes that the mask names.
  template <int N>
  void add(const Lanes<double, N>& values, LaneMask mask) {
    static_assert(N % Values::width == 0);
    const auto* from = reinterpret_cast<const double*>(&values.v);
    for (int first = 0; first < N; first += Values::width)
      add_values(select(mask >> first, Values::load(from + first), Values(0.0)));
  }
  // Adds all of it to `out`.
  [[gnu::noinline]] void hand_over(ExactSum& out) {
    empty();
    total_.normalize();
    out.merge(total_);
  }

 private:
  using Values = Lanes<double, host_vector_bytes / 8>;  // of one vector of the host
  using Sum = ThreadSum<Values>;

  [[gnu::noinline]] void add_values(Values values) {
    if (adds_ == Sum::most_adds || !sum_.takes(values)) begin(values);
    ++adds_;
    const Values left = sum_.add(values);
    if (!is_zero(left)) add_lanes(left);
  }
  void empty() {
    for (int i = 0; i < Sum::parts; ++i) add_lanes(sum_.part(i));
    adds_ = 0;
  }
  // Keeps the sum so far, and begins one for values as large as these; those of them that it does not take
  // are added, and 0 afterwards.
  [[gnu::noinline]] void begin(Values& values) {
    empty();
    double largest = 0;
    for (int l = 0; l < Values::width; ++l)
      if (std::isfinite(values[l])) largest = std::max(largest, std::abs(values[l]));
    sum_.begin(largest);
    if (sum_.takes(values)) return;
    add_lanes(values);
    values = Values(0.0);
  }
  void add_lanes(const Values& values) {
    for (int l = 0; l < Values::width; ++l)
      if (values[l] != 0) total_.add(values[l]);
  }

  Sum sum_;
  int adds_ = 0;
  ExactSum total_;
};

}  // namespace plaq
