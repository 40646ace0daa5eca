// Measures of how well a gauge field is fixed to a gauge.
#pragma once

#include <optional>
#include <string>

#include "comms/grid/shared_lattice.hpp"
#include "core/field/field.hpp"
#include "gaugefix/run/gauge_condition.hpp"

namespace plaq {

/// Functional and theta of links as they are, in double precision and without halo. Collective.
GaugeQuality quality_of(const SharedLattice& lattice, const Field& links, Gauge gauge);

/// Why links with this `theta` do not count as fixed, or nothing. `where`: the place of
/// max_theta, such as " in [gluon]".
std::optional<std::string> fault_of_theta(Gauge gauge, double theta, double max_theta,
                                          const std::string& where = {});

}  // namespace plaq
