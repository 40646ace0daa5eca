// Conserved currents of domain walls of all weights that have them: sums over slices and sites, and the Ward
// identities of the vector and the axial current between a point and any sink, with the same bits on all
// process grids.
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/dirac/domain_wall/domain_wall_quark.hpp"
#include "observables/quark/bilinears.hpp"
#include "tests/reference/gamma.hpp"
#include "tests/support/operators/domain_wall.hpp"
#include "tests/support/same_as_alone.hpp"
#include "tests/support/shared_lattice.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

namespace wall_currents_test {

using reference::Complex;
using reference::SpinorField;
using test::Batch;

const Extents extents{2, 2, 2, 4};
const Extents source{1, 0, 1, 2};
constexpr int sink = 0;  // time slice: two behind the source

// Walls with gamma5-hermitian quarks.
struct Walls {
  const char* name;
  DomainWallParameters parameters;
};
std::vector<Walls> all_walls() {
  using P = DomainWallParameters;
  constexpr double m0 = 1.7, mass = 0.5;
  P general = P::general({1.2, 0.7, 1.2}, {0.5, -0.1, 0.5}, m0, mass);
  general.xi = 2.3;
  general.nu = 1.2;
  std::vector<Walls> all = {{"shamir", P::shamir(3, m0, mass)},
                            {"moebius", P::moebius(2, m0, mass, 1.5, 0.5)},
                            {"general, anisotropic", general},
                            {"optimal", P::optimal(optimal_weights(2, 0.4, 6.2), m0, mass)}};
  for (Walls& walls : all) walls.parameters.boundary = {-1, 1, 1, -1};
  return all;
}

// The quark of a point, and M^-1 b of random numbers b on the slice of the sink by the walls read backwards,
// in five dimensions.
struct Problem {
  test::WallProblem walls, backwards;
  Batch point, b, quark, sequential;

