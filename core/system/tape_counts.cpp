#include "core/system/tape_counts.hpp"

#include <algorithm>

#include "core/system/dry_run.hpp"

namespace plaq {

TapeCounts* TapeCounts::current() { return runs_dry() ? DryRun::current()->counts() : nullptr; }

void TapeCounts::begin_pass(const std::string& section) {
  open_.push_back(section);
  pass_again(section, 1);
}

void TapeCounts::pass_again(const std::string& section, std::int64_t passes) {
  if (!fields_.empty()) fields_.back().sections[section].passes += passes;
}

void TapeCounts::begin_loop(LoopLength repeats) {
  if (fields_.empty() || open_.empty()) return;
  Count& count = fields_.back().sections[open_.back()];
  count.repeats = repeats;
  ++count.loops;
}

void TapeCounts::other(const TapeStep& step, int ranks) {
  if (fields_.empty() || excluded_ > 0) return;
  Tape::Section& others = fields_.back().others;
  others.ranks = ranks;
  const auto same = std::find_if(others.rows.begin(), others.rows.end(),
                                 [&](const Tape::Row& row) { return row.step == step; });
  if (same != others.rows.end()) {
    ++same->count;
  } else {
    others.rows.push_back({step, 1});
  }
}

}  // namespace plaq
