// Domain-wall quarks on unit links: operators, sources and quark fields of plane waves against the symbol,
// for every momentum and boundary sign; the PCAC mass of free quarks.
#include <gtest/gtest.h>

#include <numbers>

#include "kernels/dirac/domain_wall/domain_wall_quark.hpp"
#include "kernels/quark/mesons.hpp"
#include "kernels/quark/residual_mass.hpp"
#include "tests/reference/gamma.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/operators/domain_wall.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

using reference::Complex;
using reference::ComplexDense;
using reference::SpinMatrix;
using reference::Spinor;
using test::Batch;
using test::Wall;

using Momentum4 = std::array<double, 4>;

// sin p, times the anisotropy, and the scalar part of D_w(p) = i gamma sin p + w.
struct Kernel {
  Kernel(const Momentum4& p, const DomainWallParameters& walls) : w(-walls.m0) {
    for (std::size_t mu = 0; mu < 4; ++mu) {
      const double weight = mu == 3 ? 1 : walls.nu / walls.xi;
      sine[mu] = weight * std::sin(p[mu]);
      square += sine[mu] * sine[mu];
      w += weight * (1 - std::cos(p[mu]));
    }
  }
  // i gamma sin p
  SpinMatrix slash() const {
    SpinMatrix sum;
    for (int mu = 0; mu < 4; ++mu)
      sum = sum + Complex(0, sine[static_cast<std::size_t>(mu)]) * reference::gamma(mu);
    return sum;
  }
  SpinMatrix matrix() const { return slash() + Complex(w) * SpinMatrix::unit(); }
  Momentum4 sine{};
  double square = 0, w;
};

// Row and column 4 s + spin.
ComplexDense symbol(const DomainWallParameters& p, const Kernel& k) {
  const int n = p.Ls();
  const SpinMatrix one = SpinMatrix::unit(), dw = k.matrix();
  ComplexDense d(4 * n);
  for (int s = 0; s < n; ++s) {
    const auto at = static_cast<std::size_t>(s);
    const SpinMatrix here = Complex(p.omega[at]) * dw + one, there = Complex(p.sigma[at]) * dw - one;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        d(4 * s + i, 4 * s + j) += here(i, j);
        // gamma5 of spin j: 1 takes the slice below, -1 the one above.
        const bool plus = j < 2, edge = plus ? s == 0 : s == n - 1;
        const int from = (plus ? s - 1 + n : s + 1) % n;
        d(4 * s + i, 4 * from + j) += (edge ? -p.mass : 1) * there(i, j);
      }
  }
  return d;
}

// S(p) = (D_ov^-1 - 1)/(1 - m) in closed form: with the same d = omega - sigma everywhere, all H_s are
// numbers times h = gamma5 D_w / (2 + d D_w), h^2 = (sin^2 p + w^2) / ((2 + d w)^2 + d^2 sin^2 p) = l^2, and
// gamma5 s = F(l) / l times (2 w + d (sin^2 p + w^2) + 2 i gamma sin p) / ((2 + d w)^2 + d^2 sin^2 p).
SpinMatrix free_quark(const DomainWallParameters& p, const Kernel& k) {
  const double d = p.omega[0] - p.sigma[0], size = k.square + k.w * k.w;
  const double below = (2 + d * k.w) * (2 + d * k.w) + d * d * k.square, l = std::sqrt(size / below);
  double up = 1, down = 1;
  for (std::size_t s = 0; s < p.omega.size(); ++s) {
    up *= 1 + (p.omega[s] + p.sigma[s]) * l;
    down *= 1 - (p.omega[s] + p.sigma[s]) * l;
  }
  const double f = (up - down) / (up + down) / l / below, m = p.mass;
  const double a = (1 + m) / 2 + (1 - m) / 2 * f * (2 * k.w + d * size), b = (1 - m) / 2 * f * 2;
  const double norm = a * a + b * b * k.square;
  return Complex((a / norm - 1) / (1 - m)) * SpinMatrix::unit() - Complex(b / norm / (1 - m)) * k.slash();
}

