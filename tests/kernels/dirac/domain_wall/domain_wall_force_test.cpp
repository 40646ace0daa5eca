// Forces of domain-wall quarks: the variation of the even-odd operator against matrices that are cut open
// link by link, and against differences of the operator itself.
#include "kernels/dirac/force/wilson_force.hpp"
#include "tests/kernels/dirac/force_support.hpp"
#include "tests/support/first_rank.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/operators/domain_wall.hpp"
#include "tests/support/shared_lattice.hpp"

namespace plaq::domain_wall_force_test {
namespace {

using reference::LinkMatrices;
using reference::SpinorField;
using test::WallProblem;
constexpr auto wide = Precision::double_precision;

// Factors of C = 1 - M5 D_pq M5 D_qp by their formulas, on fields of all sites.
class SlowComplement {
 public:
  SlowComplement(const WallProblem& p, const reference::GaugeField& gauge, int parity)
      : p_(p.theirs), gauge_(gauge), parity_(parity), m5_{matrix_m5(p_, 1), matrix_m5(p_, -1)} {}

  SpinorField m5(const SpinorField& in, bool dagger) const {
    return dagger ? times(m5_[0].transposed(), m5_[1].transposed(), in) : times(m5_[0], m5_[1], in);
  }
  // Hops to the sites of a parity, with their factor -1/2.
  SpinorField hops_to(int parity, const SpinorField& in, bool dagger) const {
    std::vector<SpinorField> slices;
    for (int s = 0; s < p_.Ls(); ++s) {
      const SpinorField from = only(1 - parity, slice(p_, in, s));
      slices.push_back(only(
          parity, dagger ? wilson_dagger(p_.wilson(), gauge_, from) : wilson(p_.wilson(), gauge_, from)));
    }
    return reference::joined(slices);
  }
  SpinorField only(int parity, SpinorField v) const {
    for (std::size_t k = 0; k < v.size(); ++k)
      if (gauge_.lattice.parity(static_cast<int>(k % gauge_.link.size())) != parity) v[k] = {};
    return v;
  }
  SpinorField applied(const SpinorField& x) const {
    const SpinorField there = m5(hops_to(1 - parity_, x, false), false);
    SpinorField out = only(parity_, x);
    reference::add(out, -1, m5(hops_to(parity_, there, false), false));
    return out;
  }
  // N of -2 Re Y^dagger dC X: pairs of each slice.
  LinkMatrices variation(const SpinorField& x, const SpinorField& y) const {
    SpinorField all_x = only(parity_, x), all_y = m5(only(parity_, y), true);
    const SpinorField there_x = m5(hops_to(1 - parity_, all_x, false), false),
                      there_y = m5(hops_to(1 - parity_, all_y, true), true);
    reference::add(all_x, -1, there_x);
    reference::add(all_y, -1, there_y);
    LinkMatrices n(gauge_.link.size());
    for (int s = 0; s < p_.Ls(); ++s) {
      const auto more = hop_variation(p_.wilson(), gauge_, slice(p_, all_x, s), slice(p_, all_y, s));
      for (std::size_t site = 0; site < n.size(); ++site)
        for (std::size_t mu = 0; mu < 4; ++mu) n[site][mu] = n[site][mu] + more[site][mu];
    }
    return n;
  }

 private:
  reference::DomainWallParameters p_;
  reference::GaugeField gauge_;
  int parity_;
  std::array<reference::RealDense, 2> m5_;
};

struct Case {
  test::Wall wall;
  int Ls;
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << test::name_of(c.wall) << "_" << c.Ls;
}

// The force by plaq. Slices are read three at a time, so that a batch of them ends within a pass.
// `walls`: of the fields; `hops`: of the kernels.
Field fast_force(const WallProblem& p, const SharedLattice& here, int parity,
                 const DomainWallParameters& walls, const WilsonParameters& hops) {
  const GeometryPtr& geometry = here.geometry;
  const Location location = here.location();
  const auto hopping =
      make_domain_wall_hopping(*here.grid, test::to_plaq(p.gauge, geometry, wide, Location::host), walls,
                               LinkStorage(wide, 18), here.queue, here.transport, 1 - parity);
  DomainWallSchur schur(hopping, walls, parity, 1);
  const auto half = [&](const SpinorField& v) {
    return five_to_plaq(p, {v}, geometry, subset_of(parity), wide, location);
  };
  const FieldSpec whole = five_dimensional_spec(Subset::full, 1, walls.Ls(), wide, location);
  Field x(geometry, whole), y(geometry, whole);
  schur.complete(x, half(p.in[0]));
  schur.complete_adjoint(y, half(p.in[1]));
  const auto extended = geometry->extended(1);
  const Field links = test::to_plaq(p.gauge, extended, wide, location);
  Field force(extended, algebra_spec(wide, location));
  WilsonForce kernels(*here.grid, extended, hops, here.queue, here.transport, 3);
  kernels.begin(force);
  kernels.add_pair(force, links, x, y, 1);
  kernels.finish(force, links);
  here.queue.synchronize();
  return force;
}

class DomainWallForce : public testing::TestWithParam<Case> {};

TEST_P(DomainWallForce, MatchesMatricesCutOpenOnAllGrids) {
  const Extents extents{4, 2, 6, 4};
  const auto [wall, Ls] = GetParam();
  const WallProblem p = test::make_wall_problem(extents, wall, Ls, 2);
  for (int parity = 0; parity < 2; ++parity) {
    const auto expected = test::from_first_rank(
        [&] { return force_of(SlowComplement(p, p.gauge, parity).variation(p.in[0], p.in[1])); });
    test::for_all_geometries(
        extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
          const Field force =
              fast_force(p, test::lattice_on(grid, geometry, location), parity, p.ours, p.ours.wilson());
          test::expect_force(force, geometry, expected);
        });
  }
}

// F(x) becomes g(x) F(x) g(x)^dagger.
TEST_P(DomainWallForce, IsCovariant) {
  const Extents extents{4, 2, 6, 4};
  const auto [wall, Ls] = GetParam();
  const WallProblem p = test::make_wall_problem(extents, wall, Ls, 2);
  reference::Generator generator(94);
  const auto g = reference::random_transformation(p.gauge.lattice, generator);
  WallProblem turned = p;
  turned.gauge = transformed(p.gauge, g);
  for (SpinorField& five : turned.in) {
    std::vector<SpinorField> slices;
    for (int s = 0; s < Ls; ++s) slices.push_back(times(g, slice(p.theirs, five, s)));
    five = reference::joined(slices);
  }
  const auto expected = test::from_first_rank([&] {
    LinkMatrices f = force_of(SlowComplement(p, p.gauge, 0).variation(p.in[0], p.in[1]));
    for (std::size_t x = 0; x < f.size(); ++x)
      for (auto& m : f[x]) m = g[x] * m * dagger(g[x]);
    return f;
  });
  test::for_some_geometries(
      extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
        const Field force = fast_force(turned, test::lattice_on(grid, geometry, location), 0, turned.ours,
                                       turned.ours.wilson());
        test::expect_force(force, geometry, expected);
      });
}

