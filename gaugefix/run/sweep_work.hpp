// Flops and bytes of gauge fixing.
#pragma once

#include "core/operator/linear_operator.hpp"
#include "gaugefix/run/gauge_fixer.hpp"

namespace plaq {

// Of one update of so many sites, each copy's its own. Flops as the field counts them, 2274 a site in four
// directions (Schroeck, Vogt 2013, appendix A), of which the links' 2016 and the sums' 192 are of eight
// links, in three directions of six, and 66 are an overrelaxation's; the same for every update. Bytes: the
// links of each site and of its neighbours once in each half of the update, two rows of g read where it
// changes and where neighbours look at it, and written.
Work sweep_work(Gauge gauge, FixingPrecision precision, double sites);

}  // namespace plaq
