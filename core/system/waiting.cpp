#include "core/system/waiting.hpp"

#include <mutex>

#include "core/system/timer.hpp"

namespace plaq {

struct CurrentWait {
  std::mutex mutex;
  WaitReason* innermost = nullptr;

  static CurrentWait& get() {
    static CurrentWait current;
    return current;
  }
  static double& since(WaitReason& reason) { return reason.since_; }
};

void WaitReason::enter() {
  CurrentWait& current = CurrentWait::get();
  const std::lock_guard lock(current.mutex);
  outer_ = std::exchange(current.innermost, this);
  since_ = seconds_now();
}

void WaitReason::leave() {
  CurrentWait& current = CurrentWait::get();
  const std::lock_guard lock(current.mutex);
  current.innermost = outer_;
  if (outer_ != nullptr) outer_->since_ = seconds_now();
}

void WaitReason::progress() {
  const std::lock_guard lock(CurrentWait::get().mutex);
  since_ = seconds_now();
}

std::optional<LongWait> wait_of_at_least(double seconds) {
  CurrentWait& current = CurrentWait::get();
  const std::lock_guard lock(current.mutex);
  if (current.innermost == nullptr) return std::nullopt;
  const double waited = seconds_now() - CurrentWait::since(*current.innermost);
  if (waited < seconds) return std::nullopt;
  return LongWait{waited, current.innermost->text(), ranges_now()};
}

}  // namespace plaq
