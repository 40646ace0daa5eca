#include "plaq/three_point.hpp"

#include <algorithm>

#include "comms/start/shared_lattice.hpp"
#include "kernels/quark/gaussian_smearing.hpp"
#include "kernels/quark/sequential.hpp"
#include "observables/quark/quark_loop_settings.hpp"
#include "observables/quark/quarks_together.hpp"
#include "observables/quark/three_point.hpp"
#include "plaq/argument_checks.hpp"
#include "quarks/action/action.hpp"
#include "quarks/action/conserved_current.hpp"

namespace plaq {
namespace {

// Refuses arguments of one function.
class Refuse {
 public:
  explicit Refuse(const char* function) : function_(function) {}
  [[noreturn]] void operator()(const std::string& why) const {
    throw Error(ErrorKind::usage, std::string(function_) + "(): " + why);
  }

 private:
  const char* function_;
};

void expect_sink_time(const Refuse& refuse, const std::string& name, int time, const Lattice& lattice) {
  const int slices = lattice.extents()[3];
  if (time < 1 || time >= slices)
    refuse(name + ": time slices from the source are 1 to " + std::to_string(slices - 1));
}

void expect_momentum(const Refuse& refuse, const std::string& name, const Momentum& n,
                     const Lattice& lattice) {
  if (const auto why = validate_momentum(n, lattice.extents())) refuse(name + ": " + *why);
}

void expect_settings(const Refuse& refuse, const ThreePointSettings& settings, const Lattice& lattice) {
  if (settings.insertions.empty()) refuse("settings.insertions is empty; give at least one");
  if (!settings.sink_times.empty() && settings.sink_time != 0)
    refuse("settings.sink_time and settings.sink_times are both given; leave one of them out");
  for (const int time : settings.times())
    expect_sink_time(refuse, settings.sink_times.empty() ? "settings.sink_time" : "settings.sink_times", time,
                     lattice);
  if (settings.momenta.empty()) refuse("settings.momenta is empty; give at least one");
  for (const Momentum& n : settings.momenta) expect_momentum(refuse, "settings.momenta", n, lattice);
  expect_momentum(refuse, "settings.sink_momentum", settings.sink_momentum, lattice);
  if (const auto fault = fault_of(settings.bilinears, lattice.extents()))
    refuse("settings.bilinears." + fault->first + " " + fault->second);
}

// `note`: of the quark, or of its solver. `expected`: what the quark's note must say, as far as it says it.
void expect_quark(const Refuse& refuse, const Propagator& quark, const Lattice& lattice,
                  const PropagatorNote& expected, const Momentum& sink, bool proton) {
  if (const auto why = refuse_quark(quark, lattice, expected)) refuse(*why);
  if (quark.note().is_of_noise() && sink != Momentum{})
    refuse("the source is noise, which has momentum 0 alone; take a point source, or a sink at momentum 0");
  if (!proton) return;
  if (quark.note().is_of_noise())
    refuse(
        "the proton needs three quarks from one point, which noise gives only for two; take a point source");
  const auto& boundary = expected.space_boundary ? expected.space_boundary : quark.note().space_boundary;
  if (boundary.value_or(periodic_in_space) != periodic_in_space)
    refuse("the proton needs quarks that are periodic in space; set their boundary to 1 in x, y and z");
}

// The current field that conserved currents need; null where they are made of the quark itself.
const Field* current_field(const Refuse& refuse, const Action& action, const ThreePointSettings& settings,
                           const Propagator& quark, const SpinorField* current) {
  if (!settings.bilinears.conserved) return nullptr;
  if (!conserved_current_weights(action))
    refuse(
        "settings.bilinears.conserved: only Wilson and clover quarks have such currents, and domain walls "
        "with omega + sigma > 0 and gamma5-hermitian quarks; leave it out");
  if (!action.has_walls()) return nullptr;
  if (current == nullptr)
    refuse(
        "settings.bilinears.conserved of domain walls needs the quark's current field, which is found with "
        "the propagator (Solver.with_current_field in Python, DiracSolver::propagator in C++)");
  if (!(current->lattice() == quark.lattice()))
    refuse("the fields lie on different lattices; make all of them on one Lattice");
  if (current->settings() != SpinorSettings{.columns = quark.columns(), .Ls = action.Ls()} ||
      current->note() != quark.note())
    refuse("the current field is not that of the quark");
  return &current->field();
}

// `boundary`: signs of the quarks in space.
void expect_sink(const Refuse& refuse, const Propagator& quark, const SpaceSigns& boundary,
                 const QuarkSmearer& sink) {
  if (!(sink.lattice() == quark.lattice()))
    refuse("the fields lie on different lattices; make all of them on one Lattice");
  if (sink.settings().gaussian.boundary != boundary)
    refuse("the quarks have other signs around the lattice in space than the smearing of the sink");
  if (const auto why = refuse_source_in_space(boundary, quark.note().source_type)) refuse(*why);
}

}  // namespace

std::vector<std::string> current_names() {
  std::vector<std::string> names;
  for (const MesonChannel& current : local_currents()) names.push_back(current.name);
  return names;
}

std::vector<std::string> bilinear_names() {
  std::vector<std::string> names;
  for (const LoopCurrent& current : all_loop_currents()) names.push_back(current.name);
  return names;
}

std::vector<ThreePointFunctions> three_point(DiracSolver& solver, const Propagator& quark,
                                             const ThreePointSettings& settings, QuarkSmearer* sink,
                                             const GaugeField* links, const SpinorField* current) {
  const Refuse refuse("three_point");
  const Action& action = *solver.action();
  expect_settings(refuse, settings, solver.lattice());
  if (action.spins() != 4) refuse("staggered quarks have no spin; take an action with four spins");
  if (!action.gamma5_hermitian())
    refuse("twisted-mass quarks need propagators of both flavours; take quarks without a twist");
  const bool proton = std::any_of(settings.insertions.begin(), settings.insertions.end(), is_of_proton);
  expect_quark(refuse, quark, solver.lattice(), solver.note(), settings.sink_momentum, proton);
  if (sink != nullptr) {
    const auto boundary = action.boundary();
    expect_sink(refuse, quark, {boundary[0], boundary[1], boundary[2]}, *sink);
  }
  const Field* five = current_field(refuse, action, settings, quark, current);
  if (links != nullptr && !(links->lattice() == solver.lattice()))
    refuse("the fields lie on different lattices; make all of them on one Lattice");
  ThreePoints three_points(solver.lattice().shared(), settings, action.boundary()[3]);
  const Field& of_action = solver.links().gauge;
  three_points.set_links({of_action, links == nullptr ? of_action : links->field(), action.boundary(),
                          conserved_current_weights(action).value_or(std::array<double, 4>{})});
  return three_points(five != nullptr ? solver.through_sink() : solver.of_columns(quark.columns()),
                      sink == nullptr ? nullptr : &sink->of(4), quark.field(), *quark.note().position,
                      solver.gauge_name(), nullptr, five);
}

SpinorField sequential_source(const Propagator& quark, Insertion insertion, const SinkSettings& at,
                              QuarkSmearer* sink) {
  const Refuse refuse("sequential_source");
  const Lattice& lattice = quark.lattice();
  const PropagatorNote& note = quark.note();
  expect_sink_time(refuse, "the sink's time", at.time, lattice);
  expect_momentum(refuse, "the sink's momentum", at.momentum, lattice);
  expect_quark(refuse, quark, lattice, note, at.momentum, is_of_proton(insertion));
  if (note.twisted_mass.value_or(0) != 0)
    refuse("twisted-mass quarks need propagators of both flavours; take quarks without a twist");
  if (sink != nullptr)
    expect_sink(refuse, quark, note.space_boundary.value_or(sink->settings().gaussian.boundary), *sink);
  const int slices = lattice.extents()[3], time = (*note.position)[3] + at.time;
  const bool crosses = time >= slices && is_of_proton(insertion);
  if (crosses && !note.boundary)
    refuse(
        "the sign of the quarks around the lattice in time is not known, and the proton's sink is behind the "
        "edge: set that of the quark (`time_boundary` in Python, note().boundary in C++) to 1 or -1");
  const SharedLattice& shared = lattice.shared();
  SpinorField b(lattice, quark.settings());
  QuarkSmearing* smearing = sink == nullptr ? nullptr : &sink->of(4);
  Field at_sink = quark.field();
  if (smearing != nullptr) {
    at_sink = Field(shared.geometry, quark.field().spec());
    copy(at_sink, quark.field());
    smearing->apply(at_sink);
  }
  make_sequential_source(shared, b.field(), insertion, at_sink,
                         {time % slices, at.momentum, *note.position, smearing});
  if (crosses && *note.boundary == -1) b *= -1.0;
  b.note() = note;
  b.note().position.reset();
  b.forget_origin();
  return b;
}

}  // namespace plaq
