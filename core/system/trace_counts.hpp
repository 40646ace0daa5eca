// Counts of the passes of a real run over the trace of a dry run (core/system/performance_trace.hpp), gauge
// field by gauge field, so that a model can estimate the cost of a field. While the current DryRun counts
// (DryRun::count)
//   - sections are counted, and what is part of none is written down, for the field in hand;
//   - code that repeats something as often as data want says so, as does code that
//     repeats what a dry run leaves out;
//   - a dry run looks at two fields of an ensemble, as if nothing were done yet: the
//     others are like the second one.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/system/performance_region.hpp"
#include "core/system/performance_trace.hpp"

namespace plaq {

class TraceCounts {
 public:
  struct Count {
    LoopLength repeats = LoopLength::as_counted;
    std::int64_t passes = 0, loops = 0;
  };
  // Work for one gauge field. `others`: the work outside of all sections, as one pass.
  struct Part {
    std::map<std::string, Count> sections;  // by name
    PerformanceTrace::Section others{"beside that", 1, 1, {}};
  };
  static constexpr std::size_t fields_looked_at = 2;

  TraceCounts() = default;
  TraceCounts(const TraceCounts&) = delete;
  TraceCounts& operator=(const TraceCounts&) = delete;

  // Counts of the current DryRun. Null: nothing is counted.
  static TraceCounts* current();

  // From here on another field is in hand.
  void begin_field() { fields_.emplace_back(); }
  void expect_fields(std::int64_t count) { expected_ = count; }  // of the whole job
  void begin_pass(const std::string& section);
  void end_pass() { open_.pop_back(); }
  // Sections of the field in hand; none before the first one.
  using Sections = std::map<std::string, Count>;
  Sections sections() const { return fields_.empty() ? Sections() : fields_.back().sections; }
  // Counts once more what was counted from `before` to `after`, for work like it that the dry run leaves out.
  void repeat(const Sections& before, const Sections& after);
  void begin_loop(LoopLength repeats);  // of passes of the section that is open
  // Operations until the end are not counted beside sections.
  void begin_excluded() { ++excluded_; }
  void end_excluded() { --excluded_; }
  void other(const TraceStep& step, int ranks);
  // Notes that a count depends on data, so that it cannot be assumed: "the applications of ...".
  void cannot_say(const std::string& what) { unknown_ = what; }
  // Notes that solves in regions of this label make so many iterations.
  void know_iterations(std::string_view label, std::int64_t iterations) {
    iterations_of_.insert_or_assign(std::string(label), iterations);
  }

  // In the order of the job; what comes before the first is left out.
  const std::vector<Part>& fields() const { return fields_; }
  std::int64_t expected() const { return expected_; }
  const std::string& unknown() const { return unknown_; }
  const std::map<std::string, std::int64_t>& iterations_of() const { return iterations_of_; }  // by label

 private:
  std::vector<Part> fields_;
  std::vector<std::string> open_;  // sections, the innermost last
  std::int64_t expected_ = 0;
  std::string unknown_;
  std::map<std::string, std::int64_t> iterations_of_;
  int excluded_ = 0;
};

}  // namespace plaq
