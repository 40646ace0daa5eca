#include "comms/halo/schedule.hpp"

#include <utility>

#include "core/system/error.hpp"

namespace plaq {

void Schedule::watch(Halo& halo) {
  watched_ = true;
  events_ = std::make_shared<OperatorEvents>(queue_.location());
  halo.watch({events_, &events_->halo});
}

Timeline Schedule::timeline() const {
  require(watched_, "no timeline was recorded");
  const auto& h = events_->halo;
  queue_.synchronize();
  h.arrived.synchronize();
  auto after = [&](const Event& e) { return h.begun.milliseconds_to(e); };
  Timeline t;
  t.packed = after(h.packed);
  t.staged = after(h.staged);
  t.arrived = after(h.arrived);
  t.interior_begun = after(events_->interior_begun);
  t.interior_done = after(events_->interior_done);
  t.boundary_begun = after(events_->boundary_begun);
  t.boundary_done = after(events_->boundary_done);
  return t;
}

void Schedule::begin_profile(Halo& halo) {
  Profiler* profiler = watched_ ? nullptr : profiler_of(queue_);
  if (profiler == nullptr) return;
  events_ = profiler->take();
  events_->exchanged = halo.exchanges() && !halo.closed();
  halo.watch({events_, &events_->halo});
}

void Schedule::end_profile(Halo& halo) {
  if (watched_ || !events_) return;
  halo.watch(nullptr);
  const bool sent = events_->exchanged;
  queue_.profiler()->keep(name_, std::exchange(events_, nullptr),
                          sent ? halo.traffic() : std::vector<Traffic>());
}

}  // namespace plaq
