// Residual and PCAC masses: sums against whole-lattice ones with the same bits on every process grid; the
// chiral symmetry that they measure, from the overlap operator as a dense matrix and from the conserved axial
// current of the domain-wall operator.
#include "kernels/quark/residual_mass.hpp"

#include <gtest/gtest.h>

#include "core/system/error.hpp"
#include "kernels/dirac/domain_wall/domain_wall_parameters.hpp"
#include "kernels/dirac/domain_wall/domain_wall_quark.hpp"
#include "kernels/quark/mesons.hpp"
#include "tests/reference/gamma.hpp"
#include "tests/support/operators/domain_wall.hpp"
#include "tests/support/same_as_alone.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

using reference::ComplexDense;
using reference::SpinorField;
using test::Batch;
using test::Wall;

constexpr auto wide = Precision::double_precision;

// The quark's field in five dimensions.
SpinorField quark_in_five(const test::WallProblem& p, const SpinorField& b) {
  return test::solve(p, reference::domain_wall_source(p.theirs, p.gauge, b));
}

Batch point_columns(const reference::Lattice& lattice, int site) {
  Batch b;
  for (int k = 0; k < 12; ++k) b.push_back(reference::point_source(lattice, site, k / 3, k % 3));
  return b;
}

TEST(ResidualMass, SumsAreTheirDefinitionWithTheSameBitsEverywhere) {
  const Extents extents{4, 2, 4, 4};
  const reference::Lattice lattice{extents};
  reference::Generator generator(17);
  Batch b, q;
  double dot = 0, norm = 0;
  for (int k = 0; k < 5; ++k) {
    b.push_back(reference::random_spinor(lattice, generator));
    q.push_back(reference::random_spinor(lattice, generator));
    reference::add(q.back(), 0.7, b.back());
    dot += reference::dot(b.back(), q.back()).real();
    norm += reference::norm_squared(q.back());
  }
  for (const Precision precision : {Precision::double_precision, Precision::single_precision})
    test::for_all_geometries(
        extents,
        test::same_as_alone(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
          const Field source = test::to_plaq(b, g, Subset::full, precision, location),
                      quark = test::to_plaq(q, g, Subset::full, precision, location);
          const double found = summed_residual_mass(grid, source, quark, 0.125, Queue(location));
          EXPECT_NEAR(found, dot / norm - 0.125, precision == wide ? 1e-14 : 1e-6);
          return found;
        }));
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto g = self.geometry(extents);
  const Field five(g, spinor_spec(Subset::full, 5, Precision::double_precision, Location::host)),
      four(g, spinor_spec(Subset::full, 4, Precision::double_precision, Location::host));
  EXPECT_THROW(summed_residual_mass(self, five, four, 0, Queue(Location::host)), Error);
}

// Delta from the defect of the Ginsparg-Wilson relation of D_0 = (1 + gamma5 s)/2, which is gamma5 (1 -
// s^2)/2:
//   defect = gamma5 D_0 + D_0 gamma5 - 2 D_0 gamma5 D_0,
//   Delta = (1/2) (1 - D_0^dagger)^-1 gamma5 defect (1 - D_0)^-1.
ComplexDense delta_of(const ComplexDense& sign) {
  const ComplexDense one = ComplexDense::unit(sign.size());
  const ComplexDense d0 = 0.5 * (one + reference::gamma5_times(sign));
  const ComplexDense g5 = reference::gamma5_times(one);
  const ComplexDense defect = g5 * d0 + d0 * g5 - 2.0 * (d0 * g5 * d0);
  const ComplexDense inverse = (one - d0).inverse();
  ComplexDense adjoint(sign.size());
  for (int i = 0; i < sign.size(); ++i)
    for (int j = 0; j < sign.size(); ++j) adjoint(i, j) = std::conj(inverse(j, i));
  return 0.5 * (adjoint * (reference::gamma5_times(defect) * inverse));
}

