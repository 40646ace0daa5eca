#include "jobs/measure/wilson_loops.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "jobs/measure/measure_keys.hpp"
#include "jobs/schema/field.hpp"
#include "kernels/gauge/wilson_loops.hpp"

namespace plaq::jobs {
namespace {

LoopStep step_of(const std::string& digits) {
  LoopStep step{};
  for (std::size_t k = 0; k < 3; ++k) step[k] = digits.at(k) - '0';
  return step;
}

int smallest_in_space(const Extents& extents) {
  return *std::min_element(extents.begin(), extents.begin() + 3);
}

struct LoopSizes {
  int max_r, max_t;
};
LoopSizes loop_sizes(const WilsonLoopKeys& keys, const Extents& extents) {
  return {keys.max_r.value_or(smallest_in_space(extents) / 2), keys.max_t.value_or(extents[3] / 2)};
}

// Multiples of a step none of whose coordinates is above max_r.
int multiples(const LoopStep& step, int max_r) { return max_r / *std::max_element(step.begin(), step.end()); }

}  // namespace

Table wilson_loops_table() {
  return {
      "wilson_loops",
      "Wilson loops W(r, t), for the static potential; measured when observables name them. Smear links in "
      "space with [link_smearing] spatial = true.",
      {field(&WilsonLoopKeys::max_r, "max_r", "Largest coordinate of r.")
           .within(1, 4096)
           .such_as("8")
           .without("half of the smallest extent in space"),
       field(&WilsonLoopKeys::max_t, "max_t", "Largest t.")
           .within(1, 4096)
           .such_as("8")
           .without("half of the extent in time"),
       field(&WilsonLoopKeys::directions, "directions",
             "Steps of which r is a multiple, as x, y, z: along the axes and off them. Each is averaged over "
             "all directions that turns and reflections make of it.")
           .one_of({"100", "110", "111", "210", "211", "221"})
           .not_empty()}};
}

void expect_loops_fit(const JobFile& job, const Extents& extents) {
  if (!job.get<MeasureKeys>().wants("wilson_loops")) return;
  const auto keys = job.get<WilsonLoopKeys>();
  const auto [max_r, max_t] = loop_sizes(keys, extents);
  const auto expect_below = [&](const char* key, int value, int most, const char* of) {
    if (value > most)
      throw Error(ErrorKind::job_file,
                  fmt::format("{}: '{}' in [wilson_loops]: {} is above {}, {} of the lattice {}", job.file(),
                              key, value, most, of, to_string(extents)));
  };
  expect_below("max_r", max_r, smallest_in_space(extents), "the smallest extent in space");
  expect_below("max_t", max_t, extents[3], "the extent in time");
  for (const auto& digits : keys.directions)
    if (multiples(step_of(digits), max_r) == 0)
      throw Error(ErrorKind::job_file,
                  fmt::format("{}: 'directions' in [wilson_loops]: \"{}\" is longer than max_r = {}",
                              job.file(), digits, max_r));
}

void add_wilson_loops(Results& results, const JobContext& context, const Field& gauge) {
  const Phase phase("Wilson loops");
  const auto keys = context.job.get<WilsonLoopKeys>();
  const auto [max_r, max_t] = loop_sizes(keys, context.extents);
  WilsonLoops loops(*context.grid, gauge, context.transport);
  for (const auto& digits : keys.directions) {
    const LoopStep step = step_of(digits);
    const int count = multiples(step, max_r);
    results.dataset(
        fmt::format("/wilson_loops/r_{}_{}_{}", step[0], step[1], step[2]),
        {static_cast<std::size_t>(count), static_cast<std::size_t>(max_t)},
        loops(gauge, step, count, max_t, context.queue),
        {{"axes", std::vector<std::string>{"n", "t"}},
         {"units", std::string("1")},
         {"meaning",
          fmt::format("W(r, t) = Re tr / 3 of loops with r = n ({}, {}, {}), n and t from 1, average "
                      "over sites and {} directions",
                      step[0], step[1], step[2], loop_directions(step).size())},
         {"step", std::vector<std::int64_t>(step.begin(), step.end())}});
  }
}

}  // namespace plaq::jobs
