#include "core/system/trace_counts.hpp"

#include <algorithm>

#include "core/system/dry_run.hpp"

namespace plaq {

TraceCounts* TraceCounts::current() { return runs_dry() ? DryRun::current()->counts() : nullptr; }

void TraceCounts::begin_pass(const std::string& section) {
  open_.push_back(section);
  if (!fields_.empty()) ++fields_.back().sections[section].passes;
}

void TraceCounts::repeat(const Sections& before, const Sections& after) {
  if (fields_.empty()) return;
  for (const auto& [name, count] : after) {
    const auto at = before.find(name);
    const Count old = at == before.end() ? Count() : at->second;
    Count& mine = fields_.back().sections[name];
    mine.repeats = count.repeats;
    mine.passes += count.passes - old.passes;
    mine.loops += count.loops - old.loops;
  }
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
