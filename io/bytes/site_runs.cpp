#include "io/bytes/site_runs.hpp"

#include <algorithm>

#include "core/system/error.hpp"

namespace plaq {

SiteRuns::SiteRuns(const Geometry& geometry, const SiteOrder& order, std::int64_t record_bytes,
                   std::int64_t least_bytes) {
  const Decomposition& d = geometry.decomposition();
  const Extents offset = geometry.offset();
  for (std::size_t i = 0; i < 4; ++i) {
    const auto mu = static_cast<std::size_t>(order.directions[i]);
    const int halved = order.one_parity && i == 0 ? 2 : 1;  // local extents are even
    global_[i] = geometry.global()[mu] / halved;
    local_[i] = geometry.local()[mu] / halved;
    first_[i] = offset[mu] / halved;
    ranks_[i] = d.ranks[mu];
    position_[i] = d.position[mu];
  }
  for (shared_ = 0;; ++shared_) {
    // Beyond what the group shares, a run goes on to the first direction that is split.
    inside_ = shared_;
    while (inside_ < 4 && (inside_ == shared_ || ranks_[static_cast<std::size_t>(inside_ - 1)] == 1))
      ++inside_;
    std::int64_t bytes = record_bytes;
    for (int i = 0; i < inside_; ++i)
      bytes *= i < shared_ ? global_[static_cast<std::size_t>(i)] : local_[static_cast<std::size_t>(i)];
    if (bytes >= least_bytes || shared_ == 4) break;
  }
  int groups = 1;
  for (int i = 0; i < 4; ++i) {
    const auto u = static_cast<std::size_t>(i);
    const bool is_shared = i < shared_;
    int& number = is_shared ? member_ : group_;
    int& count = is_shared ? group_size_ : groups;
    number += static_cast<int>(position_[u]) * count;
    count *= static_cast<int>(ranks_[u]);
    run_[u] = is_shared ? (i == 0 ? ranks_[u] : global_[u]) : (i == 0 ? 1 : local_[u]);
    if (i < inside_)
      run_rows_ *= run_[u];
    else
      runs_ *= local_[u];
  }
}

std::int64_t SiteRuns::first_record(std::int64_t run) const {
  std::int64_t record = 0, stride = 1;
  for (int i = 0; i < 4; ++i) {
    const auto u = static_cast<std::size_t>(i);
    std::int64_t at = i < shared_ ? 0 : first_[u];
    if (i >= inside_) {
      at += run % local_[u];
      run /= local_[u];
    }
    record += at * stride;
    stride *= global_[u];
  }
  return record;
}

int SiteRuns::owner(std::int64_t row) const {
  std::int64_t member = 0, count = 1;
  for (int i = 0; i < shared_; ++i) {
    const auto u = static_cast<std::size_t>(i);
    const std::int64_t at = row % run_[u];
    row /= run_[u];
    member += (i == 0 ? at : at / local_[u]) * count;
    count *= ranks_[u];
  }
  return static_cast<int>(member);
}

std::int64_t SiteRuns::own_rows(std::int64_t rows) const {
  // Digit by digit from the slowest: the rows before `rows` that share its slower digits and have a smaller
  // one here.
  std::int64_t below = run_rows_, own_below = 1;
  for (int i = 0; i < inside_; ++i) own_below *= i == 0 ? 1 : local_[static_cast<std::size_t>(i)];
  if (rows >= run_rows_) return own_below;
  std::int64_t own = 0;
  for (int i = inside_ - 1; i >= 0; --i) {
    const auto u = static_cast<std::size_t>(i);
    below /= run_[u];
    const std::int64_t mine = i == 0 ? 1 : local_[u];
    own_below /= mine;
    const std::int64_t digit = rows / below;
    rows %= below;
    const std::int64_t begin = i >= shared_ ? 0 : i == 0 ? position_[u] : first_[u];
    own += std::clamp<std::int64_t>(digit - begin, 0, mine) * own_below;
    if (digit < begin || digit >= begin + mine) break;
  }
  return own;
}

}  // namespace plaq
