#include "plaq/wilson_loops.hpp"

#include "comms/grid/shared_lattice.hpp"
#include "observables/gauge/static_loops.hpp"

namespace plaq {

std::vector<StaticLoops> wilson_loops(const GaugeField& gauge, const StaticLoopSettings& settings) {
  if (const auto fault = fault_of_loops(settings, gauge.lattice().extents()))
    throw Error(ErrorKind::usage, std::string("wilson_loops(): ") + fault->setting + ": " + fault->why);
  return static_loops(gauge.lattice().shared(), with_halo(gauge), settings);
}

}  // namespace plaq
