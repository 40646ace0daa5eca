#include "plaq/three_point.hpp"

#include <algorithm>

#include "comms/grid/shared_lattice.hpp"
#include "kernels/quark/gaussian_smearing.hpp"
#include "kernels/quark/sequential.hpp"
#include "observables/quark/quarks_together.hpp"
#include "observables/quark/three_point.hpp"
#include "plaq/argument_checks.hpp"
#include "quarks/action/action.hpp"

namespace plaq {
namespace {

[[noreturn]] void refuse_three_point(const std::string& why) {
  throw Error(ErrorKind::usage, "three_point(): " + why);
}

void expect_settings(const ThreePointSettings& settings, const Lattice& lattice) {
  const int slices = lattice.extents()[3];
  if (settings.insertions.empty()) refuse_three_point("settings.insertions is empty; give at least one");
  if (settings.sink_time < 1 || settings.sink_time >= slices)
    refuse_three_point("settings.sink_time: time slices from the source are 1 to " +
                       std::to_string(slices - 1));
  if (settings.momenta.empty()) refuse_three_point("settings.momenta is empty; give at least one");
  for (const Momentum& n : settings.momenta)
    if (const auto why = validate_momentum(n, lattice.extents()))
      refuse_three_point("settings.momenta: " + *why);
}

SpaceSigns in_space(const DiracSolver& solver) {
  const auto boundary = solver.action()->boundary();
  return {boundary[0], boundary[1], boundary[2]};
}

void expect_quark(const DiracSolver& solver, const Propagator& quark, const ThreePointSettings& settings) {
  if (solver.action()->spins() != 4)
    refuse_three_point("staggered quarks have no spin; take an action with four spins");
  if (!solver.action()->gamma5_hermitian())
    refuse_three_point("twisted-mass quarks need propagators of both flavours; take quarks without a twist");
  if (const auto why = refuse_quark(quark, solver.lattice(), solver.note())) refuse_three_point(*why);
  const bool proton = std::any_of(settings.insertions.begin(), settings.insertions.end(),
                                  [](Insertion one) { return one != Insertion::pion; });
  if (proton && quark.note().is_of_noise())
    refuse_three_point(
        "the proton needs three quarks from one point, which noise gives only for two; take a point source");
  if (proton && in_space(solver) != periodic_in_space)
    refuse_three_point(
        "the proton needs quarks that are periodic in space; set their boundary to 1 in x, y and z");
}

void expect_sink(const DiracSolver& solver, const PropagatorNote& quark, const QuarkSmearer& sink) {
  const SpaceSigns boundary = in_space(solver);
  if (!(sink.lattice() == solver.lattice()))
    refuse_three_point("the fields lie on different lattices; make all of them on one Lattice");
  if (sink.settings().gaussian.boundary != boundary)
    refuse_three_point(
        "the quarks have other signs around the lattice in space than the smearing of the sink");
  if (const auto why = refuse_source_in_space(boundary, quark.source_type)) refuse_three_point(*why);
}

}  // namespace

std::vector<std::string> current_names() {
  std::vector<std::string> names;
  for (const MesonChannel& current : local_currents()) names.push_back(current.name);
  return names;
}

std::vector<ThreePointFunctions> three_point(DiracSolver& solver, const Propagator& quark,
                                             const ThreePointSettings& settings, QuarkSmearer* sink) {
  expect_settings(settings, solver.lattice());
  expect_quark(solver, quark, settings);
  if (sink != nullptr) expect_sink(solver, quark.note(), *sink);
  ThreePoints three_points(solver.lattice().shared(), settings, solver.action()->boundary()[3]);
  return three_points(solver.of_columns(quark.columns()), sink == nullptr ? nullptr : &sink->of(4),
                      quark.field(), *quark.note().position, solver.gauge_name());
}

}  // namespace plaq
