#include "comms/schedule.hpp"

#include "core/error.hpp"

namespace plaq {

void Schedule::watch(Halo& halo) {
  watch_ = std::make_shared<Watch>(queue_.location());
  halo.watch(watch_->halo);
}

Timeline Schedule::timeline() const {
  require(watch_ != nullptr, "no timeline was recorded");
  const auto& h = *watch_->halo;
  queue_.synchronize();
  h.arrived.synchronize();
  auto after = [&](const Event& e) { return h.begun.milliseconds_to(e); };
  Timeline t;
  t.packed = after(h.packed);
  t.staged = after(h.staged);
  t.arrived = after(h.arrived);
  t.interior_begun = after(watch_->steps[0]);
  t.interior_done = after(watch_->steps[1]);
  t.boundary_begun = after(watch_->steps[2]);
  t.boundary_done = after(watch_->steps[3]);
  return t;
}

}  // namespace plaq