// By the overlap operator: sums over columns of q^dagger Delta q / q^dagger q.
double dense_residual_mass(const test::WallProblem& p, const Batch& b) {
  const auto sign = reference::overlap_sign(p.theirs, p.gauge);
  const auto delta = delta_of(sign), s = reference::overlap_propagator(p.theirs, sign);
  double above = 0, below = 0;
  for (const auto& source : b) {
    const auto q = reference::times(s, source);
    above += reference::dot(q, reference::times(delta, q)).real();
    below += reference::norm_squared(q);
  }
  return above / below;
}

TEST(ResidualMass, IsTheGinspargWilsonDefectOfTheOverlapOperator) {
  if (test::world_size() > 1) GTEST_SKIP() << "of one rank alone";
  const Extents extents{2, 2, 2, 2};
  const reference::Lattice lattice{extents};
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto g = self.geometry(extents);
  struct Case {
    Wall wall;
    int n_s;
    bool point;
  };
  for (const auto [wall, n, point] :
       {Case{Wall::shamir, 4, false}, Case{Wall::shamir, 5, false}, Case{Wall::borici, 4, false},
        Case{Wall::moebius, 2, true}, Case{Wall::moebius, 3, false}, Case{Wall::optimal, 4, false},
        Case{Wall::optimal, 5, false}}) {
    SCOPED_TRACE(test::name_of(wall) + " Ls " + std::to_string(n));
    const auto p = test::make_wall_problem(extents, wall, n, 0, 0.4);
    reference::Generator generator(19);
    Batch b = point_columns(lattice, 9);
    if (!point)
      b = {reference::random_spinor(lattice, generator), reference::random_spinor(lattice, generator)};
    Batch psi;
    for (const auto& source : b) psi.push_back(quark_in_five(p, source));
    const double expected = dense_residual_mass(p, b);
    EXPECT_GT(std::abs(expected), 1e-4);  // there is something to compare; of odd Ls it may be negative
    for (const Location location : test::locations()) {
      const Queue queue(location);
      const DomainWallQuark walls(test::make_hopping(p, {self, g, wide, queue}), p.ours);
      const Field source = test::to_plaq(b, g, Subset::full, wide, location),
                  five = test::five_to_plaq(p, psi, g, Subset::full, wide, location);
      Field q(g, source.spec()), mid(g, source.spec());
      walls.to_4d(q, five);
      queue.synchronize();
      const double found = summed_residual_mass(self, source, q, p.ours.mass, queue);
      EXPECT_NEAR(found, expected, 1e-9);
      // The midpoint is the other way to the same number where slices are alike.
      if (n % 2 == 1 || wall == Wall::optimal) continue;
      walls.midpoint_to_4d(mid, five);
      queue.synchronize();
      double above = 0, below = 0;
      for (const auto& x : psi) {
        above += reference::norm_squared(reference::domain_wall_midpoint(p.theirs, x));
        below += reference::norm_squared(reference::domain_wall_quark(p.theirs, x));
      }
      EXPECT_NEAR(above / below, expected, 1e-10);
      if (!point) continue;
      MesonContraction pions(self, g, {meson_channel("pion")}, {{0, 0, 0}}, queue);
      const auto c_mid = pions(mid, {1, 0, 0, 1})[0][0], c_pion = pions(q, {1, 0, 0, 1})[0][0];
      EXPECT_NEAR((c_mid[0] + c_mid[1]).real() / (c_pion[0] + c_pion[1]).real(), expected, 1e-10);
    }
  }
}

