// The order of work of an operator with a halo: pack, interior, move, boundary. The schedule owns the
// launches, so that the steps may be merged or reordered without touching an operator.
#pragma once

#include <memory>
#include <string>

#include "comms/halo/halo.hpp"
#include "core/launch/queue.hpp"
#include "core/system/timer.hpp"

namespace plaq {

// Milliseconds after `begin` at which the steps of one application started or ended.
struct Timeline {
  double packed = 0, staged = 0, arrived = 0;                                           // moving
  double interior_begun = 0, interior_done = 0, boundary_begun = 0, boundary_done = 0;  // computing
};

class Schedule {
 public:
  // `name`: of the operator, for profiles; must live as long as the process.
  Schedule(const Queue& queue, const char* name) : queue_(queue), name_(name) {}
  const Queue& queue() const { return queue_; }

  // pack(queue) fills the send buffers; compute(region, queue) handles the sites of a region.
  template <class Pack, class Compute>
  void apply(Halo& halo, Pack&& pack, Compute&& compute) {
    const ScopedRange range(name_);
    begin_profile(halo);
    if (!halo.exchanges() || halo.closed()) {
      mark(&OperatorEvents::interior_begun);
      if (halo.exchanges()) {
        compute(Region::interior, queue_);
        compute(Region::boundary, queue_);
      } else {
        compute(Region::all, queue_);
      }
      mark(&OperatorEvents::interior_done);
      end_profile(halo);
      return;
    }
    auto request = named("pack", [&] { return halo.begin(queue_, pack); });
    if (!overlap_) named("exchange", [&] { halo.finish(std::move(request), queue_); });
    mark(&OperatorEvents::interior_begun);
    named("interior", [&] { compute(Region::interior, queue_); });
    mark(&OperatorEvents::interior_done);
    if (overlap_) named("exchange", [&] { halo.finish(std::move(request), queue_); });
    mark(&OperatorEvents::boundary_begun);
    named("boundary", [&] { compute(Region::boundary, queue_); });
    mark(&OperatorEvents::boundary_done);
    end_profile(halo);
  }

  // Applies by a fused launch where possible: `fused(flags, queue)` may queue all steps as one launch if the
  // transport lets it and nobody wants to know when each step ended.
  template <class Pack, class Compute, class Fused>
  void apply(Halo& halo, Pack&& pack, Compute&& compute, Fused&& fused) {
    if (halo.flags() == nullptr || watched_ || !overlap_ || profiler_of(queue_) != nullptr)
      return apply(halo, pack, compute);
    const ScopedRange range(name_);
    halo.fused([&](const PeerFlags& flags) { fused(flags, queue_); });
  }

  // Record the steps of the following applications of `halo`; timeline() waits for the last one.
  void watch(Halo& halo);
  Timeline timeline() const;
  // Without it the interior waits for the faces as well: to see what overlap is worth.
  void set_overlap(bool wanted) { overlap_ = wanted; }

 private:
  // A range of that name for profilers.
  template <class Step>
  static decltype(auto) named(const char* name, Step&& step) {
    const ScopedRange range(name);
    return step();
  }
  void mark(Event OperatorEvents::*step) {
    if (events_) ((*events_).*step).record(queue_);
  }
  // Events of the queue's profiler for one application, unless watch() has its own.
  void begin_profile(Halo& halo);
  void end_profile(Halo& halo);

  Queue queue_;
  const char* name_;
  std::shared_ptr<OperatorEvents> events_;
  bool watched_ = false, overlap_ = true;
};

}  // namespace plaq
