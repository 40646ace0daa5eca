// Trajectories that are interrupted and go on from their state: to the same bits, on any process grid.
#include "io/state/state_file.hpp"

#include <bit>

#include "dynamics/monomial/gauge_monomial.hpp"
#include "dynamics/monomial/rational_monomial.hpp"
#include "dynamics/monomial/twisted_monomial.hpp"
#include "tests/dynamics/chain.hpp"
#include "tests/support/files.hpp"

namespace plaq::trajectory_state_test {
namespace {

using Bits = std::vector<std::uint64_t>;
const Extents extents{4, 4, 4, 4};

Field weak_start(const GeometryPtr& geometry, Location location) {
  reference::Generator generator(12);
  return test::to_plaq(reference::weak_gauge({extents}, generator, 0.3), geometry,
                       Precision::double_precision, location);
}

// Quarks with multigrid, whose near-null vectors are refreshed on the way, a third flavour, the gauge action,
// and the prediction of dH.
struct Chain {
  SharedLattice lattice;
  std::shared_ptr<WilsonQuark> light, strange;
  HybridMonteCarlo hmc;
  PhaseSpace space;

  Chain(const ProcessGrid& grid, const GeometryPtr& geometry, Location location)
      : lattice(test::shared_lattice(grid, geometry, location)),
        light(quark(0.14, true)),
        strange(quark(0.115, false)),
        hmc(MolecularDynamics(levels(), 0.8), 1),
        space(lattice, weak_start(geometry, location), hmc.halo_depth()) {
    hmc.dynamics().predict_delta_h();
  }

  std::shared_ptr<WilsonQuark> quark(double kappa, bool has_multigrid) const {
    MdSolverSettings settings{.force_tolerance = 1e-8, .action_tolerance = 1e-10};
    if (has_multigrid)
      settings.multigrid = MultigridOptions{.blocks = {{2, 2, 2, 4}},
                                            .vectors = {4},
                                            .precision = Precision::single_precision,
                                            .storage = Precision::single_precision,
                                            .filter_iterations = 8,
                                            .rounds = 3};
    if (has_multigrid) settings.largest_multigrid_twist = 0.1;
    const WilsonParameters parameters{.mass = WilsonParameters::mass_of_kappa(kappa), .clover = {1.1, 1.1}};
    return std::make_shared<WilsonQuark>(lattice, parameters, settings);
  }
  std::vector<MdLevel> levels() const {
    const auto root = std::make_shared<InverseRoot>(strange, InverseRootSettings{.tolerance = 1e-4});
    return {{{Integrator::omelyan2, 1},
             {std::make_shared<TwistedMonomial>("ratio", 1, light, 0, 0.3),
              std::make_shared<RationalMonomial>("rational", 2, root)}},
            {{Integrator::leapfrog, 2}, {std::make_shared<TwistedMonomial>("heavy", 0, light, 0.3)}},
            {{Integrator::force_gradient, 1},
             {std::make_shared<GaugeMonomial>(lattice, wilson_gauge_action(5.6))}}};
  }

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
    bits.push_back(test::fingerprint(plain, *lattice.grid));
    return bits;
  }
};

TrajectoryOptions options_at(const std::function<void(const TrajectoryPlace&)>& at_place,
                             const State* from = nullptr) {
  TrajectoryOptions options;
  options.always_accept = options.check_reversibility = true;
  options.at_place = at_place;
  options.from = from;
  return options;
}

struct Whole {
  Bits bits;
  std::vector<int> rounds = {};  // of setups before each place
};
Whole whole_trajectory(const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
  Chain chain(grid, geometry, location);
  Whole whole;
  int rounds = 0;
  const auto report = chain.hmc.trajectory(chain.space, 1, options_at([&](const TrajectoryPlace&) {
                                             rounds += chain.light->take_setup_rounds();
                                             whole.rounds.push_back(rounds);
                                           }));
  rounds += chain.light->take_setup_rounds();
  whole.bits = chain.bits_of(report, rounds);
  return whole;
}

// Stops at a place, counted from 0 on, with the state in a file.
void stop_at(std::size_t place, const std::string& path, const ProcessGrid& grid, const GeometryPtr& geometry,
             Location location) {
  Chain chain(grid, geometry, location);
  std::size_t count = 0;
  const auto stop = [&](const TrajectoryPlace& here) {
    if (count++ < place) return;
    write_state(path, grid, geometry, "", here.state());
    throw Error(ErrorKind::stopped, "enough");
  };
  test::expect_error([&] { chain.hmc.trajectory(chain.space, 1, options_at(stop)); }, ErrorKind::stopped, {});
}

Bits bits_from(const State& state, const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
  Chain chain(grid, geometry, location);
  const auto report = chain.hmc.trajectory(chain.space, 1, options_at({}, &state));
  return chain.bits_of(report, chain.light->take_setup_rounds());
}

TEST(TrajectoryState, LeadsToTheSameBitsFromAnyPlace) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const test::SharedDirectory directory;
  const std::string path = directory / "state";
  for (const Location location : test::locations()) {
    const test::LatticeAlone alone(extents, location);
    const auto [bits, rounds] = whole_trajectory(alone.grid, alone.geometry, location);
    ASSERT_EQ(rounds.size(), 2 * 8u);  // drifts
    EXPECT_LT(rounds.front(), rounds.at(7)) << "no vectors were refreshed on the way";
    for (const std::size_t place : {0u, 1u, 3u, 6u, 7u, 8u, 11u, 15u}) {
      SCOPED_TRACE(place);
      stop_at(place, path, alone.grid, alone.geometry, location);
      EXPECT_EQ(bits_from(read_state(path, alone.grid, alone.geometry), alone.grid, alone.geometry, location),
                bits);
    }
  }
}

