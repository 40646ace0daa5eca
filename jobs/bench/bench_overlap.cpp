// How the halo exchange of a hopping term hides behind interior work, and what it costs where it does not:
// the table of the multi-GPU staggered paper (table 1: GPU, packing, copies, MPI) with and without overlap.
// On one rank every direction is forced to exchange with itself through the transport.
#include <fmt/format.h>

#include <algorithm>

#include "jobs/bench/bench.hpp"
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

// How long each step took, one after the other.
constexpr Step in_sequence[] = {
    {"packing", [](const Timeline& t) { return t.packed; }},
    {"copies to the host", [](const Timeline& t) { return t.staged - t.packed; }},
    {"messages, and copies from the host", [](const Timeline& t) { return t.arrived - t.staged; }},
    {"computing",
     [](const Timeline& t) {
       return t.interior_done - t.interior_begun + t.boundary_done - t.boundary_begun;
     }},
    {"all", [](const Timeline& t) { return t.boundary_done; }}};

void bench_overlap(Bench& bench, const std::string& name, const ActionPtr& parameters) {
  const Queue queue(bench.location());
  const RateProblem problem = bench.lattice->problem(queue, bench.options.repeats);
  const auto action = make_rated_action(problem, parameters);
  const int rhs = bench.one_batch(1).front();
  for (const StudyStorage& storage : bench.storages()) {
    const auto hop = action->hop(storage, rhs);
    const auto add = [&](const std::string& called, const Measured& measured, std::span<const Step> steps) {
      BenchRow& row = bench.add(called, storage, rhs, measured);
      if (bench.ranks == 1) row.grid = "forced";
      const Timelines lines(bench.grid(), hop->schedule(), hop->halo(), [&] { hop->apply(); });
      for (const Step& step : steps)
        row.more["timeline_microseconds"].push_back(
            {step.name, lines.median_microseconds(step.milliseconds)});
    };
    Measured measured = action->hop_rates({storage}, rhs).front();
    add(name, measured, overlapped);
    hop->schedule().set_overlap(false);
    measured.samples = bench.time(queue, [&](const Queue&) { hop->apply(); });
    add(name + ", no overlap", measured, in_sequence);
  }
}

}  // namespace

void bench_wilson_overlap(Bench& bench) {
  bench.share({32, 32, 32, 64}, {16, 16, 16, 32}, 0xf);
  bench_overlap(bench, "wilson_overlap", wilson_action({}));
}

void bench_staggered_overlap(Bench& bench) {
  bench.share({28, 28, 28, 96}, {12, 12, 12, 24}, 0xf);
  bench_overlap(bench, "staggered_overlap", staggered_action({}));
}

std::string overlap_text(const std::vector<BenchRow>& rows) {
  std::string text;
  for (const BenchRow& r : rows) {
    text += fmt::format(
        "timeline of {} {} on {}, {}, {} right-hand side(s), microseconds after the exchange began:\n",
        r.name, r.lattice, r.grid, r.precision, r.right_hand_sides);
    for (const auto& step : r.more["timeline_microseconds"])
      text += fmt::format("  {:<34} {:>10.2f}\n", step[0].get<std::string>(), step[1].get<double>());
  }
  return text;
}

}  // namespace plaq::jobs
