#include "core/system/performance_region.hpp"

#include <fmt/format.h>

#include "core/system/dry_run.hpp"
#include "core/system/trace_counts.hpp"

namespace plaq {

RegionLabel::RegionLabel(std::string_view label) : there_(runs_dry()) {
  if (there_) DryRun::current()->trace().begin_label(label);
}
RegionLabel::~RegionLabel() {
  if (there_ && runs_dry()) DryRun::current()->trace().end_label();
}

void PerformanceRegion::begin(std::string_view name, LoopsInside loops) {
  if (!runs_dry()) return;
  there_ = true;
  const std::string& full = DryRun::current()->trace().begin_pass(name, loops);
  if (TraceCounts* counts = TraceCounts::current()) counts->begin_pass(full);
}
void PerformanceRegion::end() {
  if (!there_ || !runs_dry()) return;
  DryRun::current()->trace().end_pass();
  if (TraceCounts* counts = TraceCounts::current()) counts->end_pass();
}

void ExcludedRegion::begin() {
  if (TraceCounts* counts = TraceCounts::current()) {
    there_ = true;
    counts->begin_excluded();
  }
}
void ExcludedRegion::end() {
  if (!there_) return;
  if (TraceCounts* counts = TraceCounts::current()) counts->end_excluded();
}

void count_loop(LoopLength length) {
  if (TraceCounts* counts = TraceCounts::current()) counts->begin_loop(length);
}

LoopRegion::LoopRegion(std::string_view name, int right_hand_sides, bool typical, LoopLength length,
                       bool& counted)
    : excluded_(runs_dry() && !(typical && DryRun::current()->trace().takes_loops())) {
  if (!runs_dry() || excluded_.there_ || !typical || !DryRun::current()->trace().takes_loops()) return;
  region_.begin(
      fmt::format("{}, {} right-hand side{}", name, right_hand_sides, right_hand_sides == 1 ? "" : "s"),
      LoopsInside::part);
  if (!counted) count_loop(length);
  counted = true;
}

}  // namespace plaq
