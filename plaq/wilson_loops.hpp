// Wilson loops for the static potential.
#pragma once

#include <vector>

#include "observables/gauge/static_loop_settings.hpp"
#include "plaq/gauge_field.hpp"

namespace plaq {

/// W(r, t) = <Re tr / 3> of loops with two sides in time on the links as they are
/// (kernels/gauge/wilson_loops.hpp), one entry a direction of settings: values[(n - 1) * slices + t - 1] has
/// r = n step, n and t from 1. Smear links in space before for less noise. Averages over sites
/// and equivalent directions are exact: the bits do not depend on the process grid. Throws
/// Error(usage) if the loops do not fit
/// the lattice. Collective.
std::vector<StaticLoops> wilson_loops(const GaugeField& gauge, const StaticLoopSettings& settings = {});

}  // namespace plaq
