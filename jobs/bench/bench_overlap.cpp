// How the halo exchange of a hopping term hides behind interior work, and what it costs where it does not:
// the table of the multi-GPU staggered paper (table 1: GPU, packing, copies, MPI) with and without overlap.
// On one rank every direction is forced to exchange with itself through the transport.
#include <algorithm>

#include "comms/grid/mpi_check.hpp"
#include "jobs/bench/bench.hpp"
#include "jobs/dirac/staggered_action.hpp"
#include "jobs/dirac/wilson_action.hpp"
#include "jobs/rates/random_fields.hpp"
#include "jobs/rates/rated_action.hpp"

namespace plaq::jobs {
namespace {

constexpr int applications = 21;

using Steps = std::vector<std::pair<std::string, double>>;

// Microseconds, medians of many applications on this rank.
class Medians {
 public:
  explicit Medians(const std::vector<Timeline>& lines) : lines_(lines) {}
  double operator()(double (*milliseconds)(const Timeline&)) const {
    std::vector<double> values;
    for (const Timeline& line : lines_) values.push_back(1e3 * milliseconds(line));
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  }

 private:
  const std::vector<Timeline>& lines_;
};

std::vector<Timeline> watched(RatedApplication& hop) {
  std::vector<Timeline> lines;
  while (lines.size() < applications) {
    wait_mpi("MPI_Barrier", [&] { return MPI_Barrier(MPI_COMM_WORLD); });
    hop.apply();
    lines.push_back(hop.schedule().timeline());
  }
  return lines;
}

// After the exchange began.
Steps overlapped(const std::vector<Timeline>& lines) {
  const Medians median(lines);
  return {{"faces packed", median([](const Timeline& t) { return t.packed; })},
          {"faces in host memory", median([](const Timeline& t) { return t.staged; })},
          {"interior begun", median([](const Timeline& t) { return t.interior_begun; })},
          {"interior done", median([](const Timeline& t) { return t.interior_done; })},
          {"faces of the neighbours arrived", median([](const Timeline& t) { return t.arrived; })},
          {"boundary begun", median([](const Timeline& t) { return t.boundary_begun; })},
          {"boundary done", median([](const Timeline& t) { return t.boundary_done; })},
          {"exposed communication",
           median([](const Timeline& t) { return std::max(0.0, t.arrived - t.interior_done); })}};
}

// How long each step took, one after the other.
Steps in_sequence(const std::vector<Timeline>& lines) {
  const Medians median(lines);
  return {
      {"packing", median([](const Timeline& t) { return t.packed; })},
      {"copies to the host", median([](const Timeline& t) { return t.staged - t.packed; })},
      {"messages, and copies from the host", median([](const Timeline& t) { return t.arrived - t.staged; })},
      {"computing", median([](const Timeline& t) {
         return t.interior_done - t.interior_begun + t.boundary_done - t.boundary_begun;
       })},
      {"all", median([](const Timeline& t) { return t.boundary_done; })}};
}

std::vector<BenchRow> overlap_rows(const BenchContext& context, const std::string& name,
                                   const ActionParameters& parameters, const Extents& usual) {
  const Queue queue(context.site.location);
  const BenchLattice lattice = context.share(usual, 0xf);
  const auto& [shared, geometry, transport] = lattice;
  const ProcessGrid& grid = *shared;
  const RateProblem problem{grid, random_gauge(geometry, 11), queue, transport, context.options.repeats};
  const auto action = make_rated_action(problem, parameters);
  const int rhs = context.right_hand_sides(1);
  const std::string shown = grid.size() == 1 ? "forced" : to_string(grid.ranks());
  std::vector<BenchRow> rows;
  for (const LinkStorage& storage : context.storages()) {
    OperatorRate rate = action->hop_rates({storage}, rhs).front();
    const auto hop = action->hop(storage, rhs);
    hop->schedule().watch(hop->halo());
    BenchRow row = operator_row(name, *geometry, shown, storage, rhs, rate);
    row.timeline = overlapped(watched(*hop));
    rows.push_back(row);
    hop->schedule().set_overlap(false);
    rate.samples = measure(context, queue, [&](const Queue&) { hop->apply(); });
    row = operator_row(name + ", no overlap", *geometry, shown, storage, rhs, rate);
    row.timeline = in_sequence(watched(*hop));
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

std::vector<BenchRow> bench_wilson_overlap(const BenchContext& context) {
  const bool device = context.site.location == Location::device;
  return overlap_rows(context, "wilson_overlap", wilson_action({}),
                      device ? Extents{32, 32, 32, 64} : Extents{16, 16, 16, 32});
}

std::vector<BenchRow> bench_staggered_overlap(const BenchContext& context) {
  const bool device = context.site.location == Location::device;
  return overlap_rows(context, "staggered_overlap", staggered_action({}),
                      device ? Extents{28, 28, 28, 96} : Extents{12, 12, 12, 24});
}

}  // namespace plaq::jobs
