// Trajectories that are interrupted and go on from their state: to the same bits, on any process grid.
#include "tests/dynamics/trajectory/state_chain.hpp"
#include "tests/support/files.hpp"

namespace plaq::trajectory_state_test {
namespace {

using test::Bits, test::StateCase, test::StateChain;
using test::bits_from, test::options_at, test::state_extents, test::stop_at, test::whole_trajectory;

TEST(TrajectoryState, LeadsToTheSameBitsFromAnyPlace) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const test::SharedDirectory directory;
  const std::string path = directory / "state";
  for (const Location location : test::locations()) {
    const test::LatticeAlone alone(state_extents, location);
    const StateCase here{alone.grid, alone.geometry, location};
    const auto whole = whole_trajectory(here);
    const auto& rounds = whole.rounds;
    ASSERT_EQ(rounds.size(), 2 * 8u);  // drifts
    EXPECT_LT(rounds.front(), rounds.at(7)) << "no vectors were refreshed on the way";
    for (const std::size_t place : {0u, 1u, 3u, 6u, 7u, 8u, 11u, 15u}) {
      SCOPED_TRACE(place);
      stop_at(place, path, here);
      EXPECT_EQ(bits_from(read_state(path, alone.grid, alone.geometry), here), whole.bits);
    }
  }
}

// Written on one grid, gone on from on another one. If ranks split t, multigrid is on fewer of them.
TEST(TrajectoryState, LeadsToTheSameBitsOnAnotherGrid) {
  const test::SharedDirectory directory;
  const std::string path = directory / "state";
  Bits bits;
  std::size_t place = 2;
  test::for_two_geometries(state_extents,
                           [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
                             if (location != Location::host) return;
                             const StateCase here{grid, geometry, location};
                             if (bits.empty()) bits = whole_trajectory(here).bits;
                             if (place > 2) {
                               EXPECT_EQ(bits_from(read_state(path, grid, geometry), here), bits);
                             }
                             stop_at(place, path, here);
                             place = 3 + (place + 1) % 12;
                           });
}

// A trajectory from a setup of other vectors or links is another one.
TEST(TrajectoryState, HasTheSetupOfItsPlace) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const test::SharedDirectory directory;
  const test::LatticeAlone alone(state_extents);
  const StateCase here{alone.grid, alone.geometry, Location::host};
  const auto state_at = [&](std::size_t place) {
    stop_at(place, directory / "state", here);
    return read_state(directory / "state", alone.grid, alone.geometry);
  };
  State early = state_at(0), late = state_at(7);
  ASSERT_EQ(early.fields.size(), 4u);  // vectors, links of the setup, links, momenta
  const Bits right = bits_from(late, here);
  for (const std::size_t field : {0u, 1u}) {
    State other = late;
    other.fields[field] = early.fields[field];
    EXPECT_NE(bits_from(other, here), right) << field;
  }
}

TEST(TrajectoryState, ThatDoesNotFitIsRefusedAndChangesNothing) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const test::SharedDirectory directory;
  const std::string path = directory / "state";
  const test::LatticeAlone alone(state_extents);
  const StateCase here{alone.grid, alone.geometry, Location::host};
  stop_at(3, path, here);
  State state = read_state(path, alone.grid, alone.geometry);
  state.numbers.pop_back();
  StateChain chain(here);
  test::expect_error([&] { chain.hmc.trajectory(chain.space, 1, options_at({}, &state)); },
                     ErrorKind::input_file, {"does not fit"});
  const auto report = chain.hmc.trajectory(chain.space, 1, options_at({}));
  EXPECT_EQ(chain.bits_of(report, chain.take_setup_rounds()), whole_trajectory(here).bits);
}

}  // namespace
}  // namespace plaq::trajectory_state_test
