// A chain for tests of trajectories that are interrupted and go on from their state.
#pragma once

#include <bit>

#include "dynamics/monomial/gauge_monomial.hpp"
#include "dynamics/monomial/pair_monomial.hpp"
#include "dynamics/monomial/rational_monomial.hpp"
#include "io/state/state_file.hpp"
#include "tests/dynamics/chain.hpp"
#include "tests/support/errors.hpp"

namespace plaq::test {

using Bits = std::vector<std::uint64_t>;
inline const Extents state_extents{4, 4, 4, 4};

inline Field weak_start(const GeometryPtr& geometry, Location location) {
  reference::Generator generator(12);
  return to_plaq(reference::weak_gauge({state_extents}, generator, 0.3), geometry,
                 Precision::double_precision, location);
}

// Lattice, location and third flavour of a chain.
struct StateCase {
  enum class Poles { by_cg, by_multigrid };

  const ProcessGrid& grid;
  const GeometryPtr& geometry;
  Location location;
  Poles poles = Poles::by_cg;
};

// Quarks with multigrid, whose near-null vectors are refreshed on the way, a third flavour, the gauge action,
// and the prediction of dH.
struct StateChain {
  SharedLattice lattice;
  std::shared_ptr<FirstSetup> setup = std::make_shared<FirstSetup>();
  std::shared_ptr<WilsonQuark> light, strange;
  HybridMonteCarlo hmc;
  PhaseSpace space;

  explicit StateChain(const StateCase& of)
      : lattice(shared_lattice(of.grid, of.geometry, of.location)),
        light(quark(0.14, 0.1)),
        strange(of.poles == StateCase::Poles::by_cg ? quark(0.115, {}) : quark(0.14, 1)),
        hmc(MolecularDynamics(levels(), 0.8), 1),
        space(lattice, weak_start(of.geometry, of.location), hmc.halo_depth()) {
    hmc.dynamics().predict_delta_h();
  }

  std::shared_ptr<WilsonQuark> quark(double kappa, std::optional<double> largest_twist) const {
    MdSolverSettings settings{.force_tolerance = 1e-8, .action_tolerance = 1e-10};
    settings.largest_multigrid_twist = largest_twist;
    settings.setup_renewal = 0.5;
    if (largest_twist)
      settings.multigrid = MultigridOptions{.blocks = {{2, 2, 2, 4}},
                                            .vectors = {4},
                                            .precision = Precision::single_precision,
                                            .storage = Precision::single_precision,
                                            .filter_iterations = 8,
                                            .rounds = 3};
    const WilsonParameters parameters{.mass = WilsonParameters::mass_of_kappa(kappa), .clover = {1.1, 1.1}};
    return std::make_shared<WilsonQuark>(lattice, parameters, settings, QuarkLinks{.setup = setup});
  }
  std::vector<MdLevel> levels() const {
    const auto root = std::make_shared<InverseRoot>(strange, InverseRootSettings{.tolerance = 1e-4});
    return {{{Integrator::omelyan2, 1},
             {std::make_shared<PairMonomial>("ratio", 1, light, 0, 0.3),
              std::make_shared<RationalMonomial>("rational", 2, root)}},
            {{Integrator::leapfrog, 2}, {std::make_shared<PairMonomial>("heavy", 0, light, 0.3)}},
            {{Integrator::force_gradient, 1},
             {std::make_shared<GaugeMonomial>(lattice, wilson_gauge_action(5.6))}}};
  }

  int take_setup_rounds() const { return light->take_setup_rounds() + strange->take_setup_rounds(); }

  Bits bits_of(const TrajectoryReport& report, int rounds) {
    EXPECT_EQ(report.failure, "");
    std::vector<double> numbers{report.delta_h, report.acceptance, report.accepted ? 1.0 : 0.0,
                                double(rounds)};
    for (const EnergyChange& part : report.energies) numbers.insert(numbers.end(), {part.start, part.end});
    for (const ForceRecord& force : report.forces)
      numbers.insert(numbers.end(), {double(force.count), force.mean_square, force.largest});
    numbers.insert(numbers.end(), report.predicted_delta_h.begin(), report.predicted_delta_h.end());
    for (const std::int64_t count : report.iterations) numbers.push_back(double(count));
    numbers.insert(numbers.end(), {report.reversibility->links, report.reversibility->energy});
    Bits bits;
    for (const double number : numbers) bits.push_back(std::bit_cast<std::uint64_t>(number));
    Field plain(lattice.geometry, space.links().spec());
    copy(plain, space.links());
    bits.push_back(fingerprint(plain, *lattice.grid));
    return bits;
  }
};

inline TrajectoryOptions options_at(const std::function<void(const TrajectoryPlace&)>& at_place,
                                    const State* from = nullptr) {
  TrajectoryOptions options;
  options.always_accept = options.check_reversibility = true;
  options.at_place = at_place;
  options.from = from;
  return options;
}

struct Whole {
  Bits bits;
  std::vector<int> rounds = {}, rounds_of_poles = {};  // of setups before each place
};
inline Whole whole_trajectory(const StateCase& of) {
  StateChain chain(of);
  Whole whole;
  int rounds = 0, of_poles = 0;
  const auto report = chain.hmc.trajectory(chain.space, 1, options_at([&](const TrajectoryPlace&) {
                                             rounds += chain.light->take_setup_rounds();
                                             of_poles += chain.strange->take_setup_rounds();
                                             whole.rounds.push_back(rounds);
                                             whole.rounds_of_poles.push_back(of_poles);
                                           }));
  whole.bits = chain.bits_of(report, rounds + of_poles + chain.take_setup_rounds());
  return whole;
}

// Stops at a place, counted from 0 on, with the state in a file.
inline void stop_at(std::size_t place, const std::string& path, const StateCase& of) {
  StateChain chain(of);
  std::size_t count = 0;
  const auto stop = [&](const TrajectoryPlace& here) {
    if (count++ < place) return;
    write_state(path, of.grid, of.geometry, "", here.state());
    throw Error(ErrorKind::stopped, "enough");
  };
  expect_error([&] { chain.hmc.trajectory(chain.space, 1, options_at(stop)); }, ErrorKind::stopped, {});
}

inline Bits bits_from(const State& state, const StateCase& of) {
  StateChain chain(of);
  const auto report = chain.hmc.trajectory(chain.space, 1, options_at({}, &state));
  return chain.bits_of(report, chain.take_setup_rounds());
}

}  // namespace plaq::test
