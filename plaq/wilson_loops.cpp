#include "plaq/wilson_loops.hpp"

#include "comms/grid/shared_lattice.hpp"
#include "observables/gauge/static_loops.hpp"
#include "settings/gauge/wilson_loops_table.hpp"
#include "settings/schema/filled_settings.hpp"

namespace plaq {
namespace {

const settings::Schema& loops_schema() {
  static const settings::Schema schema{"wilson_loops", "Wilson loops.", {settings::wilson_loops_table()}, {}};
  return schema;
}

}  // namespace

std::vector<StaticLoops> wilson_loops(const GaugeField& gauge, const StaticLoopSettings& settings) {
  settings::expect_valid(loops_schema(), "wilson_loops()", settings);
  if (const auto fault = fault_of_loops(settings, gauge.lattice().extents()))
    throw Error(ErrorKind::usage, std::string("wilson_loops(): ") + fault->setting + ": " + fault->why);
  return static_loops(gauge.lattice().shared(), with_halo(gauge), settings);
}

}  // namespace plaq
