// Links of HISQ fermions against fat links of the unitary factors of fat links, on every process grid.
#include "kernels/gauge/hisq_links.hpp"

#include <cmath>
#include <limits>

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

AsqtadLinks hisq_of(const ProcessGrid& grid, const Field& gauge, double epsilon, Precision precision,
                    Location location) {
  return hisq_links(grid, gauge, epsilon, precision, Queue(location), make_host_transport(grid, location));
}

class Hisq : public test::OnLattices {};

TEST_P(Hisq, MatchesThePathsWithTheSameBitsOnAnyGrid) {
  const double epsilon = -0.23;
  reference::Generator generator(61);
  const auto hot = reference::random_gauge({GetParam()}, generator);
  const auto weak = reference::weak_gauge({GetParam()}, generator, 0.6);
  for (const auto* gauge : {&hot, &weak}) {
    const auto w =
        test::links_from_first_rank(gauge->lattice, [&] { return reference::hisq_unitary_links(*gauge); });
    const auto fat = test::links_from_first_rank(w.lattice, [&] {
      return reference::fat_links(w, {1 + epsilon / 8, 1.0 / 16, 1.0 / 64, 1.0 / 384, -1.0 / 8});
    });
    const auto three = reference::three_link_products(w);
    for (const Precision precision : both_precisions)
      for_all_geometries(
          GetParam(), test::same_as_alone(GetParam(), [&](const ProcessGrid& grid,
                                                          const GeometryPtr& geometry, Location location) {
            // Fat links of random ones may be nearly singular.
            const double bound = precision == Precision::double_precision ? 2e-13
                                 : gauge == &hot                          ? 3e-4
                                                                          : 1e-5;
            const auto links =
                hisq_of(grid, to_plaq(*gauge, geometry, Precision::double_precision, Location::host), epsilon,
                        precision, location);
            EXPECT_LT(distance(links.fat, fat), bound);
            EXPECT_LT(distance(links.three, three), bound);
            EXPECT_EQ(links.fat.geometry_ptr(), geometry);
            EXPECT_EQ(links.fat.spec(), fat_link_spec(precision, location));
            EXPECT_EQ(links.three.spec(), gauge_spec(precision, location));
            EXPECT_EQ(links.coefficients, hisq_coefficients(epsilon));
            return std::vector{test::fingerprint(links.fat, grid), test::fingerprint(links.three, grid)};
          }));
  }
}

// Local extents of 2, split or not, included.
INSTANTIATE_TEST_SUITE_P(Extents, Hisq, testing::Values(Extents{4, 4, 4, 4}, Extents{6, 2, 4, 4}),
                         test::by_extents);

TEST(HisqLinks, TurnWithTheGaugeAndAreUnitary) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Extents extents{4, 6, 4, 8};
  reference::Generator generator(63);
  const auto gauge = reference::weak_gauge({extents}, generator, 0.6);
  const auto g = reference::random_transformation({extents}, generator);
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = self.geometry(extents);
  for (const Location location : test::locations()) {
    const auto make = [&](const reference::GaugeField& u) {
      return hisq_of(self, to_plaq(u, geometry, Precision::double_precision, location), 0.1,
                     Precision::double_precision, location);
    };
    const auto before = make(gauge), after = make(reference::transformed(gauge, g));
    const auto three = test::to_reference(before.three);
    const auto turned = reference::transformed({test::to_reference(before.fat), three}, g);
    EXPECT_LT(distance(after.fat, turned.near), 5e-14);
    EXPECT_LT(distance(after.three, turned.far), 5e-14);
    const auto violation = reference::unitarity_violation(three);
    EXPECT_LT(violation.unitarity, 1e-14);
    EXPECT_GT(violation.determinant, 1e-3);  // in U(3), not in SU(3)
  }
}

