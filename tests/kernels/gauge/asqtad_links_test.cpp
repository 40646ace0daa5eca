// Fat links and three-link products against sums path by path, on every process grid.
#include "kernels/gauge/asqtad_links.hpp"

#include <cmath>
#include <limits>
#include <set>

#include "tests/kernels/gauge/improved_links.hpp"
#include "tests/reference/asqtad.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/on_lattices.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

using test::both_precisions;
using test::distance;
using test::for_all_geometries;
using test::to_plaq;

reference::FatCoefficients coefficients_of(const AsqtadCoefficients& c) {
  return {c.one, c.three, c.five, c.seven, c.lepage};
}

AsqtadLinks links_of(const ProcessGrid& grid, const Field& gauge, const AsqtadCoefficients& c,
                     Precision precision, Location location) {
  return asqtad_links(grid, gauge, c, precision, Queue(location), make_host_transport(grid, location));
}

// 1, 6, 24, 48 and 6 paths, all different, from x to x + mu.
TEST(AsqtadPaths, AreAllThere) {
  for (int mu = 0; mu < 4; ++mu) {
    int count[8] = {}, lepage = 0;
    std::set<reference::Path> seen;
    for (const auto& [path, coefficient] : reference::fat_paths(mu, {1, 3, 5, 7, 2})) {
      EXPECT_TRUE(seen.insert(path).second);
      coefficient == 2 ? ++lepage : ++count[static_cast<int>(coefficient)];
      EXPECT_EQ(path.size(), coefficient == 2 ? 5u : static_cast<std::size_t>(coefficient));
      int end[4] = {};
      for (const int step : path) end[std::abs(step) - 1] += step > 0 ? 1 : -1;
      for (int nu = 0; nu < 4; ++nu) EXPECT_EQ(end[nu], nu == mu ? 1 : 0);
    }
    EXPECT_EQ(count[1], 1);
    EXPECT_EQ(count[3], 6);
    EXPECT_EQ(count[5], 24);
    EXPECT_EQ(count[7], 48);
    EXPECT_EQ(lepage, 6);
  }
}

class Asqtad : public test::OnLattices {};

TEST_P(Asqtad, MatchesThePathsWithTheSameBitsOnAnyGrid) {
  reference::Generator generator(51);
  const auto gauge = reference::random_gauge({GetParam()}, generator);
  // Coefficients that no two kinds of paths share, and those that are used.
  for (const AsqtadCoefficients& c :
       {AsqtadCoefficients{0.3, -0.7, 0.17, 0.11, 0.53, 1}, asqtad_coefficients(0.86)}) {
    const auto fat = test::links_from_first_rank(
        gauge.lattice, [&] { return reference::fat_links(gauge, coefficients_of(c)); });
    const auto three = reference::three_link_products(gauge);
    for (const Precision precision : both_precisions)
      for_all_geometries(
          GetParam(), test::same_as_alone(GetParam(), [&](const ProcessGrid& grid,
                                                          const GeometryPtr& geometry, Location location) {
            const bool single = precision == Precision::single_precision;
            const auto links =
                links_of(grid, to_plaq(gauge, geometry, Precision::double_precision, Location::host), c,
                         precision, location);
            EXPECT_LT(distance(links.fat, fat), single ? 1e-5 : 2e-14);
            EXPECT_LT(distance(links.three, three), single ? 1e-6 : 2e-15);
            EXPECT_EQ(links.fat.geometry_ptr(), geometry);
            EXPECT_EQ(links.fat.spec(), fat_link_spec(precision, location));
            EXPECT_EQ(links.three.spec(), gauge_spec(precision, location));
            EXPECT_EQ(links.coefficients, c);
            return std::vector{test::fingerprint(links.fat, grid), test::fingerprint(links.three, grid)};
          }));
  }
}

// Local extents of 2, split or not, included: paths step aside twice there, and go around.
INSTANTIATE_TEST_SUITE_P(Extents, Asqtad,
                         testing::Values(Extents{4, 4, 4, 4}, Extents{6, 2, 4, 8}, Extents{2, 4, 8, 2}),
                         test::by_extents);

