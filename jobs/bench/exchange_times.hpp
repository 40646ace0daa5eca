// Times of an exchange of faces beside the computation that hides it.
#pragma once

#include <functional>
#include <vector>

#include "comms/grid/process_grid.hpp"
#include "jobs/rates/rated_action.hpp"
#include "jobs/rates/row.hpp"

namespace plaq::jobs {

// Begin and end of the steps of many applications on this rank.
class Timelines {
 public:
  // Collective over the grid.
  Timelines(const ProcessGrid& grid, Schedule& schedule, Halo& halo, const std::function<void()>& apply);
  double median_microseconds(double (*milliseconds)(const Timeline&)) const;

 private:
  std::vector<Timeline> lines_;
};

// Microseconds, each the median of many applications and of the slowest rank; all 0 if nothing travels.
// If one launch does everything (`peer`), `interior` is that launch when no rank waits for another's
// faces, `exposed` what it takes longer when they do, and the others are 0.
struct ExchangeTimes {
  double packing = 0;   // from the beginning until the faces are packed
  double interior = 0;  // the kernel on the interior
  double arrived = 0;   // from the beginning until the neighbours' faces are there
  double exposed = 0;   // from the end of the interior until then, if it is later
  double boundary = 0;  // the kernel on the boundary
};

/// Enters the times of an exchange in a row, and what `exchanges` of them are, each of
/// so many bytes that a rank sends.
void set_exchange(Row& row, const ExchangeTimes& times, double exchanges, double bytes);

// Collective over the grid. Of the last exchange of an application, which has so many `exchanges`.
ExchangeTimes exchange_times(const ProcessGrid& grid, RatedApplication& application, int exchanges);
// Exchange times of an operator that always takes the four steps.
ExchangeTimes exchange_times(const ProcessGrid& grid, Schedule& schedule, Halo& halo,
                             const std::function<void()>& apply);

}  // namespace plaq::jobs
