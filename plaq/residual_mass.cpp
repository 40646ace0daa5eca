#include "plaq/residual_mass.hpp"

#include "comms/start/shared_lattice.hpp"
#include "observables/quark/residual_masses.hpp"
#include "quarks/action/action.hpp"

namespace plaq {
namespace {

void expect_residual_mass(const Action& action, const ResidualMassSettings& settings, int slices) {
  const auto refuse = [](const std::string& why) {
    throw Error(ErrorKind::usage, "residual_mass(): " + why);
  };
  if (const std::string none = action.no_residual_mass(); !none.empty()) refuse(none);
  if (const std::string none = action.no_midpoint(); settings.midpoint && !none.empty()) refuse(none);
  if (!settings.plateau) return;
  const auto [first, last] = *settings.plateau;
  if (first < 0 || first > last || last >= slices)
    refuse("settings.plateau: time slices from the source are 0 to " + std::to_string(slices - 1) +
           ", the first one not after the last one");
}

}  // namespace

ResidualMass residual_mass(DiracSolver& solver, const SourcePtr& source,
                           const ResidualMassSettings& settings) {
  if (!source)
    throw Error(ErrorKind::usage,
                "residual_mass(): the source is null; make one, for example by point_source()");
  source->expect_on(solver.lattice().extents());
  SpinorField b(solver.lattice(), {.columns = solver.action()->columns(), .spins = solver.action()->spins()});
  source->fill(b.field());
  b.field().touch();
  b.note() = source_note(*source);
  return residual_mass(solver, b, settings);
}

ResidualMass residual_mass(DiracSolver& solver, const SpinorField& source,
                           const ResidualMassSettings& settings) {
  const Lattice& lattice = solver.lattice();
  const Action& action = *solver.action();
  expect_residual_mass(action, settings, lattice.extents()[3]);
  if (!source.note().position)
    throw Error(ErrorKind::usage,
                "residual_mass(): the position of the source is not known: set note().position");
  Propagator midpoint(lattice);
  Propagator quark = solver.propagator(source, settings.midpoint ? &midpoint : nullptr);
  ResidualMasses masses(lattice.shared(), action.mass(), settings);
  ResidualMassMeasurement found =
      masses(source.field(), quark.field(), midpoint.field(), *source.note().position);
  return {std::move(found), std::move(quark)};
}

}  // namespace plaq