Spinor times(const SpinMatrix& m, const Spinor& chi) {
  return reference::times(m, reference::SpinorField{chi})[0];
}

// exp(i p x) chi
reference::SpinorField wave(const std::vector<Complex>& phase, const Spinor& chi) {
  reference::SpinorField field(phase.size());
  for (std::size_t x = 0; x < phase.size(); ++x)
    for (std::size_t s = 0; s < 4; ++s)
      for (std::size_t c = 0; c < 3; ++c) field[x][s][c] = phase[x] * chi[s][c];
  return field;
}

// The dense symbol times the slices.
std::vector<Spinor> symbol_times(const ComplexDense& d, const std::vector<Spinor>& chi) {
  std::vector<Spinor> out(chi.size());
  for (int i = 0; i < d.size(); ++i)
    for (int j = 0; j < d.size(); ++j)
      for (std::size_t c = 0; c < 3; ++c)
        out[static_cast<std::size_t>(i / 4)][static_cast<std::size_t>(i % 4)][c] +=
            d(i, j) * chi[static_cast<std::size_t>(j / 4)][static_cast<std::size_t>(j % 4)][c];
  return out;
}

ComplexDense adjoint(const ComplexDense& d) {
  ComplexDense a(d.size());
  for (int i = 0; i < d.size(); ++i)
    for (int j = 0; j < d.size(); ++j) a(i, j) = std::conj(d(j, i));
  return a;
}

class FreeWalls : public testing::TestWithParam<Wall> {};

TEST_P(FreeWalls, PlaneWavesOfEveryMomentumAndBoundarySign) {
  const Extents extents{2, 2, 2, 4};
  const reference::Lattice lattice{extents};
  const auto gauge = reference::unit_gauge(lattice);
  const bool same =
      GetParam() != Wall::general && GetParam() != Wall::anisotropic;  // omega - sigma on all slices
  const int n = GetParam() == Wall::moebius ? 4 : same ? 3 : 2;
  reference::Generator generator(31);
  for (int signs = 0; signs < 16; ++signs) {
    test::WallProblem problem{gauge, test::wall_parameters(GetParam(), n), {}, {}, {}};
    DomainWallParameters& p = problem.ours;
    for (int mu = 0; mu < 4; ++mu) p.boundary[static_cast<std::size_t>(mu)] = (signs >> mu) & 1 ? -1 : 1;
    // For each momentum: 4D source, 5D source, its solution, and what M^dagger makes of that; the quark.
    Batch four, source, solution, image, quark;
    const auto add = [&](Batch& batch, const std::vector<Complex>& phase, const std::vector<Spinor>& slices) {
      for (const auto& chi : slices) batch.push_back(wave(phase, chi));
    };
    for (int index = 0; index < lattice.volume(); ++index) {
      const auto momentum =
          reference::momentum(test::reference_of(p).wilson(), lattice, lattice.coordinates(index));
      std::vector<Complex> phase;
      for (int x = 0; x < lattice.volume(); ++x) {
        double angle = 0;
        for (std::size_t mu = 0; mu < 4; ++mu) angle += momentum[mu] * lattice.coordinates(x)[mu];
        phase.push_back(std::polar(1.0, angle));
      }
      const Kernel kernel(momentum, p);
      const auto chi = reference::random_spinor({{1, 1, 1, 1}}, generator)[0];
      std::vector<Spinor> walls(static_cast<std::size_t>(n)), b;
      for (std::size_t spin = 0; spin < 4; ++spin)
        (spin < 2 ? walls.front() : walls.back())[spin] = chi[spin];
      for (std::size_t s = 0; s < walls.size(); ++s)
        b.push_back(times(SpinMatrix::unit() - Complex(p.sigma[s]) * kernel.matrix(), walls[s]));
      const auto d = symbol(p, kernel);
      const auto psi = symbol_times(d.inverse(), b);
      add(four, phase, {chi});
      add(source, phase, b);
      add(solution, phase, psi);
      add(image, phase, symbol_times(adjoint(d), psi));
      if (same) add(quark, phase, {times(free_quark(p, kernel), chi)});
    }
    test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
      const auto forced = g->decomposition().forced;
      if (forced != 0 && (forced != 15 || signs % 5 != 0)) return;
      const auto field = [&](const Batch& batch) {
        return test::to_plaq(batch, g, Subset::full, Precision::double_precision, location);
      };
      const Queue queue(location);
      const auto hopping = test::make_hopping(problem, {grid, g, Precision::double_precision, queue});
      const DomainWallQuark walls(hopping, p);
      DomainWallOperator m(hopping, p, lattice.volume());
      const Field b = field(four), psi = field(solution);
      Field out(g, m.spec(lattice.volume())), q(g, b.spec());
      m.apply(out, psi, ActiveSet(lattice.volume()));
      queue.synchronize();
      ASSERT_LT(test::deviation(out, source).most(), 2e-14);
      m.apply_dagger(out, psi, ActiveSet(lattice.volume()));
      queue.synchronize();
      ASSERT_LT(test::deviation(out, image).most(), 2e-14);
      walls.make_source(out, b);
      ASSERT_LT(test::deviation(out, source).most(), 2e-14);
      if (!same) return;
      walls.to_4d(q, psi);
      queue.synchronize();
      ASSERT_LT(test::deviation(q, quark).most(), 2e-13);
    });
  }
}

