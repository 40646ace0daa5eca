#include "plaq/quark_loops.hpp"

#include <algorithm>

#include "comms/start/shared_lattice.hpp"
#include "observables/quark/quark_loops.hpp"
#include "plaq/lattice.hpp"
#include "quarks/action/action.hpp"
#include "quarks/action/hopping_expansion.hpp"
#include "settings/quark/quark_observable_tables.hpp"
#include "settings/schema/filled_settings.hpp"

namespace plaq {
namespace {

[[noreturn]] void refuse_loops(const std::string& why) {
  throw Error(ErrorKind::usage, "quark_loops(): " + why);
}

void expect_loop_settings(const QuarkLoopSettings& loops, const DiracSolver& solver) {
  const Action& action = *solver.action();
  const Extents& extents = solver.lattice().extents();
  static const settings::Schema schema{
      "quark_loops", "Quark loops.", {settings::loop_noise_table(), settings::loop_dilution_table()}, {}};
  settings::expect_valid(schema, "quark_loops()", loops.noise, loops.dilution);
  if (const std::string why = loops.dilution.fault(extents); !why.empty())
    refuse_loops("settings.dilution." + why);
  if (loops.dilution.spin && action.spins() == 1)
    refuse_loops("settings.dilution.spin: staggered quarks have no spin");
  if (loops.approximation) {
    if (const auto fault = loops.approximation->fault(solver.settings()))
      refuse_loops("settings.approximation." + fault->parameter + ": " + fault->what);
    if (loops.squared) refuse_loops("settings.squared: tr M^-2 is of exact solves");
  }
  if (loops.momenta.empty()) refuse_loops("settings.momenta is empty; give at least one");
  for (const Momentum& n : loops.momenta)
    if (const auto why = validate_momentum(n, extents)) refuse_loops("settings.momenta: " + *why);
  if (loops.hopping < 0 || loops.hopping > most_hopping_order)
    refuse_loops("settings.hopping: the order is 0 to " + std::to_string(most_hopping_order));
  if (loops.hopping > 0 && !hopping_diagonal(action))
    refuse_loops("settings.hopping: only Wilson quarks without clover term and twist have this expansion");
  if (*std::min_element(extents.begin(), extents.end()) < loops.hopping)
    refuse_loops("settings.hopping: every extent of the lattice must be at least " +
                 std::to_string(loops.hopping));
  if (loops.one_end && loop_quarks(action).twisted_mass == 0)
    refuse_loops("settings.one_end: only twisted-mass quarks have a flavour of the opposite twist");
  if (loops.one_end && loops.squared)
    refuse_loops("settings.one_end: tr M^-2 is of one flavour; leave out squared");
  if (action.spins() == 1)
    for (const LoopCurrent& current : loops.currents)
      if (current.name != "scalar")
        refuse_loops("settings.currents: " + current.name +
                     " is of quarks with spin; staggered quarks have scalar");
}

}  // namespace

LoopCurrent loop_current(std::string_view name) {
  std::string known;
  for (const LoopCurrent& current : all_loop_currents()) {
    if (current.name == name) return current;
    known += (known.empty() ? "" : ", ") + current.name;
  }
  throw Error(ErrorKind::usage, "current \"" + std::string(name) + "\" is none of " + known);
}

std::vector<QuarkLoop> quark_loops(DiracSolver& solver, const QuarkLoopSettings& settings) {
  const Action& action = *solver.action();
  expect_loop_settings(settings, solver);
  QuarkLoops loops(solver.lattice().shared(), settings, loop_quarks(action),
                   columns_at_once(solver.settings(), action.columns(), action.Ls()));
  const int vectors = settings.noise.vectors;
  PropagatorSolver& solves =
      solver.of_columns(loops.together(), static_cast<double>(vectors) * loops.parts());
  std::vector<QuarkLoop> found;
  for (int vector = 0; vector < vectors; ++vector)
    found.push_back(loops(solves, vector, solver.gauge_name()));
  return found;
}

Correlators average(const std::vector<QuarkLoop>& loops) {
  if (loops.empty())
    throw Error(ErrorKind::usage, "average(): the list of loops is empty; give at least one");
  Correlators sum = loops.front().values;
  for (std::size_t current = 0; current < sum.size(); ++current)
    for (std::size_t momentum = 0; momentum < sum[current].size(); ++momentum)
      for (std::size_t t = 0; t < sum[current][momentum].size(); ++t) {
        std::complex<double>& value = sum[current][momentum][t];
        for (std::size_t i = 1; i < loops.size(); ++i) value += loops[i].values[current][momentum][t];
        value /= static_cast<double>(loops.size());
      }
  return sum;
}

}  // namespace plaq