// Written on one grid, gone on from on another one. If ranks split t, multigrid is on fewer of them.
TEST(TrajectoryState, LeadsToTheSameBitsOnAnotherGrid) {
  const test::SharedDirectory directory;
  const std::string path = directory / "state";
  Bits bits;
  std::size_t place = 2;
  test::for_all_geometries(
      extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
        if (location != Location::host) return;
        if (bits.empty()) bits = whole_trajectory(grid, geometry, location).bits;
        if (place > 2) {
          EXPECT_EQ(bits_from(read_state(path, grid, geometry), grid, geometry, location), bits);
        }
        stop_at(place, path, grid, geometry, location);
        place = 3 + (place + 1) % 12;
      });
}

// A trajectory from vectors of another place is another one.
TEST(TrajectoryState, HasTheNearNullVectorsOfItsPlace) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const test::SharedDirectory directory;
  const test::LatticeAlone alone(extents);
  const auto state_at = [&](std::size_t place) {
    stop_at(place, directory / "state", alone.grid, alone.geometry, Location::host);
    return read_state(directory / "state", alone.grid, alone.geometry);
  };
  State early = state_at(0), late = state_at(7);
  ASSERT_EQ(early.fields.size(), 3u);  // vectors, links, momenta
  const Bits right = bits_from(late, alone.grid, alone.geometry, Location::host);
  late.fields[0] = early.fields[0];
  EXPECT_NE(bits_from(late, alone.grid, alone.geometry, Location::host), right);
}

TEST(TrajectoryState, ThatDoesNotFitIsRefusedAndChangesNothing) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const test::SharedDirectory directory;
  const std::string path = directory / "state";
  const test::LatticeAlone alone(extents);
  stop_at(3, path, alone.grid, alone.geometry, Location::host);
  State state = read_state(path, alone.grid, alone.geometry);
  state.numbers.pop_back();
  Chain chain(alone.grid, alone.geometry, Location::host);
  test::expect_error([&] { chain.hmc.trajectory(chain.space, 1, options_at({}, &state)); },
                     ErrorKind::input_file, {"does not fit"});
  const auto report = chain.hmc.trajectory(chain.space, 1, options_at({}));
  EXPECT_EQ(chain.bits_of(report, chain.light->take_setup_rounds()),
            whole_trajectory(alone.grid, alone.geometry, Location::host).bits);
}

}  // namespace
}  // namespace plaq::trajectory_state_test
