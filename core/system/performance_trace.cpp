#include "core/system/performance_trace.hpp"

#include <algorithm>
#include <utility>

#include "core/operator/kernel_work.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/trace_counts.hpp"

namespace plaq {

bool TraceFaces::any() const {
  return std::any_of(bytes.begin(), bytes.end(), [](double b) { return b > 0; });
}

TraceStep step_of(const KernelWork& k) {
  return {std::string(k.name), k.efficiency_class, k.precision, k.reconstruction, k.vectors, k.temporal_gauge,
          k.work.flops,        k.work.bytes,       {}};
}

void PerformanceTrace::add(const TraceStep& step) {
  if (open_.empty()) {
    if (TraceCounts* counts = TraceCounts::current()) counts->other(step, ranks_);
    return;
  }
  auto& rows = sections_[open_.back()].rows;
  const auto same = std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.step == step; });
  if (same != rows.end()) {
    ++same->count;
  } else {
    rows.push_back({step, 1});
  }
}

const PerformanceTrace::Section* PerformanceTrace::find(std::string_view name) const {
  const auto at =
      std::find_if(sections_.begin(), sections_.end(), [&](const Section& s) { return s.name == name; });
  return at == sections_.end() ? nullptr : &*at;
}

void PerformanceTrace::end_pass() {
  if (loops_.back() == LoopsInside::part) --closed_to_loops_;
  loops_.pop_back();
  open_.pop_back();
}

const std::string& PerformanceTrace::begin_pass(std::string_view own_name, LoopsInside loops) {
  loops_.push_back(loops);
  if (loops == LoopsInside::part) ++closed_to_loops_;
  std::string name;
  for (const std::string& label : labels_) name += label + ": ";
  name += own_name;
  const auto at =
      std::find_if(sections_.begin(), sections_.end(), [&](const Section& s) { return s.name == name; });
  open_.push_back(static_cast<std::size_t>(at - sections_.begin()));
  if (at == sections_.end()) sections_.push_back({std::move(name), ranks_, 0, {}});
  Section& section = sections_[open_.back()];
  ++section.passes;
  return section.name;
}

}  // namespace plaq
