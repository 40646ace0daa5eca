// What the Wilson operator must do whatever its code: plane waves on unit links, gauge covariance, gamma5
// hermiticity.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/dirac/wilson/wilson.hpp"
#include "tests/reference/gamma.hpp"
#include "tests/reference/wilson.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

using Batch = std::vector<reference::SpinorField>;

constexpr Precision both[] = {Precision::double_precision, Precision::single_precision};

reference::WilsonParameters anisotropic(std::array<int, 4> boundary) { return {0.21, 2.464, 0.95, boundary}; }

WilsonOperator make_operator(const ProcessGrid& grid, const GeometryPtr& g,
                             const reference::GaugeField& gauge, const reference::WilsonParameters& p,
                             Precision precision, Location location) {
  const Field links = test::to_plaq(gauge, g, Precision::double_precision, Location::host);
  WilsonParameters ours;
  ours.mass = p.mass;
  ours.xi = p.xi;
  ours.nu = p.nu;
  ours.boundary = p.boundary;
  return WilsonOperator(std::make_shared<WilsonHopping>(grid, links, ours, precision, Queue(location),
                                                        make_host_transport(grid, location)));
}

// M in, or M^dagger in.
Field applied(WilsonOperator& m, const Batch& in, bool dagger, Precision precision, Location location) {
  const Field source = test::to_plaq(in, m.geometry(), Subset::full, precision, location);
  Field out(m.geometry(), source.spec());
  dagger ? m.apply_dagger(out, source) : m.apply(out, source);
  m.queue().synchronize();
  return out;
}

// exp(i p x) chi on all sites.
reference::SpinorField plane_wave(const reference::Lattice& lattice, const std::array<double, 4>& p,
                                  const reference::Spinor& chi) {
  auto wave = reference::zero_spinor(lattice);
  for (int site = 0; site < lattice.volume(); ++site) {
    const auto x = lattice.coordinates(site);
    double phase = 0;
    for (std::size_t mu = 0; mu < 4; ++mu) phase += p[mu] * x[mu];
    for (std::size_t s = 0; s < 4; ++s)
      for (std::size_t c = 0; c < 3; ++c)
        wave[static_cast<std::size_t>(site)][s][c] = std::polar(1.0, phase) * chi[s][c];
  }
  return wave;
}

reference::Spinor times(const reference::SpinMatrix& symbol, const reference::Spinor& chi) {
  return reference::times(symbol, reference::SpinorField{chi})[0];
}

class PlaneWaves : public testing::TestWithParam<Extents> {};

