// Gauge fixing in scaling studies: sweeps of overrelaxation to Landau gauge over random links (Schroeck, Vogt
// 2013, figures 3 to 6; their table 3 sets the exchange of faces against the update, as /exchange does).
#pragma once

#include "gaugefix/run/gauge_fixer.hpp"
#include "jobs/scaling/scaled_operators.hpp"

namespace plaq::jobs {

FixingPrecision fixing_precision(const ScaledStorage& storage);

// Of one sweep over both parities, with `copies` gauge copies side by side. key: "gauge_fixing",
// overrelaxation of SU(3) as a whole (gaugefix/sweep/group_overrelaxation.hpp), or "gauge_fixing_su2", in its
// subgroups (gaugefix/sweep/relaxation.hpp). The checksum is of all g behind 20 sweeps from a random start,
// `difference` that of the functional there; throws Error(internal) where it is more than rounding explains.
// Flops: gaugefix/run/sweep_work.hpp. Faces travel in four steps: an exchange is that of odd sites' updates.
std::vector<ScaledTimes> measure_gauge_fixing(const PointProblem& problem, std::string_view key,
                                              const std::vector<ScaledStorage>& storages, int copies);

}  // namespace plaq::jobs
