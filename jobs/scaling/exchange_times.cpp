#include "jobs/scaling/exchange_times.hpp"

#include <algorithm>
#include <vector>

#include "comms/mpi_check.hpp"

namespace plaq::jobs {
namespace {

constexpr std::size_t repeats = 21;

double median_microseconds(const std::vector<Timeline>& lines, double (*milliseconds)(const Timeline&)) {
  std::vector<double> values;
  for (const Timeline& line : lines) values.push_back(1e3 * milliseconds(line));
  std::nth_element(values.begin(), values.begin() + repeats / 2, values.end());
  return values[repeats / 2];
}

}  // namespace

ExchangeTimes exchange_times(const ProcessGrid& grid, WilsonHopping& hop, int rhs,
                             const std::function<void()>& apply) {
  if (!hop.halo(rhs).exchanges()) return {};
  hop.schedule().watch(hop.halo(rhs));
  std::vector<Timeline> lines;
  while (lines.size() < repeats) {
    wait_mpi("MPI_Barrier", [&] { return MPI_Barrier(grid.comm()); });
    apply();
    lines.push_back(hop.schedule().timeline());
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
