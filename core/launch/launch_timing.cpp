#include "core/launch/launch_timing.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/memory.hpp"

namespace plaq {
namespace {

constexpr int passes = 2;
constexpr double near = 1.25, hopeless = 3.0;  // times the best
constexpr double sure = 2e-4;                  // a run of so many seconds is known within a quarter
constexpr double worth = 0.98;                 // of the first candidate's time, to leave it
constexpr double burst_seconds = 1e-3;
constexpr double enough = 0.05;  // a run of so many seconds needs no bursts
constexpr int most_runs = 50, bursts = 3;
constexpr double never = std::numeric_limits<double>::infinity();

class KeptMemory {
 public:
  KeptMemory(const Queue& queue, std::span<const std::span<std::byte>> memory)
      : queue_(queue), memory_(memory) {
    for (const auto& piece : memory_) {
      copies_.emplace_back(queue_.location(), piece.size());
      queue_.copy_async(copies_.back().data(), piece.data(), piece.size());
    }
  }
  void put_back() const {
    for (std::size_t i = 0; i < copies_.size(); ++i)
      queue_.copy_async(memory_[i].data(), copies_[i].data(), memory_[i].size());
    queue_.synchronize();
  }

 private:
  const Queue& queue_;
  std::span<const std::span<std::byte>> memory_;
  std::vector<Buffer> copies_;
};

class Candidate {
 public:
  Candidate(const Launch& launch, Location location) : launch_(launch), begin_(location), end_(location) {}

  double seconds() const { return seconds_; }
  const std::optional<Error>& failure() const { return failure_; }

  void measure(const std::function<void(const Launch&)>& run, const Queue& queue, double least) {
    try {
      run(launch_);  // code is loaded, memory touched
      queue.synchronize();
      const double once = burst(run, queue, 1);
      seconds_ = std::min(seconds_, once);
      if (once > (once > sure ? near : hopeless) * least || once > enough) return;
      const int runs = std::clamp(static_cast<int>(burst_seconds / std::max(once, 1e-9)), 1, most_runs);
      for (int i = 0; i < bursts; ++i) seconds_ = std::min(seconds_, burst(run, queue, runs));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::device) throw;
      queue.synchronize();  // throws where more is broken than this launch
      seconds_ = never;
      failure_ = error;
    }
  }

 private:
  double burst(const std::function<void(const Launch&)>& run, const Queue& queue, int runs) {
    begin_.record(queue);
    for (int i = 0; i < runs; ++i) run(launch_);
    end_.record(queue);
    end_.synchronize();
    return std::max(1e-3 * begin_.milliseconds_to(end_) / runs, 1e-9);
  }

  Launch launch_;
  Event begin_, end_;
  double seconds_ = never;
  std::optional<Error> failure_;
};

void measure_all(std::vector<Candidate>& all, const std::function<void(const Launch&)>& run,
                 const Queue& queue, const KeptMemory& kept) {
  double least = never;
  for (int pass = 0; pass < passes; ++pass)
    for (Candidate& one : all) {
      if (one.failure() || (pass > 0 && one.seconds() > near * least)) continue;
      kept.put_back();
      one.measure(run, queue, least);
      least = std::min(least, one.seconds());
    }
}

}  // namespace

std::optional<LaunchTimes> time_launches(std::span<const Launch> candidates,
                                         const std::function<void(const Launch&)>& run, const Queue& queue,
                                         std::span<const std::span<std::byte>> changed) {
  require(!candidates.empty(), "a kernel without a launch");
  std::optional<KeptMemory> kept;
  try {
    kept.emplace(queue, changed);
  } catch (const Error&) {
    return std::nullopt;
  }
  if (runs_dry()) {
    for (const Launch& launch : candidates) run(launch);
    return LaunchTimes{};
  }
  std::vector<Candidate> all;
  for (const Launch& launch : candidates) all.emplace_back(launch, queue.location());
  try {
    measure_all(all, run, queue, *kept);
  } catch (...) {
    kept->put_back();
    throw;
  }
  kept->put_back();

  LaunchTimes times;
  for (std::size_t i = 1; i < all.size(); ++i)
    if (all[i].seconds() < all[times.best].seconds()) times.best = i;
  if (all[times.best].failure()) throw *all[0].failure();
  if (all[times.best].seconds() > worth * all[0].seconds()) times.best = 0;
  times.best_seconds = all[times.best].seconds();
  times.first_seconds = all[0].failure() ? 0 : all[0].seconds();
  return times;
}

}  // namespace plaq