// J_mu(x) of slice s, which the operator's hops in space and time carry: with phi_s = gamma5 psi_(Ls + 1 -
// s),
//   J_mu(x, s) = (1/2) [phi^dagger(x+mu) (1 + gamma_mu) U^dagger psi(x) - phi^dagger(x) (1 - gamma_mu) U
//   psi(x+mu)],
// and the axial current sum_s sign(s - (Ls + 1)/2) J(x, s), summed over space.
std::vector<double> axial_current(const test::WallProblem& p, const SpinorField& psi) {
  const auto& lattice = p.gauge.lattice;
  std::vector<double> a(static_cast<std::size_t>(lattice.extents[3]));
  const int n = p.theirs.Ls();
  const auto one = reference::SpinMatrix::unit();
  for (int s = 0; s < n; ++s) {
    const auto here = reference::slice(p.theirs, psi, s);
    const auto phi = reference::times(reference::gamma5(), reference::slice(p.theirs, psi, n - 1 - s));
    const auto minus = reference::times(one - reference::gamma(3), here),
               plus = reference::times(one + reference::gamma(3), here);
    for (int x = 0; x < lattice.volume(); ++x) {
      const int up = lattice.forward(x, 3);
      const double sign = lattice.wraps_forward(x, 3) ? p.theirs.boundary[3] : 1;
      const auto& u = p.gauge.link[x][3];
      reference::Complex j = 0;
      for (std::size_t spin = 0; spin < 4; ++spin) {
        const auto back = reference::dagger(u) * plus[x][spin];
        const auto ahead = u * minus[up][spin];
        for (std::size_t c = 0; c < 3; ++c)
          j += std::conj(phi[up][spin][c]) * back[c] - std::conj(phi[x][spin][c]) * ahead[c];
      }
      a[lattice.coordinates(x)[3]] += (2 * s < n ? -0.5 : 0.5) * sign * j.real();
    }
  }
  return a;
}

TEST(ResidualMass, MidpointPionIsTheAnomalyOfTheAxialCurrent) {
  const Extents extents{2, 2, 2, 4};
  const reference::Lattice lattice{extents};
  const auto p = test::make_wall_problem(extents, Wall::shamir, 4, 0, 0.5);
  const Extents position{1, 0, 1, 2};
  const Batch psi = test::from_first_rank([&] {
    Batch all;
    for (const auto& b : point_columns(lattice, lattice.index(position))) all.push_back(quark_in_five(p, b));
    return all;
  });
  std::vector<double> axial(4);
  for (const auto& column : psi) {
    const auto a = axial_current(p, column);
    for (std::size_t t = 0; t < 4; ++t) axial[t] += a[t];
  }
  test::for_all_geometries(
      extents,
      test::same_as_alone(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
        const Queue queue(location);
        const DomainWallQuark walls(test::make_hopping(p, {grid, g, wide, queue}), p.ours);
        const Field five = test::five_to_plaq(p, psi, g, Subset::full, wide, location);
        Field q(g, spinor_spec(Subset::full, 12, wide, location)), mid(g, q.spec());
        walls.to_4d(q, five);
        walls.midpoint_to_4d(mid, five);
        queue.synchronize();
        MesonContraction pions(grid, g, {meson_channel("pion")}, {{0, 0, 0}, {1, 0, -1}}, queue);
        const auto c_pion = pions(q, position), c_mid = pions(mid, position);
        const auto ratio = residual_mass(c_mid[0][0], c_pion[0][0]);
        for (std::size_t t = 1; t < 4; ++t) {
          const double divergence = axial[(t + 2) % 4] - axial[(t + 1) % 4];
          EXPECT_NEAR(divergence / (2 * c_pion[0][0][t].real()), p.ours.mass + ratio[t], 1e-10) << "t " << t;
          EXPECT_GT(ratio[t], 1e-3);
        }
        return std::vector{c_pion, c_mid};
      }));
}