TEST_P(PlaneWaves, EveryMomentumWithEveryBoundarySign) {
  if (!test::splits_over_the_ranks(GetParam())) GTEST_SKIP() << "no process grid of this many ranks";
  const reference::Lattice lattice{GetParam()};
  const auto gauge = reference::unit_gauge(lattice);
  reference::Generator generator(12);
  for (int signs = 0; signs < 16; ++signs) {
    std::array<int, 4> boundary;
    for (int mu = 0; mu < 4; ++mu) boundary[static_cast<std::size_t>(mu)] = (signs >> mu) & 1 ? -1 : 1;
    const auto parameters = anisotropic(boundary);
    // Momenta in batches.
    Batch in, expected, expected_dagger;
    auto compare = [&] {
      test::for_all_geometries(GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& g,
                                               Location location) {
        if (g->decomposition().forced != 0 && g->decomposition().forced != 15) return;
        for (const Precision precision : both) {
          const double tolerance = precision == Precision::double_precision ? 1e-13 : 2e-5;
          auto m = make_operator(grid, g, gauge, parameters, precision, location);
          ASSERT_LT(test::max_difference(applied(m, in, false, precision, location), expected), tolerance);
          ASSERT_LT(test::max_difference(applied(m, in, true, precision, location), expected_dagger),
                    tolerance);
        }
      });
      in.clear(), expected.clear(), expected_dagger.clear();
    };
    // On several ranks some momenta, others for each choice of signs: what they check is who has which site.
    const int step = test::world_size() > 1 ? 7 : 1;
    for (int n = signs % step; n < lattice.volume(); n += step) {
      const auto p = reference::momentum(parameters, lattice, lattice.coordinates(n));
      const auto symbol = reference::wilson_symbol(parameters, p);
      const auto chi = reference::random_spinor({{1, 1, 1, 1}}, generator)[0];
      in.push_back(plane_wave(lattice, p, chi));
      expected.push_back(plane_wave(lattice, p, times(symbol, chi)));
      expected_dagger.push_back(plane_wave(lattice, p, times(dagger(symbol), chi)));
      if (in.size() == 16 || n + step >= lattice.volume()) compare();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Extents, PlaneWaves, testing::Values(Extents{4, 2, 4, 6}, Extents{2, 4, 2, 2}),
                         [](const auto& info) { return to_string(info.param); });

const Extents extents{4, 4, 4, 8};

TEST(Wilson, GaugeCovariance) {
  reference::Generator generator(13);
  const reference::Lattice lattice{extents};
  const auto gauge = reference::random_gauge(lattice, generator);
  const auto g = reference::random_transformation(lattice, generator);
  const auto rotated = reference::transformed(gauge, g);
  const Batch psi{reference::random_spinor(lattice, generator), reference::random_spinor(lattice, generator)};
  Batch rotated_psi;
  for (const auto& p : psi) rotated_psi.push_back(reference::times(g, p));
  const auto parameters = anisotropic({1, -1, 1, -1});
  // g is applied by whole lattices: M psi is gathered on one rank, then compared on all.
  for (const Location location : test::locations())
    for (const Precision precision : both) {
      const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
      auto alone = make_operator(self, self.geometry(extents), gauge, parameters, precision, location);
      for (const bool dagger : {false, true}) {
        const Field m_psi = test::on_host(applied(alone, psi, dagger, precision, location));
        Batch expected(psi.size(), reference::zero_spinor(lattice));
        test::for_stored_sites(m_psi.geometry(), [&](int parity, int s, int site) {
          for (int subfield = 0; subfield < 2; ++subfield)
            for (int r = 0; r < 12; ++r)
              expected[static_cast<std::size_t>(subfield)][static_cast<std::size_t>(site)]
                      [static_cast<std::size_t>(r / 3)][static_cast<std::size_t>(r % 3)] = {
                          get_real(m_psi, subfield, parity, s, 2 * r),
                          get_real(m_psi, subfield, parity, s, 2 * r + 1)};
        });
        for (auto& e : expected) e = reference::times(g, e);
        test::for_all_geometries(
            extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
              if (where != location) return;
              auto m = make_operator(grid, geometry, rotated, parameters, precision, location);
              const double tolerance = precision == Precision::double_precision ? 1e-13 : 5e-5;
              EXPECT_LT(test::max_difference(applied(m, rotated_psi, dagger, precision, location), expected),
                        tolerance);
            });
      }
    }
}

TEST(Wilson, Gamma5Hermiticity) {
  reference::Generator generator(14);
  const reference::Lattice lattice{extents};
  const auto gauge = reference::random_gauge(lattice, generator);
  const Batch psi{reference::random_spinor(lattice, generator)};
  const Batch gamma5_psi{reference::times(reference::gamma5(), psi[0])};
  const auto parameters = anisotropic({-1, 1, -1, -1});
  test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry,
                                        Location location) {
    for (const Precision precision : both) {
      auto m = make_operator(grid, geometry, gauge, parameters, precision, location);
      const Field dagger = test::on_host(applied(m, psi, true, precision, location));
      const Field inside = test::on_host(applied(m, gamma5_psi, false, precision, location));
      const double tolerance = precision == Precision::double_precision ? 1e-13 : 5e-5;
      double most = 0;
      test::for_stored_sites(*geometry, [&](int parity, int s, int) {
        for (int r = 0; r < 24; ++r) {
          const double sign = r < 12 ? 1 : -1;
          most = std::max(
              most, std::abs(get_real(dagger, 0, parity, s, r) - sign * get_real(inside, 0, parity, s, r)));
        }
      });
      EXPECT_LT(most, tolerance);
    }
  });
}

}  // namespace
}  // namespace plaq
