// Sweeps of gauge fixing: updates of all sites over random links (Schroeck, Vogt 2013, figures 3 to 6; their
// table 3 sets the exchange of faces against the update).
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "gaugefix/run/gauge_fixer.hpp"
#include "jobs/bench/bench.hpp"

namespace plaq::jobs {

struct GaugeUpdate {
  std::string_view name, key;  // key: of the target that it is to Landau gauge; empty: of none
  std::function<void(GaugeFixer&, std::uint32_t number)> run;
  int sweeps = 1;
  // By random numbers that differ between precisions, or decide what rounding has changed.
  bool drawn = false;
};
const std::vector<GaugeUpdate>& gauge_updates();
const GaugeUpdate& gauge_update(std::string_view key);

FixingPrecision fixing_precision(const StudyStorage& storage);

// Adds a row for each storage: one update, with `copies` gauge copies side by side. The checksum is of all g
// behind 20 of them from a random start, the error that of the functional there; throws Error(internal) where
// it is more than rounding explains, or for drawn updates more than fluctuations do. Flops and bytes:
// gaugefix/run/gauge_fixer.hpp. Faces travel in four steps: an exchange is that of odd sites' updates.
void measure_sweeps(Bench& bench, const std::string& name, const RateProblem& problem, Gauge gauge,
                    const GaugeUpdate& update, const std::vector<StudyStorage>& storages, int copies);

}  // namespace plaq::jobs