  const reference::DomainWallParameters& theirs() const { return walls.theirs; }
  const reference::Lattice& lattice() const { return walls.gauge.lattice; }
  // D_w's weights of hops.
  std::array<double, 4> weights() const {
    const double space = walls.ours.nu / walls.ours.xi;
    return {space, space, space, 1};
  }
};

Problem make_problem(const Walls& of) {
  test::WallProblem walls = test::make_wall_problem(extents, test::Wall::shamir, of.parameters.Ls(), 0, 0.5);
  walls.ours = of.parameters;
  walls.theirs = test::reference_of(of.parameters);
  Problem p{walls, walls, {}, {}, {}, {}};
  std::reverse(p.backwards.ours.omega.begin(), p.backwards.ours.omega.end());
  std::reverse(p.backwards.ours.sigma.begin(), p.backwards.ours.sigma.end());
  p.backwards.theirs = test::reference_of(p.backwards.ours);
  const reference::Lattice& lattice = p.lattice();
  const auto made = test::from_first_rank([&] {
    reference::Generator generator(31);
    const auto solved = [](const test::WallProblem& walls, const SpinorField& in) {
      return test::solve(walls, reference::domain_wall_source(walls.theirs, walls.gauge, in));
    };
    std::vector<Batch> all(4);
    for (int k = 0; k < 12; ++k) {
      SpinorField on_slice = reference::random_spinor(lattice, generator);
      for (int x = 0; x < lattice.volume(); ++x)
        if (lattice.coordinates(x)[3] != sink) on_slice[x] = {};
      all[0].push_back(reference::point_source(lattice, lattice.index(source), k / 3, k % 3));
      all[1].push_back(on_slice);
      all[2].push_back(solved(p.walls, all[0].back()));
      all[3].push_back(solved(p.backwards, on_slice));
    }
    return all;
  });
  p.point = made[0];
  p.b = made[1];
  p.quark = made[2];
  p.sequential = made[3];
  return p;
}

Batch current_fields(const test::WallProblem& walls, const Batch& solutions, const Batch& sources) {
  Batch fields;
  for (std::size_t k = 0; k < 12; ++k)
    fields.push_back(reference::domain_wall_current_field(walls.theirs, solutions[k], sources[k]));
  return fields;
}

// J_mu summed over space, of each slice s of the current fields: phi_s = gamma5 psi_(Ls+1-s).
std::vector<std::vector<Complex>> current(const Problem& p, int mu) {
  const auto& gauge = p.walls.gauge;
  const auto& theirs = p.theirs();
  const reference::Lattice& lattice = p.lattice();
  const int n = theirs.Ls();
  const Batch quark = current_fields(p.walls, p.quark, p.point),
              sequential = current_fields(p.backwards, p.sequential, p.b);
  const double half = p.weights()[static_cast<std::size_t>(mu)] / 2;
  const auto one = reference::SpinMatrix::unit(), slash = reference::gamma(mu);
  std::vector<std::vector<Complex>> found(n, std::vector<Complex>(lattice.extents[3]));
  for (int s = 0; s < n; ++s)
    for (std::size_t k = 0; k < 12; ++k) {
      const SpinorField here = reference::slice(theirs, quark[k], s),
                        phi = reference::times(reference::gamma5(),
                                               reference::slice(theirs, sequential[k], n - 1 - s));
      const SpinorField minus = reference::times(one - slash, here),
                        plus = reference::times(one + slash, here);
      for (int x = 0; x < lattice.volume(); ++x) {
        const int up = lattice.forward(x, mu);
        const double sign = lattice.wraps_forward(x, mu) ? theirs.boundary[mu] : 1;
        const auto& u = gauge.link[x][mu];
        Complex j = 0;
        for (std::size_t spin = 0; spin < 4; ++spin) {
          const auto back = reference::dagger(u) * plus[x][spin];
          const auto ahead = u * minus[up][spin];
          for (std::size_t c = 0; c < 3; ++c)
            j += std::conj(phi[up][spin][c]) * back[c] - std::conj(phi[x][spin][c]) * ahead[c];
        }
        found[s][lattice.slices_from(source, x)] += half * sign * j;
      }
    }
  return found;
}

// sum_x sum over columns of b^dagger gamma5 q at the sink.
Complex charge(const Problem& p) {
  Complex sum = 0;
  for (std::size_t k = 0; k < 12; ++k)
    sum += reference::dot(
        p.b[k], reference::times(reference::gamma5(), reference::domain_wall_quark(p.theirs(), p.quark[k])));
  return sum;
}

// sum over space and columns of f(sequential)^dagger f(quark) on each time slice, f to four dimensions.
template <class To4d>
std::vector<Complex> products(const Problem& p, const To4d& to_4d) {
  std::vector<Complex> sums(4);
  for (std::size_t k = 0; k < 12; ++k) {
    const SpinorField left = to_4d(p.theirs(), p.sequential[k]), right = to_4d(p.theirs(), p.quark[k]);
    for (int x = 0; x < p.lattice().volume(); ++x)
      for (std::size_t spin = 0; spin < 4; ++spin)
        for (std::size_t c = 0; c < 3; ++c)
          sums[p.lattice().slices_from(source, x)] += std::conj(left[x][spin][c]) * right[x][spin][c];
  }
  return sums;
}

Correlators found_by(const Problem& p, const ProcessGrid& grid, const GeometryPtr& g, Location location) {
  constexpr auto wide = Precision::double_precision;
  BilinearOperators operators(test::lattice_on(grid, g, location), {.conserved = true}, {{0, 0, 0}});
  operators.set_links({.action = test::to_plaq(p.walls.gauge, g, wide, location),
                       .boundary = p.theirs().boundary,
                       .weights = p.weights()});
  const Queue queue(location);
  const auto current_field = [&](const test::WallProblem& walls, const Batch& solutions,
                                 const Batch& sources) {
    Field five = test::five_to_plaq(walls, solutions, g, Subset::full, wide, location);
    const DomainWallQuark maps(test::make_hopping(walls, {grid, g, wide, queue}), walls.ours);
    maps.make_current_field(five, test::to_plaq(sources, g, Subset::full, wide, location));
    return five;
  };
  const Field quark = current_field(p.walls, p.quark, p.point),
              sequential = current_field(p.backwards, p.sequential, p.b);
  return operators(Field(), Field(), source, {&quark, &sequential}).conserved;
}

class WallCurrents : public testing::TestWithParam<std::size_t> {};

TEST_P(WallCurrents, AreSumsOverSlicesAndObeyTheirWardIdentities) {
  const Walls walls = all_walls()[GetParam()];
  SCOPED_TRACE(walls.name);
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const Problem p = make_problem(walls);
  test::for_all_geometries(
      extents,
      test::same_as_alone(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
        return found_by(p, grid, g, location);
      }));
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const Correlators found = found_by(p, self, self.geometry(extents), Location::host);
  const int n_s = p.theirs().Ls();
  ASSERT_EQ(found.size(), 8);
  double scale = 0;
  for (const Complex& z : found[3][0]) scale = std::max(scale, std::abs(z));
  for (std::size_t mu = 0; mu < 4; ++mu) {
    const auto of_slices = current(p, static_cast<int>(mu));
    for (std::size_t t = 0; t < 4; ++t) {
      Complex vector = 0, axial = 0;
      for (int s = 0; s < n_s; ++s) {
        vector += of_slices[s][t];
        axial += static_cast<double>((2 * s + 1 > n_s) - (2 * s + 1 < n_s)) * of_slices[s][t];
      }
      EXPECT_LT(std::abs(found[mu][0][t] - vector), 1e-12 * scale) << mu << " " << t;
      EXPECT_LT(std::abs(found[4 + mu][0][t] - axial), 1e-12 * scale) << mu << " " << t;
    }
  }
  // On the links behind slices 0 and 1 from the source, and behind the sink at 2 and 3.
  const auto& v = found[3][0];
  EXPECT_LT(std::abs(v[0] - v[1]), 1e-10 * scale);
  EXPECT_LT(std::abs(v[2] - v[3]), 1e-10 * scale);
  EXPECT_LT(std::abs(v[1] - v[2] - charge(p)), 1e-10 * scale);
  EXPECT_GT(std::abs(charge(p)), 0.01 * scale);
  if (n_s % 2 == 1) return;
  // The divergence of the axial current on slices 1 and 3 is 2 m P and twice the midpoint's term.
  const auto& a = found[7][0];
  const auto mass = products(p, reference::domain_wall_quark),
             middle = products(p, reference::domain_wall_midpoint);
  for (const std::size_t t : {1, 3})
    EXPECT_LT(std::abs(a[t] - a[t - 1] - 2 * p.theirs().mass * mass[t] - 2.0 * middle[t]), 1e-10 * scale)
        << t;
}

INSTANTIATE_TEST_SUITE_P(All, WallCurrents, testing::Range<std::size_t>(0, all_walls().size()));

}  // namespace wall_currents_test

}  // namespace
}  // namespace plaq
