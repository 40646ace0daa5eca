// Halo exchange of a hopping term behind interior work, and its cost where it does not hide there:
// the table of the multi-GPU staggered paper (table 1: GPU, packing, copies, MPI) with and without overlap.
// On one rank every direction is forced to exchange with itself through the transport.
#include <algorithm>

#include "jobs/bench/exchange_times.hpp"
#include "jobs/bench/targets.hpp"
#include "quarks/action/staggered_action.hpp"
#include "quarks/action/wilson_action.hpp"

namespace plaq::jobs {
namespace {

struct Step {
  const char* name;
  double (*milliseconds)(const Timeline&);
};

// After the exchange began.
constexpr Step overlapped[] = {
    {"faces packed", [](const Timeline& t) { return t.packed; }},
    {"faces in host memory", [](const Timeline& t) { return t.staged; }},
    {"interior begun", [](const Timeline& t) { return t.interior_begun; }},
    {"interior done", [](const Timeline& t) { return t.interior_done; }},
    {"faces of the neighbours arrived", [](const Timeline& t) { return t.arrived; }},
    {"boundary begun", [](const Timeline& t) { return t.boundary_begun; }},
    {"boundary done", [](const Timeline& t) { return t.boundary_done; }},
    {"exposed communication", [](const Timeline& t) { return std::max(0.0, t.arrived - t.interior_done); }}};

// Time of each step, one after the other.
constexpr Step in_sequence[] = {
    {"packing", [](const Timeline& t) { return t.packed; }},
    {"copies to the host", [](const Timeline& t) { return t.staged - t.packed; }},
    {"messages, and copies from the host", [](const Timeline& t) { return t.arrived - t.staged; }},
    {"computing",
     [](const Timeline& t) {
       return t.interior_done - t.interior_begun + t.boundary_done - t.boundary_begun;
     }},
    {"all", [](const Timeline& t) { return t.boundary_done; }}};

}  // namespace

// Numbers of a row are microseconds.
void bench_overlap(Bench& bench, std::string_view key) {
  const Queue queue(bench.location());
  const RateProblem problem{bench.grid(), bench.problem(11).gauge, queue, bench.transport(),
                            bench.asked.samples};
  const auto action =
      make_rated_action(problem, key == "wilson_overlap" ? wilson_action({}) : staggered_action({}));
  const int rhs = bench.batches({1}).front();
  for (const StudyStorage& storage : bench.storages()) {
    const auto hop = action->hop(storage, rhs);
    const auto add = [&](const std::string& name, const Row& found, std::span<const Step> steps) {
      Row& row = bench.add(name, storage, rhs, found);
      const Timelines lines(bench.grid(), hop->schedule(), hop->halo(), [&] { hop->apply(); });
      for (const Step& step : steps)
        row.numbers.emplace_back(step.name, lines.median_microseconds(step.milliseconds));
    };
    Row found = action->hop_rates({storage}, rhs).front();
    add(std::string(key), found, overlapped);
    hop->schedule().set_overlap(false);
    const Samples samples = bench.time(queue, [&](const Queue&) { hop->apply(); });
    add(std::string(key) + ", no overlap",
        Row(samples, {found.flops / bench.grid().size(), found.bytes / bench.grid().size()},
            bench.grid().size(), found.check),
        in_sequence);
  }
}

}  // namespace plaq::jobs
