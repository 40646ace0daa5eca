// The order of work of an operator with a halo: pack, interior, move, boundary. The schedule owns the
// launches, so that the steps may be merged or reordered without touching an operator.
#pragma once

#include <memory>
#include <string>

#include "comms/halo.hpp"
#include "core/queue.hpp"
#include "core/timer.hpp"

namespace plaq {

// Milliseconds after `begin` at which the steps of one application started or ended.
struct Timeline {
  double packed = 0, staged = 0, arrived = 0;                                           // moving
  double interior_begun = 0, interior_done = 0, boundary_begun = 0, boundary_done = 0;  // computing
};

class Schedule {
 public:
  explicit Schedule(const Queue& queue) : queue_(queue) {}
  const Queue& queue() const { return queue_; }

  // pack(queue) fills the send buffers; compute(region, queue) handles the sites of a region.
  template <class Pack, class Compute>
  void apply(Halo& halo, Pack&& pack, Compute&& compute) {
    if (!halo.exchanges()) {
      compute(Region::all, queue_);
      return;
    }
    auto request = named("pack", [&] { return halo.begin(queue_, pack); });
    mark(0);
    named("interior", [&] { compute(Region::interior, queue_); });
    mark(1);
    named("exchange", [&] { halo.finish(std::move(request), queue_); });
    mark(2);
    named("boundary", [&] { compute(Region::boundary, queue_); });
    mark(3);
  }

  // The same where `joint(flags, queue)` may queue all steps as one launch: where the transport lets it, and
  // nobody wants to know when each step ended.
  template <class Pack, class Compute, class Joint>
  void apply(Halo& halo, Pack&& pack, Compute&& compute, Joint&& joint) {
    if (halo.flags() == nullptr || watch_) return apply(halo, pack, compute);
    named("pack, interior, exchange and boundary",
          [&] { halo.jointly([&](const PeerFlags& flags) { joint(flags, queue_); }); });
  }

  // Record the steps of the following applications of `halo`; timeline() waits for the last one.
  void watch(Halo& halo);
  Timeline timeline() const;

 private:
  // A range of that name for profilers.
  template <class Step>
  static decltype(auto) named(const char* name, Step&& step) {
    const ScopedRange range(name);
    return step();
  }
  void mark(int step) {
    if (watch_) watch_->steps[step].record(queue_);
  }
  struct Watch {
    explicit Watch(Location l)
        : halo(std::make_shared<HaloEvents>(l)), steps{Event(l), Event(l), Event(l), Event(l)} {}
    std::shared_ptr<HaloEvents> halo;
    Event steps[4];
  };
  Queue queue_;
  std::shared_ptr<Watch> watch_;
};

}  // namespace plaq
