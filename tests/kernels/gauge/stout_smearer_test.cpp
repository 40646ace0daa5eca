// The chain rule of stout smearing against matrices that are cut open link by link, and against differences
// of functions of smeared links.
#include "kernels/gauge/stout_smearer.hpp"

#include <cmath>

#include "core/system/error.hpp"
#include "kernels/gauge/smearing.hpp"
#include "tests/kernels/gauge/algebra_support.hpp"
#include "tests/reference/smearing.hpp"
#include "tests/reference/stout_force.hpp"

namespace plaq::stout_smearer_test {
namespace {

using reference::ColorMatrix;
using reference::LinkMatrices;
using test::algebra_distance;
using test::algebra_matrix;
using test::to_algebra_field;
using test::to_plaq;
constexpr auto wide = Precision::double_precision;

struct Scheme {
  const char* name;
  StoutSmearing stout;
  int directions() const { return stout.spatial ? 3 : 4; }
};
std::vector<Scheme> schemes() {
  return {{"weak", {0.05, false}},
          {"strong", {0.15, false}},
          {"in space", {0.14, true}},
          {"unstable", {-0.4, false}}};
}

// Links that are easy and hard for the exponential: far from 1, near it, 1 itself, where X = 0, and diagonal
// ones whose X have two equal eigenvalues.
struct Links {
  const char* name;
  reference::GaugeField gauge;
};
std::vector<Links> all_links(const reference::Lattice& lattice, reference::Generator& generator) {
  reference::GaugeField equal(lattice);
  for (auto& at : equal.link)
    for (ColorMatrix& u : at) {
      const double angle = reference::normal(generator).real();
      for (int i = 0; i < 3; ++i) u(i, i) = std::polar(1.0, i == 2 ? -2 * angle : angle);
    }
  return {{"hot", random_gauge(lattice, generator)},
          {"weak", weak_gauge(lattice, generator, 0.3)},
          {"unit", unit_gauge(lattice)},
          {"two equal eigenvalues", equal}};
}

class StoutForce : public testing::TestWithParam<Extents> {};

TEST_P(StoutForce, MatchesMatricesCutOpenWithTheSameBitsOnAnyGrid) {
  const reference::Lattice lattice{GetParam()};
  reference::Generator generator(61);
  test::Turns turns(3);
  for (const auto& links : all_links(lattice, generator))
    for (const Scheme& scheme : schemes()) {
      SCOPED_TRACE(std::string(links.name) + " " + scheme.name);
      const LinkMatrices before = random_direction(lattice, generator);
      if (!turns.mine()) continue;
      const auto& [rho, spatial] = scheme.stout;
      const auto expected =
          test::from_first_rank([&] { return carried_back(links.gauge, rho, scheme.directions(), before); });
      test::for_all_geometries(
          GetParam(), test::same_as_alone(GetParam(), [&](const ProcessGrid& grid,
                                                          const GeometryPtr& geometry, Location location) {
            std::vector<std::uint64_t> bits;
            for (const int depth : {1, 2}) {
              const auto extended = geometry->extended(depth);
              StoutSmearer smearer(grid, extended, scheme.stout, Queue(location),
                                   make_host_transport(grid, location));
              Field force = to_algebra_field(before, geometry, extended, location);
              smearer.carry_back(force, to_plaq(links.gauge, extended, wide, location));
              EXPECT_LT(algebra_distance(force, geometry, expected), 1e-13);
              const auto found = test::force_bits(force, links.gauge, grid, geometry);
              EXPECT_TRUE(bits.empty() || bits == found) << "depends on the depth of the halo";
              bits = found;
            }
            return bits;
          }));
    }
}

TEST_P(StoutForce, SmearsAsLinkSmearingDoes) {
  reference::Generator generator(62);
  const auto gauge = reference::random_gauge({GetParam()}, generator);
  for (const Scheme& scheme : schemes()) {
    SCOPED_TRACE(scheme.name);
    test::for_all_geometries(
        GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
          const Queue queue(location);
          const auto transport = make_host_transport(grid, location);
          const auto extended = geometry->extended(1);
          const Field links = to_plaq(gauge, extended, wide, location);
          Field expected = to_plaq(gauge, extended, wide, location), found(extended, links.spec());
          LinkSmearer(grid, links, transport).apply(expected, scheme.stout, 1, queue);
          StoutSmearer(grid, extended, scheme.stout, queue, transport).smear(found, links);
          queue.synchronize();
          EXPECT_EQ(test::fingerprint(found, grid), test::fingerprint(expected, grid));
        });
  }
}

TEST_P(StoutForce, IsCovariant) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const reference::Lattice lattice{GetParam()};
  reference::Generator generator(63);
  const auto gauge = random_gauge(lattice, generator);
  const auto g = random_transformation(lattice, generator);
  const LinkMatrices before = random_direction(lattice, generator);
  const auto turned = [&](LinkMatrices x) {
    for (std::size_t site = 0; site < x.size(); ++site)
      for (ColorMatrix& m : x[site]) m = g[site] * m * dagger(g[site]);
    return x;
  };
  const ProcessGrid grid(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = grid.geometry(GetParam());
  for (const Scheme& scheme : schemes()) {
    SCOPED_TRACE(scheme.name);
    StoutSmearer smearer(grid, geometry, scheme.stout, Queue(Location::host), nullptr);
    const auto carried = [&](const LinkMatrices& x, const reference::GaugeField& links) {
      Field force = to_algebra_field(x, geometry, geometry, Location::host);
      smearer.carry_back(force, to_plaq(links, geometry, wide, Location::host));
      return force;
    };
    LinkMatrices plain(before.size());
    const Field force = carried(before, gauge);
    test::for_stored_sites(*geometry, [&](int parity, int s, int site) {
      for (int mu = 0; mu < 4; ++mu)
        plain[static_cast<std::size_t>(site)][static_cast<std::size_t>(mu)] =
            algebra_matrix(force, mu, parity, s);
    });
    EXPECT_LT(algebra_distance(carried(turned(before), transformed(gauge, g)), geometry, turned(plain)),
              1e-13);
  }
}

INSTANTIATE_TEST_SUITE_P(Extents, StoutForce,
                         testing::Values(Extents{4, 2, 6, 4}, Extents{2, 2, 2, 2}, Extents{4, 4, 2, 8}),
                         [](const auto& info) { return to_string(info.param); });

TEST(StoutForce, IsKnownForModerateParameters) {
  const ProcessGrid grid(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = grid.geometry({2, 2, 2, 2});
  for (const double rho : {0.51, -0.51, std::nan("")}) {
    try {
      StoutSmearer(grid, geometry, {rho, false}, Queue(Location::host), nullptr);
      ADD_FAILURE() << rho << " was accepted";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("rho of stout smearing is"), std::string::npos);
    }
  }
}

// The slow force itself: of the sum of Re tr(K U') with a random matrix K on each link, whose force on
// smeared links is -TA(U' K)/2, through several steps, by central differences of eighth order.
TEST(SlowStoutForce, IsTheDerivative) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const reference::Lattice lattice{{2, 4, 2, 2}};
  reference::Generator generator(64);
  const auto gauge = reference::weak_gauge(lattice, generator, 0.4);
  LinkMatrices k(gauge.link.size());
  for (auto& at : k)
    for (ColorMatrix& m : at)
      for (auto& row : m.element)
        for (auto& z : row) z = reference::normal(generator);
  const LinkMatrices t = random_direction(lattice, generator);
  for (const Scheme& scheme : schemes())
    for (const int steps : {1, 3}) {
      if (steps > 1 && scheme.stout.rho < 0) continue;  // amplifies the rounding of differences
      SCOPED_TRACE(scheme.name);
      const auto smeared = [&](const reference::GaugeField& links, int count) {
        reference::GaugeField field = links;
        for (int step = 0; step < count; ++step)
          field = stout_smeared(field, scheme.stout.rho, scheme.directions());
        return field;
      };
      const auto value = [&](double e) {
        const auto field = smeared(moved_along(gauge, t, e), steps);
        double sum = 0;
        for (std::size_t x = 0; x < k.size(); ++x)
          for (int mu = 0; mu < 4; ++mu) sum += trace(k[x][mu] * field.link[x][mu]).real();
        return sum;
      };
      const auto last = smeared(gauge, steps);
      LinkMatrices force(k.size());
      for (std::size_t x = 0; x < k.size(); ++x)
        for (int mu = 0; mu < 4; ++mu)
          force[x][mu] =
              reference::Complex(-0.5) * reference::traceless_antihermitian(last.link[x][mu] * k[x][mu]);
      for (int step = steps - 1; step >= 0; --step)
        force = carried_back(smeared(gauge, step), scheme.stout.rho, scheme.directions(), force);
      const double h = 4e-3, c[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
      double difference = 0;
      for (int j = 1; j <= 4; ++j) difference += c[j - 1] / h * (value(j * h) - value(-j * h));
      EXPECT_NEAR(derivative_along(t, force) / difference, 1, 1e-9);
    }
}

}  // namespace
}  // namespace plaq::stout_smearer_test
