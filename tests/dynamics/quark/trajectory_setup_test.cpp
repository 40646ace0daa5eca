// Multigrid that follows the links of a trajectory, and is renewed.
#include "dynamics/quark/trajectory_setup.hpp"

#include "dynamics/quark/wilson_quark.hpp"
#include "kernels/dirac/force/pseudofermion.hpp"
#include "tests/dynamics/chain.hpp"
#include "tests/support/files.hpp"

namespace plaq::trajectory_setup_test {
namespace {

constexpr Extents extents{4, 4, 4, 8};
constexpr double renewal = 6, never = 1e9;

MdSolverSettings solver(double renewal) {
  MdSolverSettings settings{.force_tolerance = 1e-8, .action_tolerance = 1e-12};
  settings.largest_multigrid_twist = 0.1;
  settings.setup_renewal = renewal;
  settings.multigrid = MultigridOptions{.blocks = {{2, 2, 2, 4}},
                                        .vectors = {6},
                                        .precision = Precision::single_precision,
                                        .storage = Precision::single_precision,
                                        .filter_iterations = 8,
                                        .rounds = 2};
  return settings;
}

// A quark on links that become smoother, so that its lowest modes come down.
struct Course {
  SharedLattice lattice;
  WilsonQuark quark;
  Field source, x;
  PhaseSpace space;

  Course(const ProcessGrid& grid, const GeometryPtr& geometry, const Field& links, double renewed = renewal)
      : lattice(test::shared_lattice(grid, geometry, links.location())),
        quark(lattice, {.mass = WilsonParameters::mass_of_kappa(0.138), .clover = {1.1, 1.1}},
              solver(renewed)),
        source(quark.vector()),
        x(quark.vector()),
        space(lattice, links, 1) {
    draw_pseudofermion(source, 5, 8, 20, lattice.queue);
    space.draw_momenta(3, 1);
    space.drift(0.6);
    quark.begin_trajectory(space.links());
  }
  void move() {
    space.drift(-0.05);
    quark.update(space.links());
  }
  std::int64_t solve() {
    std::int64_t iterations = 0;
    for (const double mu : {0.0, 0.02}) iterations += quark.solve(x, source, mu, 1e-8);
    return iterations;
  }
};

auto weak_links() {
  reference::Generator generator(12);
  return reference::weak_gauge({extents}, generator, 0.3);
}

TEST(TrajectorySetup, IsRenewedWhenItHasAged) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    const test::LatticeAlone alone(extents, location);
    const Field links = test::to_plaq(weak_links(), alone.geometry, Precision::double_precision, location);
    Course course(alone.grid, alone.geometry, links), old(alone.grid, alone.geometry, links, never);
    EXPECT_EQ(course.solve(), old.solve());
    EXPECT_GT(course.quark.take_setup_rounds(), 0);
    EXPECT_GT(old.quark.take_setup_rounds(), 0);
    int renewals = 0, followed = 0;
    std::int64_t now = 0, of_old = 0;
    for (int step = 0; step < 12; ++step) {
      course.move();
      old.move();
      now = course.solve();
      of_old = old.solve();
      if (course.quark.take_setup_rounds() > 0) {
        ++renewals;
        EXPECT_GT(followed, 1);  // not for each of the links
        followed = 0;
      } else {
        ++followed;
      }
    }
    EXPECT_GE(renewals, 2);
    EXPECT_LT(static_cast<double>(now), 0.9 * static_cast<double>(of_old));
    EXPECT_EQ(old.quark.take_setup_rounds(), 0);
  }
}

// Kept before a renewal and after it, written on one grid and gone on from on another one. If ranks split t,
// multigrid is on fewer of them.
TEST(TrajectorySetup, IsInTheStateOfATrajectory) {
  const test::SharedDirectory directory;
  const auto links = weak_links();
  std::vector<std::vector<std::uint64_t>> steps;  // bits of each
  std::size_t place = 0;
  test::Turns turns(6);
  const auto path = [&](std::size_t step) { return directory / ("state" + std::to_string(step)); };
  const auto grids = allowed_grids(test::world_size(), extents);
  test::for_geometries(
      extents, grids, {0, 15}, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
        if (location != Location::host || !turns.mine()) return;
        const auto at_start = [&] {
          return Course(grid, geometry,
                        test::to_plaq(links, geometry, Precision::double_precision, location));
        };
        const auto solved = [&](Course& course) {
          std::vector<std::uint64_t> bits{static_cast<std::uint64_t>(course.solve())};
          bits.push_back(static_cast<std::uint64_t>(course.quark.take_setup_rounds()));
          bits.push_back(test::fingerprint(course.x, grid));
          return bits;
        };
        if (steps.empty()) {
          Course whole = at_start();
          int renewals = 0;
          solved(whole);
          for (std::size_t step = 0; step < 12 && renewals < 2; ++step) {
            whole.move();
            StateArchive archive;
            whole.quark.remember(archive);
            write_state(path(step), grid, geometry, "", archive.take());
            steps.push_back(solved(whole));
            if (steps.back()[1] > 0) ++renewals;
          }
          ASSERT_EQ(renewals, 2);
        }
        place = (place + 3) % steps.size();
        Course resumed = at_start();
        for (std::size_t step = 0; step <= place; ++step) resumed.move();
        StateArchive archive(read_state(path(place), grid, geometry));
        resumed.quark.remember(archive);
        archive.expect_end();
        for (std::size_t step = place; step < steps.size(); ++step) {
          if (step > place) resumed.move();
          EXPECT_EQ(solved(resumed), steps[step]) << step << " from " << place;
        }
      });
}

}  // namespace
}  // namespace plaq::trajectory_setup_test
