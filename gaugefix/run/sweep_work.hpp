// Flops and bytes of gauge fixing.
#pragma once

#include "core/operator/linear_operator.hpp"
#include "gaugefix/run/gauge_fixer.hpp"

namespace plaq {

// Work of one update of so many sites, each copy's its own. Flops are counted by the field's custom, 2274 a
// site in four directions (Schroeck, Vogt 2013, appendix A): 2016 for eight links and 192 for the sums, in
// three directions for six links, and 66 for an overrelaxation, taken for every update. Bytes: the links of
// each site and of its neighbours once in each half of the update, and two rows of g read where it changes
// and where neighbours look at it, and written.
Work sweep_work(Gauge gauge, FixingPrecision precision, double sites);

}  // namespace plaq
