// What the clover operator must do whatever its code: gauge covariance and gamma5 hermiticity, with 18, 12
// and 8 reals in double.
#include "tests/kernels/dirac/wilson/wilson_storage_support.hpp"
#include "tests/reference/gamma.hpp"

namespace plaq {
namespace {

using test::Batch;

const Extents extents{4, 2, 6, 8};

Field applied(const test::WilsonProblem& p, const reference::GaugeField& links, const Batch& in,
              const ProcessGrid& grid, const GeometryPtr& g, Location location, int reals, bool dagger) {
  const auto precision = Precision::double_precision;
  const Field gauge = test::to_plaq(links, g, precision, Location::host);
  const auto hopping = test::make_hopping(p, grid, gauge, {precision, reals}, location);
  WilsonOperator m(hopping, make_clover_blocks(grid, gauge, *hopping, CloverNeed::operator_full));
  const Field source = test::to_plaq(in, g, Subset::full, precision, location);
  Field out(g, source.spec());
  dagger ? m.apply_dagger(out, source) : m.apply(out, source);
  m.queue().synchronize();
  return test::on_host(out);
}

// Of one rank that holds all.
Batch gathered(const Field& host) {
  Batch all(static_cast<std::size_t>(host.subfields()),
            reference::zero_spinor(test::lattice_of(host.geometry())));
  test::for_stored_sites(host.geometry(), [&](int parity, int s, int site) {
    for (std::size_t k = 0; k < all.size(); ++k)
      for (std::size_t r = 0; r < 12; ++r)
        all[k][static_cast<std::size_t>(site)][r / 3][r % 3] = {
            get_real(host, static_cast<int>(k), parity, s, static_cast<int>(2 * r)),
            get_real(host, static_cast<int>(k), parity, s, static_cast<int>(2 * r + 1))};
  });
  return all;
}

class CloverSymmetry : public testing::TestWithParam<int> {};

// M[U^g] g psi = g M[U] psi
TEST_P(CloverSymmetry, GaugeCovariance) {
  const auto p = test::make_problem(extents, test::Clover::anisotropic, 2);
  reference::Generator generator(51);
  const auto g = reference::random_transformation(p.gauge.lattice, generator);
  const auto turned = reference::transformed(p.gauge, g);
  Batch turned_in;
  for (const auto& psi : p.in) turned_in.push_back(reference::times(g, psi));
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const Location where : test::locations())
    for (const bool dagger : {false, true}) {
      Batch expected =
          gathered(applied(p, p.gauge, p.in, self, self.geometry(extents), where, GetParam(), dagger));
      for (auto& psi : expected) psi = reference::times(g, psi);
      test::for_all_geometries(
          extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location l) {
            if (l != where) return;
            EXPECT_LT(test::max_difference(
                          applied(p, turned, turned_in, grid, geometry, l, GetParam(), dagger), expected),
                      GetParam() == 8 ? 1e-12 : 5e-14);
          });
    }
}

// M^dagger = gamma5 M gamma5
TEST_P(CloverSymmetry, Gamma5Hermiticity) {
  const auto p = test::make_problem(extents, test::Clover::isotropic, 2);
  Batch inside;
  for (const auto& psi : p.in) inside.push_back(reference::times(reference::gamma5(), psi));
  test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location l) {
    const Field dagger = applied(p, p.gauge, p.in, grid, g, l, GetParam(), true);
    const Field twice = applied(p, p.gauge, inside, grid, g, l, GetParam(), false);
    double most = 0;
    test::for_stored_sites(*g, [&](int parity, int s, int) {
      for (int k = 0; k < 2; ++k)
        for (int r = 0; r < 24; ++r) {
          const double sign = r < 12 ? 1 : -1;
          const double d =
              std::abs(get_real(dagger, k, parity, s, r) - sign * get_real(twice, k, parity, s, r));
          most = d <= most ? most : d;
        }
    });
    EXPECT_LT(most, 5e-14);
  });
}

INSTANTIATE_TEST_SUITE_P(Reals, CloverSymmetry, testing::Values(18, 12, 8),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace plaq
