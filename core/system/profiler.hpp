// Profile of operators: their time, found from events on their queues without waiting for them.
//
// A queue carries the profiler (core/launch/queue.hpp); comms/halo/schedule.hpp and whatever else exchanges
// faces ask it for events, record them, and hand them back. They are read when they have happened.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/launch/queue.hpp"
#include "core/system/timer.hpp"

namespace plaq {

// Events at the ends of the stages of a halo exchange.
struct HaloEvents {
  explicit HaloEvents(Location l) : begun(l), packed(l), staged(l), arrived(l) {}
  Event begun, packed, staged, arrived;
};

// Seconds. On a device faces are packed and moved while the interior is computed, so that steps are longer
// together than the whole.
struct StepTimes {
  enum Step { total, pack, interior, exposed, boundary, moving, count };
  // exposed: from the end of the interior to the last face, nothing being computed; moving: from the first
  // packing to the last face, hidden or not.
  static constexpr std::string_view names[count] = {"total",   "pack",     "interior",
                                                    "exposed", "boundary", "moving"};
  std::array<double, count> seconds{};
};

// The steps of one application of an operator; of one without faces, `interior` alone.
struct OperatorEvents {
  explicit OperatorEvents(Location l)
      : halo(l), interior_begun(l), interior_done(l), boundary_begun(l), boundary_done(l) {}
  bool done() const { return exchanged ? boundary_done.done() : interior_done.done(); }
  StepTimes times() const;

  HaloEvents halo;
  Event interior_begun, interior_done, boundary_begun, boundary_done;
  bool exchanged = true;
};

// The median of many values: of all of them up to 4096, of evenly spaced ones beyond.
class RunningMedian {
 public:
  void add(double value);
  double median() const;  // 0 of none

 private:
  std::vector<double> kept_;
  std::int64_t seen_ = 0, spacing_ = 1;
};

struct Traffic {
  std::string transport;
  double bytes = 0;  // sent by this rank
};

// Level in a hierarchy of lattices on which work is done, and the occasion: "setup", "solve".
struct LevelName {
  std::string occasion;
  int level = 0;  // 0: the finest
  std::string lattice;
  auto operator<=>(const LevelName&) const = default;
};
// A part of what is done there: "smoothing".
struct LevelPart {
  LevelName of;
  std::string part;
  auto operator<=>(const LevelPart&) const = default;
};

class Profiler {
 public:
  struct Operator {
    std::int64_t applications = 0;
    StepTimes sum;
    std::array<RunningMedian, StepTimes::count> each;
    std::map<std::string, double> bytes;  // by transport, of all applications
  };
  struct Solves {
    std::int64_t count = 0;
    double seconds = 0, operators = 0;  // in all, and those of operators among them
  };

  // Profiles work at `location`, and no other.
  explicit Profiler(Location location) : location_(location) {}
  Location location() const { return location_; }

  // Events for one application.
  std::shared_ptr<OperatorEvents> take();
  // They are recorded, if not past.
  void keep(std::string_view name, std::shared_ptr<OperatorEvents> events, const std::vector<Traffic>& sent);
  // Keeps a part that knows no faces: `interior` alone is recorded. It may have operators and other parts
  // inside.
  void keep(const LevelPart& part, std::shared_ptr<OperatorEvents> events);
  void add_solve(double seconds, double operators);

  // By name; what is past. Complete when all queues have been waited for.
  const std::map<std::string, Operator, std::less<>>& operators();
  double operator_seconds();
  const std::map<LevelPart, Operator>& parts();
  const Solves& solves() const { return solves_; }

 private:
  struct Pending {
    Operator* of;
    std::shared_ptr<OperatorEvents> events;
  };
  void harvest();

  Location location_;
  std::map<std::string, Operator, std::less<>> operators_;
  std::map<LevelPart, Operator> parts_;
  std::deque<Pending> pending_;
  std::vector<std::shared_ptr<OperatorEvents>> unused_;
  Solves solves_;
};

// The profiler of a queue, where it has one that can look at it now.
inline Profiler* profiler_of(const Queue& queue) {
  Profiler* profiler = queue.profiler();
  if (profiler == nullptr || profiler->location() != queue.location() || queue.capturing()) return nullptr;
  return profiler;
}

// Tells a queue's profiler, where there is one, and those of NVIDIA, how long a part takes from here to the
// end of the scope. `part` must live as long as the process.
class ProfiledPart {
 public:
  ProfiledPart(const Queue& queue, const LevelName& of, const char* part);
  ~ProfiledPart();
  ProfiledPart(const ProfiledPart&) = delete;
  ProfiledPart& operator=(const ProfiledPart&) = delete;

 private:
  ScopedRange range_;
  const Queue& queue_;
  const LevelName& of_;
  const char* part_;
  std::shared_ptr<OperatorEvents> events_;  // null: nobody asks
};

}  // namespace plaq