INSTANTIATE_TEST_SUITE_P(All, FreeWalls,
                         testing::Values(Wall::shamir, Wall::borici, Wall::moebius, Wall::optimal,
                                         Wall::general, Wall::anisotropic),
                         [](const auto& info) { return test::name_of(info.param); });

// Where a quark at rest dominates, the local axial current has the mass that free domain-wall quarks have,
// m m0 (2 - m0) to lowest order: Z_A = 1 / (m0 (2 - m0)) there.
TEST(FreeWallQuark, PcacMassOfTheLocalCurrent) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Extents extents{2, 2, 2, 16};
  const reference::Lattice lattice{extents};
  const auto p = DomainWallParameters::shamir(16, 1.2, 0.04);
  const double mass = 0.04 * 1.2 * 0.8;
  Batch columns(12, reference::zero_spinor(lattice));
  for (int index = 0; index < lattice.volume(); ++index) {
    const auto momentum =
        reference::momentum(test::reference_of(p).wilson(), lattice, lattice.coordinates(index));
    const SpinMatrix s = free_quark(p, Kernel(momentum, p));
    for (int x = 0; x < lattice.volume(); ++x) {
      double angle = 0;
      for (std::size_t mu = 0; mu < 4; ++mu) angle += momentum[mu] * lattice.coordinates(x)[mu];
      const Complex phase = std::polar(1.0 / lattice.volume(), angle);
      for (int k = 0; k < 12; ++k)
        for (int i = 0; i < 4; ++i)
          columns[static_cast<std::size_t>(k)][static_cast<std::size_t>(x)][static_cast<std::size_t>(i)]
                 [static_cast<std::size_t>(k % 3)] += phase * s(i, k / 3);
    }
  }
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto g = self.geometry(extents);
  for (const Location location : test::locations()) {
    MesonContraction mesons(self, g, {meson_channel("pion"), meson_channel("axial_pseudoscalar")},
                            {{0, 0, 0}}, Queue(location));
    const auto c =
        mesons(test::to_plaq(columns, g, Subset::full, Precision::double_precision, location), {0, 0, 0, 0});
    const auto found = pcac_mass(c[1][0], c[0][0]);
    for (std::size_t t = 5; t <= 11; ++t) EXPECT_NEAR(found[t] / mass, 1, 0.02) << "t " << t;
  }
}

}  // namespace
}  // namespace plaq
