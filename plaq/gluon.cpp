#include "plaq/gluon.hpp"

#include <string>
#include <utility>

#include "observables/gluon/ghost_propagator.hpp"
#include "observables/gluon/gluon_propagator.hpp"
#include "plaq/gauge_fixing.hpp"
#include "settings/gauge/gauge_observable_tables.hpp"
#include "settings/schema/filled_settings.hpp"

namespace plaq {
namespace {

const settings::Schema& propagators_schema() {
  static const settings::Schema schema{"gluon",
                                       "Gluon and ghost propagators.",
                                       {settings::gluon_table(), settings::ghost_table()},
                                       {settings::ghost_rule()}};
  return schema;
}

// The momenta, after a check of settings and of the gauge. Collective.
GluonMomenta momenta_of_fixed(const GaugeField& gauge, const char* call, const GluonSettings& settings,
                              const GhostSettings& ghosts) {
  if (settings.gauge == Gauge::maximally_abelian)
    throw Error(ErrorKind::usage, std::string(call) + ": the gauge must be Landau or Coulomb gauge");
  settings::expect_valid(propagators_schema(), call, settings, ghosts);
  expect_fixed(gauge, settings.gauge, settings.max_theta);
  return GluonMomenta(settings, gauge.lattice().extents());
}

}  // namespace

GluonPropagators gluon_propagator(const GaugeField& gauge, const GluonSettings& settings) {
  const GluonMomenta momenta = momenta_of_fixed(gauge, "gluon_propagator()", settings, {});
  return {gluon_propagator(gauge.lattice().shared(), gauge.field(), momenta, settings.beta), momenta.rows()};
}

GhostPropagators ghost_propagator(const GaugeField& gauge, const GhostSettings& ghosts,
                                  const GluonSettings& settings) {
  if (ghosts.momenta == GhostMomenta::none)
    throw Error(ErrorKind::usage, "ghost_propagator(): momenta must be cone, cylinder or all, not none");
  const GluonMomenta momenta = momenta_of_fixed(gauge, "ghost_propagator()", settings, ghosts);
  GhostPropagator ghost(gauge.lattice().shared(), gauge.field(), ghosts);
  const std::string file = gauge.file().file;
  GhostPropagators found;
  for (const std::size_t row : momenta.of_ghosts(ghosts)) {
    found.momenta.push_back(momenta.rows()[row]);
    found.points.push_back(ghost(momenta.rows()[row].n, file.empty() ? "the gauge field" : file));
  }
  return found;
}

}  // namespace plaq
