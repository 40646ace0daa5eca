#include "plaq/distillation.hpp"

#include "comms/start/shared_lattice.hpp"
#include "kernels/gauge/link_copies.hpp"
#include "plaq/laplacian_modes_parts.hpp"
#include "quarks/distillation/elementals.hpp"
#include "quarks/distillation/generalised_perambulators.hpp"
#include "quarks/distillation/laplacian_modes.hpp"
#include "quarks/distillation/perambulators.hpp"
#include "quarks/solve/propagator_solver.hpp"

namespace plaq {
namespace {

void expect_lattice_of_modes(const Lattice& here, const LaplacianModes& modes, const std::string& what) {
  if (!(here == modes.lattice()))
    throw Error(ErrorKind::usage, what + " lies on another lattice than the modes; make both on one Lattice");
}

void expect_momentum_of_modes(const LaplacianModes& modes, const Momentum& n) {
  if (const auto wrong = validate_momentum(n, modes.lattice().extents()))
    throw Error(ErrorKind::usage, *wrong);
}

void expect_source(const DiracSolver& solver, const LaplacianModes& modes, int t,
                   const std::string& function) {
  expect_lattice_of_modes(solver.lattice(), modes, function + ": the solver");
  if (solver.action()->spins() == 1)
    throw Error(ErrorKind::usage, function + ": staggered quarks have no spin; take an action with four");
  if (const int slices = modes.lattice().extents()[3]; t < 0 || t >= slices)
    throw Error(ErrorKind::usage, function + ": there are time slices 0 to " + std::to_string(slices - 1) +
                                      ", not " + std::to_string(t));
  const auto signs = solver.note().space_boundary;
  if (signs && *signs != boundary_of(modes.parts().info.operator_entries))
    throw Error(ErrorKind::usage,
                function +
                    ": the modes have other boundary signs in space than the quarks; find modes with "
                    "the boundary of the action");
}

// Solves so many columns together, or a divisor of these, that all solves are parted into such.
PropagatorSolver& solver_of(DiracSolver& solver, int solves) {
  return solver.of_columns(columns_of_solves(solves, solver.action()->columns()), solves);
}

}  // namespace

std::vector<std::complex<double>> perambulator(DiracSolver& solver, const LaplacianModes& modes, int t) {
  expect_source(solver, modes, t, "perambulator()");
  return perambulator(modes.lattice().shared(), modes.parts().of_slices(),
                      solver_of(solver, 4 * modes.count()), t, solver.gauge_name())
      .numbers;
}

std::vector<std::complex<double>> stochastic_perambulator(DiracSolver& solver, const LaplacianModes& modes,
                                                          int t, const ModeNoise& noise, int vector) {
  expect_source(solver, modes, t, "stochastic_perambulator()");
  if (!noise.type || noise.modes < 0 || vector < 0)
    throw Error(ErrorKind::usage,
                "stochastic_perambulator(): noise.type is missing, or noise.modes or vector is negative");
  const int count = modes.count();
  const StochasticPerambulator found =
      stochastic_perambulator(modes.lattice().shared(), modes.parts().of_slices(), noise,
                              solver_of(solver, noise.parts(count)), t, vector, solver.gauge_name());
  Perambulator estimate;
  estimate.slices = found.slices;
  estimate.modes = count;
  estimate.numbers.resize(Perambulator::size(found.slices, count));
  for (int time = 0; time < found.slices; ++time)
    for (int s = 0; s < 4; ++s)
      for (int spin = 0; spin < 4; ++spin)
        for (int i = 0; i < count; ++i)
          for (int j = 0; j < count; ++j)
            estimate.numbers[estimate.at(time, s, spin, i, j)] =
                found.numbers[found.at(time, s, i, noise.part_of(spin, j, count))] *
                std::conj(found.eta[static_cast<std::size_t>(spin * count + j)]);
  return std::move(estimate.numbers);
}

QuarkLines generalised_perambulators(DiracSolver& solver, const LaplacianModes& modes, int t, int sink_time,
                                     const LineCurrents& currents, const GaugeField* gauge) {
  const std::string function = "generalised_perambulators()";
  expect_source(solver, modes, t, function);
  if (!solver.action()->gamma5_hermitian())
    throw Error(ErrorKind::usage,
                function +
                    ": twisted-mass quarks need perambulators of both flavours; take quarks "
                    "without a twist");
  if (const int slices = modes.lattice().extents()[3]; sink_time < 1 || sink_time >= slices)
    throw Error(ErrorKind::usage, function + ": the sink is 1 to " + std::to_string(slices - 1) +
                                      " time slices behind the source, not " + std::to_string(sink_time));
  if (gauge != nullptr) expect_lattice_of_modes(gauge->lattice(), modes, function + ": the gauge field");
  for (const Momentum& n : currents.momenta) expect_momentum_of_modes(modes, n);
  const std::string fault = fault_of_operators(currents.operators);
  if (!fault.empty() || currents.momenta.empty())
    throw Error(
        ErrorKind::usage,
        function + ": " + (fault.empty() ? "currents.momenta is empty" : "currents.operators: " + fault));
  const SharedLattice& lattice = modes.lattice().shared();
  const CurrentLinks links{gauge == nullptr ? &solver.links().gauge : &gauge->field(),
                           boundary_of(modes.parts().info.operator_entries)};
  PropagatorSolver& solves = solver_of(solver, 4 * modes.count());
  std::vector<Field> solutions;
  QuarkLines found;
  found.perambulator =
      perambulator(lattice, modes.parts().of_slices(), solves, t, solver.gauge_name(), true, &solutions)
          .numbers;
  for (const auto& one : generalised_perambulators(lattice, modes.parts().of_slices(), solves, solutions,
                                                   {t, sink_time}, currents, links, solver.gauge_name())
                             .currents)
    found.generalised.insert(found.generalised.end(), one.numbers.begin(), one.numbers.end());
  return found;
}

std::vector<std::complex<double>> meson_elementals(const LaplacianModes& modes, const std::array<int, 3>& n) {
  expect_momentum_of_modes(modes, n);
  return meson_elemental(modes.lattice().shared(), modes.parts().of_slices(), nullptr, n);
}

std::vector<std::complex<double>> meson_elementals(const LaplacianModes& modes, const GaugeField& gauge,
                                                   const std::string& derivative,
                                                   const std::array<int, 3>& n) {
  expect_momentum_of_modes(modes, n);
  expect_lattice_of_modes(gauge.lattice(), modes, "meson_elementals(): the gauge field");
  if (const std::string fault = derivative_fault(derivative); !fault.empty())
    throw Error(ErrorKind::usage, "meson_elementals(): derivative " + fault);
  const SharedLattice& lattice = modes.lattice().shared();
  const QuarkDerivative applied(lattice, gauge.field(), {}, boundary_of(modes.parts().info.operator_entries),
                                derivative);
  return meson_elemental(lattice, modes.parts().of_slices(), &applied, n);
}

std::vector<std::complex<double>> baryon_elementals(const LaplacianModes& modes,
                                                    const std::array<int, 3>& n) {
  expect_momentum_of_modes(modes, n);
  if (boundary_of(modes.parts().info.operator_entries) != periodic_in_space)
    throw Error(
        ErrorKind::usage,
        "baryon_elementals(): three quarks that are antiperiodic in space have momenta 2 pi (n + 1/2) / "
        "L, which elementals do not have; take modes that are periodic in space");
  return baryon_elemental(modes.lattice().shared(), modes.parts().of_slices(), n);
}

}  // namespace plaq
