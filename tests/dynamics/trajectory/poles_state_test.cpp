// Trajectories with poles by multigrid that are interrupted and go on from their state.
#include "tests/dynamics/trajectory/state_chain.hpp"
#include "tests/support/files.hpp"

namespace plaq::poles_state_test {
namespace {

using test::Bits, test::StateCase;
using test::bits_from, test::state_extents, test::stop_at, test::whole_trajectory;

constexpr auto poles = StateCase::Poles::by_multigrid;

TEST(TrajectoryStateOfPoles, LeadsToTheSameBitsFromAnyPlace) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const test::SharedDirectory directory;
  const std::string path = directory / "state";
  for (const Location location : test::locations()) {
    const test::LatticeAlone alone(state_extents, location);
    const StateCase here{alone.grid, alone.geometry, location, poles};
    const auto whole = whole_trajectory(here);
    ASSERT_EQ(whole.rounds_of_poles.size(), 2 * 8u);  // drifts
    EXPECT_LT(whole.rounds_of_poles.front(), whole.rounds_of_poles.at(7)) << "no vectors were refreshed";
    for (const std::size_t place : {0u, 7u, 13u}) {
      SCOPED_TRACE(place);
      stop_at(place, path, here);
      EXPECT_EQ(bits_from(read_state(path, alone.grid, alone.geometry), here), whole.bits);
    }
  }
}

// Written on one grid, gone on from on another one. If ranks split t, multigrid is on fewer of them.
TEST(TrajectoryStateOfPoles, LeadsToTheSameBitsOnAnotherGrid) {
  if (test::world_size() == 1) GTEST_SKIP() << "one rank tries places";
  const test::SharedDirectory directory;
  const std::string path = directory / "state";
  Bits bits;
  std::size_t place = 2;
  test::Turns turns(5);
  test::for_all_geometries(state_extents,
                           [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
                             if (location != Location::host || !turns.mine()) return;
                             const StateCase here{grid, geometry, location, poles};
                             if (bits.empty()) bits = whole_trajectory(here).bits;
                             if (place > 2) {
                               EXPECT_EQ(bits_from(read_state(path, grid, geometry), here), bits);
                             }
                             stop_at(place, path, here);
                             place = 3 + (place + 1) % 12;
                           });
}

}  // namespace
}  // namespace plaq::poles_state_test
