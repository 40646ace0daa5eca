// Seconds that a trajectory takes, by its parts. They are found from events on its queue, so that nothing
// waits for them: on a GPU they are the time in which it works on a part, or waits for the host there.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "core/launch/queue.hpp"
#include "core/system/timer.hpp"
#include "dynamics/trajectory_seconds.hpp"

namespace plaq {

/// Parts of a trajectory. Time in several of them at once belongs to the last one in this list.
enum class TrajectoryPart {
  other,          ///< none of the others
  force,          ///< a force of a term
  solves,         ///< linear systems for a force
  links,          ///< drifts and kicks, smearing, and operators of quarks on new links
  metropolis,     ///< pseudofermions, H at both ends, and the test
  setups,         ///< setups of multigrid
  reversibility,  ///< the way back
  checkpoint,     ///< states that are kept within the trajectory
};
/// "force", "solves", ...
const char* name_of(TrajectoryPart part);

/// Counts the parts of what is queued while it lives (TimedPart).
class TrajectoryClock {
 public:
  /// Counts for nobody in a dry run.
  /// @param queue  of the trajectory
  /// @param terms  of its action
  TrajectoryClock(const Queue& queue, std::size_t terms);
  ~TrajectoryClock();
  TrajectoryClock(const TrajectoryClock&) = delete;
  TrajectoryClock& operator=(const TrajectoryClock&) = delete;

  /// Waits for the queue. Returns the seconds since the last call.
  TrajectorySeconds take();

 private:
  friend class TimedPart;
  struct Place {
    TrajectoryPart part;
    std::size_t term;
    bool operator==(const Place&) const = default;
  };
  struct Mark {
    Event event;
    Place place;  // from there on
  };
  Place place() const;
  void mark();
  void count_past();

  Queue queue_;
  std::size_t terms_;
  TrajectoryClock* outer_;
  std::vector<Place> open_;  // the innermost last
  std::deque<Mark> marks_;   // that are not counted yet; the last one goes on
  std::vector<Event> unused_;
  TrajectorySeconds seconds_;
};

/// A range for profilers (ScopedRange) that the present clock counts, if there is one.
class TimedPart {
 public:
  /// @param part  from here to the end of the scope
  /// @param term  number of the term that has the force
  explicit TimedPart(TrajectoryPart part, std::size_t term = 0);
  ~TimedPart();
  TimedPart(const TimedPart&) = delete;
  TimedPart& operator=(const TimedPart&) = delete;

 private:
  ScopedRange range_;
  TrajectoryClock* clock_;
};

}  // namespace plaq