// Optimal weights, whose interval holds the spectrum of |H_w|: 1 - s^2 is at most 4 d / (1 + d)^2 then, d the
// largest |1 - S|, and Delta at most that over the smallest |1 - gamma5 s|^2. Here by the norm of 1 - s^2.
TEST(ResidualMass, OptimalWeightsKeepTheirPromise) {
  if (test::world_size() > 1) GTEST_SKIP() << "of one rank alone";
  const Extents extents{2, 2, 2, 2};
  for (const int n : {3, 6}) {
    auto p = test::make_wall_problem(extents, Wall::shamir, 1, 0, 0.4);
    ComplexDense h(192);
    for (int column = 0; column < 192; ++column) {
      const auto image = reference::wilson(
          p.theirs.wilson(), p.gauge,
          reference::point_source(p.gauge.lattice, column / 12, column / 3 % 4, column % 3));
      for (int row = 0; row < 192; ++row) h(row, column) = image[row / 12][row / 3 % 4][row % 3];
    }
    h = reference::gamma5_times(h);
    reference::Generator generator(23);
    const auto largest = [&](const ComplexDense& m) {  // of a Hermitian matrix, from below, to a few 1e-3
      auto v = reference::random_spinor(p.gauge.lattice, generator);
      double size = 0;
      for (int step = 0; step < 100; ++step) {
        const double before = std::sqrt(reference::norm_squared(v));
        v = reference::times(m, v);
        size = std::sqrt(reference::norm_squared(v)) / before;
        SpinorField unit(v.size());
        reference::add(unit, 1 / std::sqrt(reference::norm_squared(v)), v);
        v = unit;
      }
      return size;
    };
    const double high = 1.02 * largest(h), low = 0.98 / largest(h.inverse());
    p.ours = DomainWallParameters::optimal(optimal_weights(n, low, high), p.ours.m0, p.ours.mass);
    p.ours.boundary = p.theirs.boundary;
    p.theirs = test::reference_of(p.ours);
    const auto sign = reference::overlap_sign(p.theirs, p.gauge);
    const double violation = largest(ComplexDense::unit(192) - sign * sign);
    const double d = optimal_deviation(n, low, high);
    EXPECT_LT(violation, d * (2 + d) * 1.001) << n;
    EXPECT_GT(violation, d / 10) << n;
  }
}

TEST(ResidualMass, Plateaus) {
  const auto is = [](Plateau p, int first, int last) { return p.first == first && p.last == last; };
  EXPECT_TRUE(is(Plateau::middle(2), 1, 1));
  EXPECT_TRUE(is(Plateau::middle(4), 1, 3));
  EXPECT_TRUE(is(Plateau::middle(6), 2, 4));
  EXPECT_TRUE(is(Plateau::middle(64), 16, 48));
  EXPECT_EQ((Plateau{1, 3}.average({9, 1, 2, 6, 9})), 3);
  EXPECT_EQ((Plateau{4, 4}.average({9, 1, 2, 6, 7})), 7);
  EXPECT_THROW((Plateau{0, 5}.average({9, 1, 2, 6, 9})), Error);
  EXPECT_THROW((Plateau{3, 2}.average({9, 1, 2, 6, 9})), Error);
  EXPECT_THROW((Plateau{-1, 2}.average({9, 1, 2, 6, 9})), Error);
  EXPECT_THROW(residual_mass({1, 2}, {1}), Error);
  EXPECT_THROW(pcac_mass({1, 2}, {1}), Error);
  EXPECT_EQ(residual_mass({{2, 5}, {3, 0}}, {{4, 1}, {12, 0}}), (std::vector<double>{0.5, 0.25}));
}

// One state of mass M: the symmetric derivative makes sinh(M) of M.
TEST(PcacMass, OfOneState) {
  const int slices = 10;
  const double m = 0.4, ratio = 0.3;  // C_A / C_pion
  CorrelatorInTime axial, pion;
  for (int t = 0; t < slices; ++t) {
    axial.push_back({-ratio * std::sinh(m * (slices / 2 - t)), 0.1});
    pion.push_back({std::cosh(m * (slices / 2 - t)), 0.1});
  }
  const auto found = pcac_mass(axial, pion);
  for (std::size_t t = 1; t + 1 < found.size(); ++t) EXPECT_NEAR(found[t], ratio * std::sinh(m) / 2, 1e-14);
  EXPECT_EQ(found[0], (axial[1].real() - axial[9].real()) / (4 * pion[0].real()));
  EXPECT_EQ(found[9], (axial[0].real() - axial[8].real()) / (4 * pion[9].real()));
}

}  // namespace
}  // namespace plaq