// A derivative of the right size, for any epsilon.
TEST(HisqLinks, OfUnitLinks) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Extents extents{4, 4, 6, 8};
  const auto unit = reference::unit_gauge({extents});
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const double epsilon : {0.0, -0.3}) {
    const auto c = hisq_coefficients(epsilon);
    EXPECT_DOUBLE_EQ(c.one + 6 * c.three + 24 * c.five + 48 * c.seven + 6 * c.lepage + 3 * c.naik, 1);
    auto fat = unit;
    for (auto& links : fat.link)
      for (auto& link : links) link = reference::Complex((9 + epsilon) / 8) * link;
    for (const Location location : test::locations()) {
      const auto links =
          hisq_of(self, to_plaq(unit, self.geometry(extents), Precision::double_precision, location), epsilon,
                  Precision::double_precision, location);
      EXPECT_LT(distance(links.fat, fat), 3e-15);
      EXPECT_LT(distance(links.three, unit), 3e-15);
    }
  }
}

TEST(HisqLinks, DoNotCoupleToGluonsThatChangeTaste) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto make = [&](const Field& gauge) {
    return hisq_of(self, gauge, 0, Precision::double_precision, Location::host);
  };
  for (int set = 0; set < 16; set += 2)  // in directions y, z, t; mu = x
    EXPECT_NEAR(test::response_to_gluon(self, 0, set, make), set == 0 ? 1 : 0, 1e-7) << "set " << set;
}

// Links along x with the phases +-(pi/2 - angle, angle - pi/2, 0), the sign being that of (-1)^t. Half of the
// weight of a fat link is that of paths which see the other sign, so that
// V_x = diag(sin angle, sin angle, 1), and V_t, which has sides in x, is diag(sin^2 angle, sin^2 angle, 1): W
// is 1 as long as there is an angle.
TEST(HisqLinks, AreRobustWhereFatLinksAreSingular) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Extents extents{4, 4, 4, 4};
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const double angle : {0.0, 1e-12, 1e-6, 1e-2, 0.1}) {
    auto gauge = reference::unit_gauge({extents});
    for (int x = 0; x < gauge.lattice.volume(); ++x) {
      auto& link = gauge.link[x][0];
      const double sign = gauge.lattice.coordinates(x)[3] % 2 == 0 ? 1 : -1;
      link(0, 0) = std::polar(1.0, sign * (std::acos(0.0) - angle));
      link(1, 1) = std::conj(link(0, 0));
    }
    reference::Generator generator(65);
    const auto g = reference::random_transformation(gauge.lattice, generator);
    const auto links = hisq_of(self,
                               to_plaq(reference::transformed(gauge, g), self.geometry(extents),
                                       Precision::double_precision, Location::host),
                               0, Precision::double_precision, Location::host);
    const auto three = test::to_reference(links.three);
    double off = 0;
    for (int x = 0; x < three.lattice.volume(); ++x)
      for (int mu = 0; mu < 4; ++mu) {
        int end = x;
        for (int k = 0; k < 3; ++k) end = three.lattice.forward(end, mu);
        const auto& link = three.link[x][mu];
        EXPECT_LT(reference::unitarity_violation(link).unitarity, 1e-13) << angle;
        off = std::max(off, reference::max_difference(link, g[x] * dagger(g[end])));
      }
    if (angle > 1e-3) {  // rounding over the product of the two smallest singular values of V_t
      EXPECT_LT(off, 1e-15 / std::pow(std::sin(angle), 4));
    }
  }
}

TEST(HisqLinks, WrongInputIsRefused) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = self.geometry({4, 4, 4, 4}, 8);
  const auto spec = gauge_spec(Precision::double_precision, Location::host);
  const auto refused = [&](const Field& gauge, Precision precision) {
    EXPECT_THROW(hisq_of(self, gauge, 0, precision, Location::host), Error);
  };
  refused(Field(geometry->extended(2), spec), Precision::double_precision);
  refused(Field(geometry, gauge_spec(Precision::double_precision, Location::host, 12)),
          Precision::double_precision);
  refused(Field(geometry, spec), Precision::half_precision);
  for (const double epsilon : {std::nan(""), std::numeric_limits<double>::infinity()})
    test::expect_error(ErrorKind::job_file, "", [&] { hisq_coefficients(epsilon); });
}

}  // namespace
}  // namespace plaq
