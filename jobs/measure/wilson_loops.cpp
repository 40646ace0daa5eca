#include "jobs/measure/wilson_loops.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/system/error.hpp"
#include "jobs/measure/measure_keys.hpp"
#include "jobs/schema/use_settings.hpp"

namespace plaq::jobs {

Table wilson_loops_table() {
  return {
      "wilson_loops",
      "Wilson loops W(r, t), for the static potential; measured when observables name them. Smear links in "
      "space with [link_smearing] spatial = true.",
      {field(&StaticLoopSettings::max_r, "max_r", "Largest coordinate of r.")
           .within(1, 4096)
           .such_as("8")
           .without("half of the smallest extent in space"),
       field(&StaticLoopSettings::max_t, "max_t", "Largest t.")
           .within(1, 4096)
           .such_as("8")
           .without("half of the extent in time"),
       field(&StaticLoopSettings::directions, "directions",
             "Steps of which r is a multiple, as x, y, z: along the axes and off them. Each is averaged over "
             "all directions that turns and reflections make of it.")
           .one_of({"100", "110", "111", "210", "211", "221"})
           .not_empty()}};
}

void expect_loops_fit(const Settings& job, const Extents& extents) {
  if (!job.get<MeasureKeys>().wants("wilson_loops")) return;
  const auto keys = job.get<StaticLoopSettings>();
  const int max_r = keys.largest_r(extents), max_t = keys.largest_t(extents);
  const auto expect_below = [&](const char* key, int value, int most, const char* of) {
    if (value > most)
      throw Error(ErrorKind::job_file,
                  fmt::format("{}: '{}' in [wilson_loops]: {} is above {}, {} of the lattice {}",
                              job.origin(), key, value, most, of, to_string(extents)));
  };
  expect_below("max_r", max_r, *std::min_element(extents.begin(), extents.begin() + 3),
               "the smallest extent in space");
  expect_below("max_t", max_t, extents[3], "the extent in time");
  for (const auto& digits : keys.directions)
    if (multiples_of(loop_step(digits), max_r) == 0)
      throw Error(ErrorKind::job_file,
                  fmt::format("{}: 'directions' in [wilson_loops]: \"{}\" is longer than max_r = {}",
                              job.origin(), digits, max_r));
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
