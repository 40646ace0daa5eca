#include "plaq/quark_propagator.hpp"

#include <string>

#include "comms/start/shared_lattice.hpp"
#include "observables/quark/quark_momenta.hpp"
#include "observables/quark/quark_propagator.hpp"
#include "plaq/action_on_links.hpp"
#include "plaq/argument_checks.hpp"
#include "plaq/gauge_fixing.hpp"
#include "quarks/action/action.hpp"
#include "settings/quark/quark_observable_tables.hpp"
#include "settings/schema/filled_settings.hpp"

namespace plaq {
namespace {

[[noreturn]] void refuse_propagator(const std::string& why) {
  throw Error(ErrorKind::usage, "quark_propagator(): " + why);
}

void expect_point_quark(const Action& action, const GaugeField& gauge, const Propagator& quark) {
  if (action.spins() != 4) refuse_propagator("staggered quarks have no spin; take an action with four spins");
  if (const auto why = refuse_quark(quark, gauge.lattice(), note_of_quarks(action, gauge)))
    refuse_propagator(*why);
  const std::string& source = quark.note().source_type;
  if (!source.empty() && source != "point")
    refuse_propagator("the quark is of a " + source + " source; a point source is needed");
  if (!action.free_quark({}))
    refuse_propagator("no propagator on unit links is known for " + std::string(action.name()) + " quarks");
}

}  // namespace

QuarkPropagatorInMomentumSpace quark_propagator(const ActionPtr& action, const GaugeField& gauge,
                                                const Propagator& quark,
                                                const QuarkPropagatorSettings& settings) {
  const auto& [max_n, cuts, max_theta] = settings;
  static const settings::Schema schema{
      "quark_propagator", "The quark propagator.", {settings::quark_propagator_table()}, {}};
  settings::expect_valid(schema, "quark_propagator()", settings::QuarkPropagatorKeys{max_n}, settings);
  if (!action) refuse_propagator("the action is null; make one, for example by wilson()");
  expect_point_quark(*action, gauge, quark);
  QuarkPropagatorInMomentumSpace found;
  found.theta = expect_fixed(gauge, Gauge::landau, max_theta).theta;
  const Lattice& lattice = gauge.lattice();
  const QuarkMomenta momenta(max_n, cuts, lattice.extents(), action->boundary(), *action);
  found.tree_mass = momenta.tree_mass();
  QuarkPropagator propagator(lattice.shared(), momenta);
  const auto points = propagator(quark.field(), *quark.note().position);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const QuarkMomenta::Row& row = momenta.rows()[i];
    found.momenta.push_back({row.n, row.p, row.free.k, row.squared, row.free.k_squared(), row.count,
                             row.in_cylinder, row.in_cone, row.free.vector, row.free.scalar, points[i].scalar,
                             points[i].vector});
  }
  return found;
}

}  // namespace plaq
