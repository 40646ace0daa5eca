// Gauge fields for the commands that need no GPU: what is in a file.
#pragma once

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"
#include "core/system/log.hpp"
#include "kernels/gauge/observables.hpp"

namespace plaq::jobs {

// Collective. `links`: in double precision on the host, without halo.
GaugeObservables measure_on_host(const ProcessGrid& grid, const Field& links);

// No warnings while it lives.
class QuietWarnings {
 public:
  QuietWarnings() : level_(log::level()) { log::set_level(log::Level::error); }
  ~QuietWarnings() { log::set_level(level_); }
  QuietWarnings(const QuietWarnings&) = delete;
  QuietWarnings& operator=(const QuietWarnings&) = delete;

 private:
  log::Level level_;
};

}  // namespace plaq::jobs