TEST(AsqtadLinks, TurnWithTheGauge) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Extents extents{4, 6, 4, 8};
  reference::Generator generator(53);
  const auto gauge = reference::random_gauge({extents}, generator);
  const auto g = reference::random_transformation({extents}, generator);
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = self.geometry(extents);
  const auto c = asqtad_coefficients(0.88);
  for (const Location location : test::locations()) {
    const auto make = [&](const reference::GaugeField& u) {
      return links_of(self, to_plaq(u, geometry, Precision::double_precision, location), c,
                      Precision::double_precision, location);
    };
    const auto before = make(gauge), after = make(reference::transformed(gauge, g));
    const auto three = test::to_reference(before.three);
    const auto turned = reference::transformed({test::to_reference(before.fat), three}, g);
    EXPECT_LT(distance(after.fat, turned.near), 2e-14);
    EXPECT_LT(distance(after.three, turned.far), 2e-14);
    const auto violation = reference::unitarity_violation(three);
    EXPECT_LT(violation.unitarity, 1e-14);
    EXPECT_LT(violation.determinant, 1e-14);
  }
}

// 5/8 + 6/16 + 24/64 + 48/384 - 6/16 = 9/8, and 9/8 - 3/24 = 1: a derivative of the right size.
TEST(AsqtadLinks, OfUnitLinks) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const auto c = asqtad_coefficients(1);
  EXPECT_DOUBLE_EQ(c.one + 6 * c.three + 24 * c.five + 48 * c.seven + 6 * c.lepage + 3 * c.naik, 1);
  const Extents extents{4, 4, 6, 8};
  const auto unit = reference::unit_gauge({extents});
  auto fat = unit;
  for (auto& links : fat.link)
    for (auto& link : links) link = reference::Complex(9.0 / 8) * link;
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const Location location : test::locations())
    for (const Precision precision : both_precisions) {
      const auto links =
          links_of(self, to_plaq(unit, self.geometry(extents), precision, location), c, precision, location);
      EXPECT_LT(distance(links.fat, fat), precision == Precision::double_precision ? 1e-15 : 1e-6);
      EXPECT_EQ(distance(links.three, unit), 0);
    }
}

TEST(AsqtadLinks, DoNotCoupleToGluonsThatChangeTaste) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto make = [&](const Field& gauge) {
    return links_of(self, gauge, asqtad_coefficients(1), Precision::double_precision, Location::host);
  };
  for (int mu = 0; mu < 4; ++mu)
    for (int set = 0; set < 16; ++set) {
      if (((set >> mu) & 1) != 0) continue;
      EXPECT_NEAR(test::response_to_gluon(self, mu, set, make), set == 0 ? 1 : 0, 1e-7)
          << "mu " << mu << " set " << set;
    }
}

TEST(AsqtadLinks, CoefficientsWithTadpoles) {
  const AsqtadCoefficients expected{0.625, 4.0 / 16, 16.0 / 64, 64.0 / 384, -16.0 / 16, -4.0 / 24};
  const auto c = asqtad_coefficients(0.5);
  EXPECT_DOUBLE_EQ(c.one, expected.one);
  EXPECT_DOUBLE_EQ(c.three, expected.three);
  EXPECT_DOUBLE_EQ(c.five, expected.five);
  EXPECT_DOUBLE_EQ(c.seven, expected.seven);
  EXPECT_DOUBLE_EQ(c.lepage, expected.lepage);
  EXPECT_DOUBLE_EQ(c.naik, expected.naik);
  for (const double u0 : {0.0, -0.8, std::nan(""), std::numeric_limits<double>::infinity()})
    test::expect_error(ErrorKind::job_file, "", [&] { asqtad_coefficients(u0); });
}

TEST(AsqtadLinks, WrongInputIsRefused) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = self.geometry({4, 4, 4, 4}, 8);
  const auto c = asqtad_coefficients(1);
  const auto refused = [&](const Field& gauge, Precision precision) {
    EXPECT_THROW(links_of(self, gauge, c, precision, Location::host), Error);
  };
  const auto spec = gauge_spec(Precision::double_precision, Location::host);
  refused(Field(geometry->extended(2), spec), Precision::double_precision);
  refused(Field(geometry, gauge_spec(Precision::double_precision, Location::host, 12)),
          Precision::double_precision);
  refused(Field(geometry, spinor_spec(Subset::full, 4, Precision::double_precision, Location::host)),
          Precision::double_precision);
  refused(Field(geometry, spec), Precision::half_precision);
}

}  // namespace
}  // namespace plaq
