#include "jobs/measure/wilson_loops.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"
#include "jobs/measure/measure_keys.hpp"

namespace plaq::jobs {

void expect_loops_fit(const Settings& job, const Extents& extents) {
  if (!job.get<MeasureKeys>().wants("wilson_loops")) return;
  if (const auto fault = fault_of_loops(job.get<StaticLoopSettings>(), extents))
    throw Error(ErrorKind::job_file,
                fmt::format("{}: '{}' in [wilson_loops]: {}", job.origin(), fault->setting, fault->why));
}

void add_wilson_loops(Results& results, const std::vector<StaticLoops>& loops) {
  for (const auto& [step, multiples, slices, values] : loops)
    results.dataset(
        fmt::format("/wilson_loops/r_{}_{}_{}", step[0], step[1], step[2]),
        {static_cast<std::size_t>(multiples), static_cast<std::size_t>(slices)}, values,
        {{"axes", std::vector<std::string>{"n", "t"}},
         {"units", std::string("1")},
         {"meaning",
          fmt::format("W(r, t) = Re tr / 3 of loops with r = n ({}, {}, {}), n and t from 1, average "
                      "over sites and {} directions",
                      step[0], step[1], step[2], loop_directions(step).size())},
         {"step", std::vector<std::int64_t>(step.begin(), step.end())}});
}

}  // namespace plaq::jobs
