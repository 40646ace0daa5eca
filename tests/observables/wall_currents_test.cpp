// Conserved currents of domain walls: sums over slices and sites, and the Ward identity of the vector current
// between a point and any sink, with the same bits on all process grids.
#include <gtest/gtest.h>

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
constexpr int n_s = 3;

// The quark of a point, and M^-1 b of random numbers b on the slice of the sink, in five dimensions.
struct Problem {
  test::WallProblem walls;
  Batch b, quark, sequential;
};

Problem make_problem() {
  Problem p{test::make_wall_problem(extents, test::Wall::shamir, n_s, 0, 0.5), {}, {}, {}};
  const reference::Lattice& lattice = p.walls.gauge.lattice;
  const auto made = test::from_first_rank([&] {
    reference::Generator generator(31);
    const auto solved = [&](const SpinorField& in) {
      return test::solve(p.walls, reference::domain_wall_source(p.walls.theirs, p.walls.gauge, in));
    };
    std::vector<Batch> all(3);
    for (int k = 0; k < 12; ++k) {
      SpinorField on_slice = reference::random_spinor(lattice, generator);
      for (int x = 0; x < lattice.volume(); ++x)
        if (lattice.coordinates(x)[3] != sink) on_slice[x] = {};
      all[0].push_back(on_slice);
      all[1].push_back(solved(reference::point_source(lattice, lattice.index(source), k / 3, k % 3)));
      all[2].push_back(solved(on_slice));
    }
    return all;
  });
  p.b = made[0];
  p.quark = made[1];
  p.sequential = made[2];
  return p;
}

// J_mu summed over space, of each slice s in the fifth dimension: phi_s = gamma5 psi_(Ls+1-s).
std::vector<std::vector<Complex>> current(const Problem& p, int mu) {
  const auto& gauge = p.walls.gauge;
  const auto& theirs = p.walls.theirs;
  const reference::Lattice& lattice = gauge.lattice;
  const int n = theirs.Ls();
  const auto one = reference::SpinMatrix::unit(), slash = reference::gamma(mu);
  std::vector<std::vector<Complex>> found(n, std::vector<Complex>(lattice.extents[3]));
  for (int s = 0; s < n; ++s)
    for (std::size_t k = 0; k < 12; ++k) {
      const SpinorField here = reference::slice(theirs, p.quark[k], s),
                        phi = reference::times(reference::gamma5(),
                                               reference::slice(theirs, p.sequential[k], n - 1 - s));
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
        found[s][lattice.slices_from(source, x)] += 0.5 * sign * j;
      }
    }
  return found;
}

// sum_x sum over columns of b^dagger gamma5 q at the sink.
Complex charge(const Problem& p) {
  Complex sum = 0;
  for (std::size_t k = 0; k < 12; ++k)
    sum += reference::dot(p.b[k], reference::times(reference::gamma5(),
                                                   reference::domain_wall_quark(p.walls.theirs, p.quark[k])));
  return sum;
}

Correlators found_by(const Problem& p, const ProcessGrid& grid, const GeometryPtr& g, Location location) {
  constexpr auto wide = Precision::double_precision;
  BilinearOperators operators(test::lattice_on(grid, g, location), {.conserved = true}, {{0, 0, 0}});
  operators.set_links({.action = test::to_plaq(p.walls.gauge, g, wide, location),
                       .boundary = p.walls.theirs.boundary,
                       .weights = {1, 1, 1, 1}});
  const auto five = [&](const Batch& columns) {
    return test::five_to_plaq(p.walls, columns, g, Subset::full, wide, location);
  };
  const Field quark = five(p.quark), sequential = five(p.sequential);
  return operators(Field(), Field(), source, {&quark, &sequential}).conserved;
}

TEST(WallCurrents, AreSumsOverSlicesAndTheVectorCurrentIsConserved) {
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const Problem p = make_problem();
  test::for_all_geometries(
      extents,
      test::same_as_alone(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
        return found_by(p, grid, g, location);
      }));
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const Correlators found = found_by(p, self, self.geometry(extents), Location::host);
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
}

}  // namespace wall_currents_test

}  // namespace
}  // namespace plaq
