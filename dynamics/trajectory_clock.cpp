#include "dynamics/trajectory_clock.hpp"

#include <algorithm>
#include <utility>

#include "core/system/runs_dry.hpp"

namespace plaq {
namespace {

TrajectoryClock* current_clock = nullptr;

double& part_of(TrajectorySeconds& seconds, TrajectoryPart part, std::size_t term) {
  switch (part) {
    case TrajectoryPart::force:
      return seconds.forces.at(term);
    case TrajectoryPart::solves:
      return seconds.solves.at(term);
    case TrajectoryPart::links:
      return seconds.links;
    case TrajectoryPart::metropolis:
      return seconds.metropolis;
    case TrajectoryPart::setups:
      return seconds.setups;
    case TrajectoryPart::reversibility:
      return seconds.reversibility;
    case TrajectoryPart::checkpoint:
      return seconds.checkpoint;
    default:
      return seconds.other;
  }
}

}  // namespace

const char* name_of(TrajectoryPart part) {
  constexpr const char* names[] = {"other",      "force",  "solves",        "links",
                                   "metropolis", "setups", "reversibility", "checkpoint"};
  return names[static_cast<std::size_t>(part)];
}

TrajectoryClock::TrajectoryClock(const Queue& queue, std::size_t terms)
    : queue_(queue), terms_(terms), outer_(std::exchange(current_clock, runs_dry() ? nullptr : this)) {
  seconds_.forces.resize(terms);
  seconds_.solves.resize(terms);
  if (current_clock == this) mark();
}

TrajectoryClock::~TrajectoryClock() { current_clock = outer_; }

// A force of no term is none.
TrajectoryClock::Place TrajectoryClock::place() const {
  Place found{TrajectoryPart::other, 0};
  bool has_force = false;
  for (const Place& open : open_) {
    if (open.part == TrajectoryPart::force) found.term = open.term, has_force = true;
    found.part = std::max(found.part, open.part);
  }
  const bool of_term = found.part == TrajectoryPart::force || found.part == TrajectoryPart::solves;
  if (of_term && !has_force) found.part = TrajectoryPart::other;
  if (!of_term) found.term = 0;
  return found;
}

// An event, unless time goes on in the same place.
void TrajectoryClock::mark() {
  const Place now = place();
  if (!marks_.empty() && marks_.back().place == now) return;
  if (unused_.empty()) unused_.emplace_back(queue_.location());
  marks_.push_back({std::move(unused_.back()), now});
  unused_.pop_back();
  marks_.back().event.record(queue_);
  count_past();
}

void TrajectoryClock::count_past() {
  while (marks_.size() > 1 && marks_[1].event.done()) {
    const Place& place = marks_[0].place;
    part_of(seconds_, place.part, place.term) += 1e-3 * marks_[0].event.milliseconds_to(marks_[1].event);
    unused_.push_back(std::move(marks_[0].event));
    marks_.pop_front();
  }
}

TrajectorySeconds TrajectoryClock::take() {
  TrajectorySeconds none;
  none.forces.resize(terms_);
  none.solves.resize(terms_);
  if (marks_.empty()) return none;
  Mark again{Event(queue_.location()), marks_.back().place};
  again.event.record(queue_);
  again.event.synchronize();
  marks_.push_back(std::move(again));
  count_past();
  return std::exchange(seconds_, none);
}

TimedPart::TimedPart(TrajectoryPart part, std::size_t term) : range_(name_of(part)), clock_(current_clock) {
  if (clock_ == nullptr) return;
  clock_->open_.push_back({part, term});
  clock_->mark();
}

TimedPart::~TimedPart() {
  if (clock_ == nullptr) return;
  clock_->open_.pop_back();
  clock_->mark();
}

}  // namespace plaq
