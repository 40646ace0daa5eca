#include "core/launch/tuning.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <iterator>
#include <utility>

#include "core/field/field.hpp"
#include "core/launch/launch_timing.hpp"
#include "core/system/log.hpp"

namespace plaq {
namespace {

double to_microseconds(double seconds) { return std::round(1e9 * seconds) / 1e3; }

std::string describe(const TuneEntry& e) {
  return fmt::format("tuned {} {} {} batch {}: {}, {:.1f} us; untuned {:.1f} us", e.kernel,
                     to_string(e.local), e.storage, e.batch, to_string(e.launch), e.microseconds,
                     e.default_microseconds);
}

}  // namespace

std::optional<TuneMode> tune_mode(std::string_view name) {
  const auto found = std::find(std::begin(tune_mode_names), std::end(tune_mode_names), name);
  if (found == std::end(tune_mode_names)) return std::nullopt;
  return static_cast<TuneMode>(found - std::begin(tune_mode_names));
}

TuneKey tune_key(std::string_view kernel, std::string_view storage, const Geometry& geometry, int batch) {
  return {kernel, storage, geometry.local(), static_cast<std::uint32_t>(geometry.general_shape().partitioned),
          batch};
}

Tuner::Memory memory_of(const Field& field) {
  return {static_cast<std::byte*>(field.data(0, field.holds(0) ? 0 : 1)), field.bytes()};
}

std::size_t Tuner::Hash::operator()(const TuneKey& key) const {
  std::size_t hash = std::hash<std::string_view>()(key.kernel);
  const auto mix = [&](std::size_t value) {
    hash ^= value + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2);
  };
  mix(std::hash<std::string_view>()(key.storage));
  for (const int extent : key.local) mix(static_cast<std::size_t>(extent));
  mix(key.partitioned);
  mix(static_cast<std::size_t>(key.batch));
  return hash;
}

Tuner::Tuner(TuneMode mode, Machine machine) : mode_(mode), machine_(std::move(machine)) {}

const Launch* Tuner::find(const TuneKey& key, std::span<const Launch> candidates, const Queue& queue) const {
  require(!candidates.empty(), "a kernel without a launch");
  if (mode_ == TuneMode::off || queue.location() != machine_.location) return &candidates.front();
  if (const auto at = position_.find(key); at != position_.end()) {
    const auto same = std::find(candidates.begin(), candidates.end(), known_[at->second].entry.launch);
    if (same != candidates.end()) return &*same;
  }
  return mode_ == TuneMode::read_only || queue.capturing() ? &candidates.front() : nullptr;
}

Launch Tuner::time(const TuneKey& key, std::span<const Launch> candidates, const Queue& queue,
                   const std::function<void(const Launch&)>& run, std::span<const Memory> changed) {
  TuneEntry entry;
  entry.kernel = key.kernel;
  entry.storage = key.storage;
  entry.local = key.local;
  entry.partitioned = key.partitioned;
  entry.batch = key.batch;
  entry.device = machine_.device;
  entry.driver = machine_.driver;
  entry.build = machine_.build;
  entry.launch = candidates.front();
  const auto times = time_launches(candidates, run, queue, changed);
  if (!times) {
    log::debug(fmt::format("{} is not tuned: no memory for a copy of what it changes", entry.kernel));
    remember(entry, false);  // not asked again in this run
    return entry.launch;
  }
  entry.launch = candidates[times->best];
  entry.microseconds = to_microseconds(times->best_seconds);
  entry.default_microseconds = to_microseconds(times->first_seconds);
  entry.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  log::debug(describe(entry));
  remember(entry, true);
  return entry.launch;
}

void Tuner::remember(TuneEntry entry, bool is_new) {
  if (const auto at = position_.find(entry.key()); at != position_.end()) {
    Known& known = known_[at->second];  // the same key: its texts stay where the table points to
    known.entry.launch = entry.launch;
    known.entry.microseconds = entry.microseconds;
    known.entry.default_microseconds = entry.default_microseconds;
    known.entry.date = entry.date;
    known.is_new = is_new;
    return;
  }
  known_.push_back({std::move(entry), is_new});
  position_.emplace(known_.back().entry.key(), known_.size() - 1);
}

TunerPause::TunerPause(const Queue& queue) : tuner_(queue.tuner()) {
  if (tuner_ != nullptr && tuner_->mode() != TuneMode::on) tuner_ = nullptr;
  if (tuner_ != nullptr) tuner_->set_mode(TuneMode::read_only);
}

TunerPause::~TunerPause() {
  if (tuner_ != nullptr) tuner_->set_mode(TuneMode::on);
}

void Tuner::add(std::span<const TuneEntry> entries) {
  for (const TuneEntry& entry : entries) {
    const bool ours =
        entry.device == machine_.device && entry.driver == machine_.driver && entry.build == machine_.build;
    if (ours && !position_.contains(entry.key())) remember(entry, false);
  }
}

std::vector<TuneEntry> Tuner::take_new() {
  std::vector<TuneEntry> taken;
  for (Known& known : known_)
    if (std::exchange(known.is_new, false)) taken.push_back(known.entry);
  return taken;
}

}  // namespace plaq
