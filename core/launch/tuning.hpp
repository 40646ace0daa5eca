// The tuner: how a hot kernel is launched is decided at its first use, by timing, and remembered. It chooses
// among launches that give the same bits (core/launch/launch_shape.hpp), so that it may choose differently on
// every rank and in every run.
//
//   static const auto candidates = launch_candidates(location, largest_block, widths);
//   const auto run = [&](const Launch& launch) { ... for_each(domain, queue, f, launch); };
//   run(tuned(queue, {"wilson_hop", "single", geometry.local(), partitioned, batch}, candidates, run,
//   changed));
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "core/launch/launch_shape.hpp"
#include "core/launch/queue.hpp"
#include "core/system/machine.hpp"

namespace plaq {

class Field;

enum class TuneMode {
  off,        // the first candidate of every kernel
  on,         // what is not known is timed
  read_only,  // what is not known is launched as its first candidate
};
inline constexpr std::string_view tune_mode_names[] = {"off", "on", "read-only"};
std::optional<TuneMode> tune_mode(std::string_view name);

// Properties that decide the speed of a launch, without the machine. Cheap to make: texts are not copied.
struct TuneKey {
  std::string_view kernel;        // "wilson_hop", and what else tells its forms apart: "wilson_hop boundary"
  std::string_view storage;       // "single", "double"
  Extents local{1, 1, 1, 1};      // sites of this rank
  std::uint32_t partitioned = 0;  // bit mu: neighbours in direction mu may be another rank's
  int batch = 1;

  bool operator==(const TuneKey&) const = default;
};
TuneKey tune_key(std::string_view kernel, std::string_view storage, const Geometry& geometry, int batch);
// Not of texts that are gone behind the call.
template <class Kernel, class Storage>
requires(std::same_as<Kernel, std::string> || std::same_as<Storage, std::string>) TuneKey
    tune_key(Kernel&&, Storage&&, const Geometry&, int)
= delete;

// Best launch that was found, with its place and time.
struct TuneEntry {
  std::string kernel, storage;
  Extents local{1, 1, 1, 1};
  std::uint32_t partitioned = 0;
  int batch = 1;
  std::string device, driver, build;  // as in Machine
  Launch launch;
  double microseconds = 0;
  double default_microseconds = 0;  // of the untuned default; 0 where that cannot run
  std::string date;                 // UTC, "2026-01-31T23:59:59Z"

  TuneKey key() const { return {kernel, storage, local, partitioned, batch}; }
  bool operator==(const TuneEntry&) const = default;
};

// Tuner of one location on this rank; a queue elsewhere gets first candidates. It knows no files
// (io/tuning/tuning_file.hpp) and does not communicate. One thread uses it.
class Tuner {
 public:
  using Memory = std::span<std::byte>;

  Tuner(TuneMode mode, Machine machine);

  TuneMode mode() const { return mode_; }
  void set_mode(TuneMode mode) { mode_ = mode; }
  const Machine& machine() const { return machine_; }

  // One of the candidates, the first being the default: the known one, else, in mode `on`, the one for which
  // run(launch), which must not communicate, took the least time. `changed`: memory at the queue's location
  // that run both reads and writes; it is left as it was. While the queue is captured nothing is timed.
  template <class Run>
  Launch choose(const TuneKey& key, std::span<const Launch> candidates, const Queue& queue, Run&& run,
                std::span<const Memory> changed = {}) {
    if (const Launch* launch = find(key, candidates, queue)) return *launch;
    return time(key, candidates, queue, std::ref(run), changed);
  }

  // Takes entries of this machine that it has none for; one whose launch is no candidate is never used.
  void add(std::span<const TuneEntry> entries);
  // Takes the entries that were timed here and not taken yet.
  std::vector<TuneEntry> take_new();

 private:
  struct Known {
    TuneEntry entry;
    bool is_new = false;
  };
  struct Hash {
    std::size_t operator()(const TuneKey& key) const;
  };
  // Null: it is to be timed.
  const Launch* find(const TuneKey& key, std::span<const Launch> candidates, const Queue& queue) const;
  Launch time(const TuneKey& key, std::span<const Launch> candidates, const Queue& queue,
              const std::function<void(const Launch&)>& run, std::span<const Memory> changed);
  void remember(TuneEntry entry, bool is_new);

  TuneMode mode_;
  Machine machine_;
  std::deque<Known> known_;                                  // stays where it is: keys point into it
  std::unordered_map<TuneKey, std::size_t, Hash> position_;  // in known_
};

// The launch of a kernel on a queue: its tuner's choice, or the first candidate.
template <class Run>
Launch tuned(const Queue& queue, const TuneKey& key, std::span<const Launch> candidates, Run&& run,
             std::span<const Tuner::Memory> changed = {}) {
  require(!candidates.empty(), "a kernel without a launch");
  if (queue.tuner() == nullptr || candidates.size() == 1) return candidates.front();
  return queue.tuner()->choose(key, candidates, queue, run, changed);
}

// Nothing is timed on the queue while this lives: what is done too seldom to be worth it is launched as it is
// known, or as first candidates.
class TunerPause {
 public:
  explicit TunerPause(const Queue& queue);
  ~TunerPause();
  TunerPause(const TunerPause&) = delete;

 private:
  Tuner* tuner_;  // null: it would time nothing
};

// All of a field's memory, for `changed`.
Tuner::Memory memory_of(const Field& field);

}  // namespace plaq
