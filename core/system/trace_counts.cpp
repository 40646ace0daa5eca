#include "core/system/trace_counts.hpp"

#include <algorithm>

#include "core/system/dry_run.hpp"

namespace plaq {

TraceCounts* TraceCounts::current() { return runs_dry() ? DryRun::current()->counts() : nullptr; }

void TraceCounts::begin_pass(const std::string& section) {
  open_.push_back(section);
  add_passes(section, 1);
}

void TraceCounts::add_passes(const std::string& section, std::int64_t passes) {
  if (!fields_.empty()) fields_.back().sections[section].passes += passes;
}

void TraceCounts::begin_loop(LoopLength repeats) {
  if (fields_.empty() || open_.empty()) return;
  Count& count = fields_.back().sections[open_.back()];
  count.repeats = repeats;
  ++count.loops;
}

void TraceCounts::other(const TraceStep& step, int ranks) {
  if (fields_.empty() || excluded_ > 0) return;
  PerformanceTrace::Section& others = fields_.back().others;
  others.ranks = ranks;
  const auto same = std::find_if(others.rows.begin(), others.rows.end(),
                                 [&](const PerformanceTrace::Row& row) { return row.step == step; });
  if (same != others.rows.end()) {
    ++same->count;
  } else {
    others.rows.push_back({step, 1});
  }
}

}  // namespace plaq