// Wrong weights or masses of the fields, and wrong signs of boundaries in the kernels.
TEST(DomainWallForceMistakes, AreSeen) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Extents extents{4, 2, 2, 4};
  const WallProblem p = test::make_wall_problem(extents, test::Wall::moebius, 3, 2);
  const ProcessGrid grid(MPI_COMM_SELF, {1, 1, 1, 1});
  const SharedLattice here = test::lattice_on(grid, grid.geometry(extents), Location::host);
  const auto expected = force_of(SlowComplement(p, p.gauge, 0).variation(p.in[0], p.in[1]));
  const auto off = [&](const DomainWallParameters& walls, const WilsonParameters& hops) {
    return test::force_difference(fast_force(p, here, 0, walls, hops), here.geometry, expected);
  };
  EXPECT_LT(off(p.ours, p.ours.wilson()), 2e-12);
  for (int mu = 0; mu < 4; ++mu) {
    WilsonParameters hops = p.ours.wilson();
    hops.boundary[static_cast<std::size_t>(mu)] *= -1;
    EXPECT_GT(off(p.ours, hops), 0.01) << "boundary " << mu;
  }
  for (const int slice : {0, 1, 2}) {
    const auto s = static_cast<std::size_t>(slice);
    DomainWallParameters walls = p.ours;
    walls.sigma[s] += 0.1;
    EXPECT_GT(off(walls, walls.wilson()), 0.01) << "sigma";
    walls = p.ours;
    walls.omega[s] += 0.1;
    EXPECT_GT(off(walls, walls.wilson()), 0.01) << "omega";
  }
  DomainWallParameters walls = p.ours;
  walls.mass = 1;
  EXPECT_GT(off(walls, walls.wilson()), 0.01) << "mass";
  walls = p.ours;
  walls.minus_mass = 1;
  EXPECT_GT(off(walls, walls.wilson()), 0.01) << "mass of one chirality";
}

TEST_P(DomainWallForce, IsTheDerivativeOfTheOperator) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const auto [wall, Ls] = GetParam();
  const WallProblem p = test::make_wall_problem({2, 2, 4, 2}, wall, Ls, 2, 0.4);
  reference::Generator generator(92);
  const auto t = random_direction(p.gauge.lattice, generator);
  for (int parity = 0; parity < 2; ++parity) {
    const double predicted =
        derivative_along(t, force_of(SlowComplement(p, p.gauge, parity).variation(p.in[0], p.in[1])));
    const double difference = test::central_difference(
        [&](double e) {
          const SlowComplement c(p, moved_along(p.gauge, t, e), parity);
          return -2 * reference::dot(c.only(parity, p.in[1]), c.applied(p.in[0])).real();
        },
        8e-3);
    EXPECT_NEAR(predicted / difference, 1, 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Walls, DomainWallForce,
                         testing::Values(Case{test::Wall::shamir, 4}, Case{test::Wall::moebius, 5},
                                         Case{test::Wall::optimal, 4}, Case{test::Wall::general, 3},
                                         Case{test::Wall::steep, 2}, Case{test::Wall::anisotropic, 7},
                                         Case{test::Wall::borici, 1}),
                         [](const auto& info) {
                           return test::name_of(info.param.wall) + "_" + std::to_string(info.param.Ls);
                         });

}  // namespace
}  // namespace plaq::domain_wall_force_test
