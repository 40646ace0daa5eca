// A gauge field that was read from a file and verified.
#pragma once

#include <string>

#include "comms/grid/shared_lattice.hpp"
#include "core/field/field.hpp"
#include "io/gauge/gauge_file.hpp"
#include "kernels/gauge/observables.hpp"

namespace plaq {

struct LoadedGauge {
  Field field;  // at the lattice's location, double, on the extended(1) geometry with a filled halo
  GaugeReadReport report;
  GaugeObservables observables;
};

/// Reads a gauge field, checks its links, fills its halo, and compares its plaquette and link
/// trace with the header. Collective.
LoadedGauge load_gauge(const SharedLattice& lattice, const std::string& path,
                       const GaugeReadOptions& options);

}  // namespace plaq
