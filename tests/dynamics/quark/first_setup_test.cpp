// The first multigrid setup of a trajectory, with whose near-null vectors all masses begin.
#include <bit>

#include "dynamics/quark/multigrid_solves.hpp"
#include "kernels/dirac/force/pseudofermion.hpp"
#include "tests/dynamics/chain.hpp"
#include "tests/support/files.hpp"

namespace plaq::first_setup_test {
namespace {

using test::LatticeAlone;

WilsonParameters quarks_of(double kappa) {
  return {.mass = WilsonParameters::mass_of_kappa(kappa), .clover = {1.1, 1.1}};
}

MdSolverSettings solver(std::optional<double> largest_twist = 0.1) {
  MdSolverSettings settings{.force_tolerance = 1e-9, .action_tolerance = 1e-12};
  settings.largest_multigrid_twist = largest_twist;
  settings.multigrid = MultigridOptions{.blocks = {{2, 2, 2, 4}},
                                        .vectors = {6},
                                        .precision = Precision::single_precision,
                                        .storage = Precision::single_precision,
                                        .filter_iterations = 8,
                                        .rounds = 2};
  return settings;
}

// Near-null vectors of one mass are as good for another one.
TEST(FirstSetup, IsThatOfAllMassesOfATrajectory) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 4, 4, 8});
  const auto setup = std::make_shared<FirstSetup>();
  WilsonQuark light(alone.lattice, quarks_of(0.131), solver(), {.setup = setup}),
      heavy(alone.lattice, quarks_of(0.128), solver(), {.setup = setup}),
      apart(alone.lattice, quarks_of(0.128), solver());
  Field b = light.vector(), x = light.vector(), exact = light.vector();
  draw_pseudofermion(b, 5, 8, 20, alone.lattice.queue);
  for (const unsigned trajectory : {3, 4}) {
    const Field links = alone.weak_links(0.3, trajectory);
    for (WilsonQuark* quark : {&light, &heavy, &apart}) quark->begin_trajectory(links);
    light.solve(x, b, 0, 1e-12);
    EXPECT_GT(light.take_setup_rounds(), 0);
    const auto shared = heavy.solve(x, b, 0, 1e-12), own = apart.solve(exact, b, 0, 1e-12);
    heavy.add(exact, -1, x);
    EXPECT_LT(heavy.real_product(exact, exact), 1e-20 * heavy.real_product(x, x));
    EXPECT_EQ(heavy.take_setup_rounds(), 0);
    EXPECT_GT(apart.take_setup_rounds(), 0);
    EXPECT_LE(shared, own + 2);
  }
}

// Three masses. The first one alone is solved before links move; by the spectrum of the second one, multigrid
// of its shifts does not pay.
struct Masses {
  SharedLattice lattice;
  std::shared_ptr<FirstSetup> setup = std::make_shared<FirstSetup>();
  WilsonQuark a, b, c;
  Field source, x;
  PhaseSpace space;

  Masses(const ProcessGrid& grid, const GeometryPtr& geometry, const Field& links)
      : lattice(test::shared_lattice(grid, geometry, links.location())),
        a(lattice, quarks_of(0.131), solver(), {.setup = setup}),
        b(lattice, quarks_of(0.130), solver({}), {.setup = setup}),
        c(lattice, quarks_of(0.129), solver(), {.setup = setup}),
        source(a.vector()),
        x(a.vector()),
        space(lattice, links, 1) {
    draw_pseudofermion(source, 5, 8, 20, lattice.queue);
    space.draw_momenta(3, 1);
    for (WilsonQuark* quark : {&a, &b, &c}) quark->begin_trajectory(space.links());
  }
  void move() {
    space.drift(0.05);
    for (WilsonQuark* quark : {&a, &b, &c}) quark->update(space.links());
  }
  State before() {
    b.spectral_range();
    a.solve(x, source, 0, 1e-9);
    move();
    StateArchive archive;
    for (WilsonQuark* quark : {&a, &b, &c}) quark->remember(archive);
    return archive.take();
  }
  void restore(const State& state) {
    move();
    StateArchive archive(state);
    for (WilsonQuark* quark : {&a, &b, &c}) quark->remember(archive);
    archive.expect_end();
  }
  // Bits and iterations of later solves, and rounds of setups.
  std::vector<std::uint64_t> after() {
    std::vector<std::uint64_t> bits;
    const auto keep = [&](std::int64_t number) {
      bits.push_back(static_cast<std::uint64_t>(number));
      bits.push_back(test::fingerprint(x, *lattice.grid));
    };
    keep(a.solve(x, source, 0.02, 1e-9));
    std::vector<Field> y{b.vector(), x};
    keep(b.solve_shifts(y, source, {1e-4, 1}, 1e-9));
    keep(c.solve(x, source, 0, 1e-9));
    for (WilsonQuark* quark : {&a, &b, &c}) keep(quark->take_setup_rounds());
    return bits;
  }
};

// Written on one grid, gone on from on another one. If ranks split t, multigrid is on fewer of them.
TEST(FirstSetup, IsInTheStateOfATrajectory) {
  const test::SharedDirectory directory;
  const std::string path = directory / "state";
  const Extents extents{4, 4, 4, 4};
  reference::Generator generator(12);
  const auto links = reference::weak_gauge({extents}, generator, 0.3);
  std::vector<std::uint64_t> bits;
  test::for_some_geometries(
      extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
        if (location != Location::host) return;
        const Field start = test::to_plaq(links, geometry, Precision::double_precision, location);
        if (bits.empty()) {
          Masses whole(grid, geometry, start);
          write_state(path, grid, geometry, "", whole.before());
          bits = whole.after();
        }
        Masses resumed(grid, geometry, start);
        resumed.restore(read_state(path, grid, geometry));
        EXPECT_EQ(resumed.after(), bits);
      });
}

}  // namespace
}  // namespace plaq::first_setup_test
