#include "jobs/bench/exchange_times.hpp"

#include <algorithm>
#include <vector>

#include "core/system/dry_run.hpp"

namespace plaq::jobs {
namespace {

constexpr std::size_t applications = 21;

// Microseconds of one of many applications in a row: that ranks begin at
// different times does not matter then.
double in_a_row(const ProcessGrid& grid, const Queue& queue, const std::function<void()>& apply) {
  if (runs_dry()) return apply(), 0;
  constexpr int row = 50, rows = 5;
  std::vector<double> values;
  for (int i = 0; i < rows; ++i) {
    const double seconds = slowest_seconds(grid.comm(), queue, [&] {
      for (int k = 0; k < row; ++k) apply();
    });
    values.push_back(1e6 * seconds / row);
  }
  return samples_of(values).median;
}

// One launch does everything: what it takes longer than when no rank waits for another.
ExchangeTimes fused_times(const ProcessGrid& grid, RatedApplication& application, int exchanges) {
  const Queue& queue = application.schedule().queue();
  const auto apply = [&] { application.apply(); };
  const double with = in_a_row(grid, queue, apply) / exchanges;
  application.halo().set_no_wait(true);
  const double without = in_a_row(grid, queue, apply) / exchanges;
  application.halo().set_no_wait(false);
  // Nobody waits before all have stopped not to.
  grid.comm().barrier();
  ExchangeTimes times;
  times.interior = without;
  times.exposed = std::max(0.0, with - without);
  return times;
}

}  // namespace

Timelines::Timelines(const ProcessGrid& grid, Schedule& schedule, Halo& halo,
                     const std::function<void()>& apply) {
  schedule.watch(halo);
  while (lines_.size() < applications) {
    grid.comm().barrier();
    apply();
    lines_.push_back(schedule.timeline());
  }
}

double Timelines::median_microseconds(double (*milliseconds)(const Timeline&)) const {
  std::vector<double> values;
  for (const Timeline& line : lines_) values.push_back(1e3 * milliseconds(line));
  return samples_of(values).median;
}

void set_exchange(Row& row, const ExchangeTimes& times, double exchanges, double bytes) {
  row.exchanges = exchanges;
  row.bytes_sent = exchanges * bytes;
  row.packing = 1e-6 * times.packing;
  row.interior = 1e-6 * times.interior;
  row.arrived = 1e-6 * times.arrived;
  row.exchange_exposed = 1e-6 * times.exposed;
  row.boundary = 1e-6 * times.boundary;
  row.exposed = exchanges * row.exchange_exposed;
}

ExchangeTimes exchange_times(const ProcessGrid& grid, RatedApplication& application, int exchanges) {
  if (!application.halo().exchanges()) return {};
  if (application.fused()) return fused_times(grid, application, exchanges);
  return exchange_times(grid, application.schedule(), application.halo(), [&] { application.apply(); });
}

ExchangeTimes exchange_times(const ProcessGrid& grid, Schedule& schedule, Halo& halo,
                             const std::function<void()>& apply) {
  if (!halo.exchanges()) return {};
  if (runs_dry()) {
    schedule.watch(halo);
    apply();
    return {};
  }
  const Timelines lines(grid, schedule, halo, apply);
  const auto slowest = [&](double (*milliseconds)(const Timeline&)) {
    return global_max(grid, lines.median_microseconds(milliseconds));
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
