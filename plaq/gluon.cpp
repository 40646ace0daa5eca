#include "plaq/gluon.hpp"

#include <string>
#include <utility>

#include "observables/gluon/ghost_propagator.hpp"
#include "observables/gluon/gluon_propagator.hpp"
#include "plaq/gauge_fixing.hpp"

namespace plaq {
namespace {

void expect(bool possible, const char* what) {
  if (!possible) throw Error(ErrorKind::usage, std::string("gluon and ghost propagators: ") + what);
}

// The momenta, after a check of settings and of the gauge. Collective.
GluonMomenta momenta_of_fixed(const GaugeField& gauge, const GluonSettings& s) {
  expect(s.gauge != Gauge::maximally_abelian, "the gauge is Landau or Coulomb gauge");
  expect(s.max_n >= 0 && s.cuts.max_n_t.value_or(0) >= 0, "max_n and max_n_t are not negative");
  expect(s.cuts.cylinder >= 0 && s.cuts.cone >= 0, "cuts are not negative");
  expect(!s.beta || *s.beta > 0, "beta is positive");
  expect_fixed(gauge, s.gauge, s.max_theta);
  return GluonMomenta(s, gauge.lattice().extents());
}

}  // namespace

GluonPropagators gluon_propagator(const GaugeField& gauge, const GluonSettings& settings) {
  const GluonMomenta momenta = momenta_of_fixed(gauge, settings);
  return {gluon_propagator(gauge.lattice().shared(), gauge.field(), momenta, settings.beta), momenta.rows()};
}

GhostPropagators ghost_propagator(const GaugeField& gauge, const GhostSettings& ghosts,
                                  const GluonSettings& settings) {
  expect(settings.gauge == Gauge::landau, "the ghost propagator is that of Landau gauge");
  expect(ghosts.momenta != GhostMomenta::none, "GhostSettings::momenta is cone, cylinder or all");
  expect(ghosts.count >= 0 && ghosts.max_iterations > 0, "count is not negative, max_iterations positive");
  expect(ghosts.tolerance > 0 && ghosts.tolerance < 1, "tolerance is between 0 and 1");
  const GluonMomenta momenta = momenta_of_fixed(gauge, settings);
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
