#include "jobs/scaling/exchange_times.hpp"

#include <algorithm>
#include <vector>

#include "comms/grid/mpi_check.hpp"
#include "core/system/dry_run.hpp"

namespace plaq::jobs {
namespace {

constexpr std::size_t repeats = 21;

double median_microseconds(const std::vector<Timeline>& lines, double (*milliseconds)(const Timeline&)) {
  std::vector<double> values;
  for (const Timeline& line : lines) values.push_back(1e3 * milliseconds(line));
  std::nth_element(values.begin(), values.begin() + repeats / 2, values.end());
  return values[repeats / 2];
}

// Microseconds of one of many applications in a row, on the slowest rank: that ranks begin at different times
// does not matter then.
double in_a_row(const ProcessGrid& grid, const Queue& queue, const std::function<void()>& apply) {
  if (runs_dry()) return apply(), 0;
  constexpr int row = 50, rows = 5;
  std::vector<double> values;
  for (int i = 0; i < rows; ++i) {
    queue.synchronize();
    wait_mpi("MPI_Barrier", [&] { return MPI_Barrier(grid.comm()); });
    Event begun(queue.location()), done(queue.location());
    begun.record(queue);
    for (int k = 0; k < row; ++k) apply();
    done.record(queue);
    done.synchronize();
    values.push_back(1e3 * begun.milliseconds_to(done) / row);
  }
  std::nth_element(values.begin(), values.begin() + rows / 2, values.end());
  return global_max(grid, values[rows / 2]);
}

// One launch does everything: what it takes longer than when no rank waits for another.
ExchangeTimes fused_times(const ProcessGrid& grid, RatedApplication& application, int exchanges) {
  const Queue& queue = application.schedule().queue();
  const auto apply = [&] { application.apply(); };
  const double with = in_a_row(grid, queue, apply) / exchanges;
  application.halo().set_heedless(true);
  const double without = in_a_row(grid, queue, apply) / exchanges;
  application.halo().set_heedless(false);
  // Nobody waits before all have stopped not to.
  wait_mpi("MPI_Barrier", [&] { return MPI_Barrier(grid.comm()); });
  ExchangeTimes times;
  times.interior = without;
  times.exposed = std::max(0.0, with - without);
  return times;
}

}  // namespace

ExchangeTimes exchange_times(const ProcessGrid& grid, RatedApplication& application, int exchanges) {
  if (!application.halo().exchanges()) return {};
  if (application.fused()) return fused_times(grid, application, exchanges);
  return exchange_times(grid, application.schedule(), application.halo(), [&] { application.apply(); });
}

ExchangeTimes exchange_times(const ProcessGrid& grid, Schedule& schedule, Halo& halo,
                             const std::function<void()>& apply) {
  if (!halo.exchanges()) return {};
  schedule.watch(halo);
  if (runs_dry()) return apply(), ExchangeTimes{};
  std::vector<Timeline> lines;
  while (lines.size() < repeats) {
    wait_mpi("MPI_Barrier", [&] { return MPI_Barrier(grid.comm()); });
    apply();
    lines.push_back(schedule.timeline());
  }
  const auto slowest = [&](double (*milliseconds)(const Timeline&)) {
    return global_max(grid, median_microseconds(lines, milliseconds));
  };
  ExchangeTimes times;
  times.packing = slowest([](const Timeline& t) { return t.packed; });
  times.interior = slowest([](const Timeline& t) { return t.interior_done - t.interior_begun; });
  times.arrived = slowest([](const Timeline& t) { return t.arrived; });
  times.exposed = slowest([](const Timeline& t) { return std::max(0.0, t.arrived - t.interior_done); });
  times.boundary = slowest([](const Timeline& t) { return t.boundary_done - t.boundary_begun; });
  return times;
}

}  // namespace plaq::jobs
