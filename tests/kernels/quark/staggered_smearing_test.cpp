// Smearing of staggered quarks by two-link hops against the slow reference, and
// what it must do whatever its code.
#include "kernels/quark/staggered_smearing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/reference/sources.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/on_lattices.hpp"
#include "tests/support/same_as_alone.hpp"
#include "tests/support/world.hpp"

namespace plaq::staggered_smearing_test {
namespace {

using Batch = std::vector<reference::ColorField>;
constexpr auto wide = Precision::double_precision;

Field smeared(const ProcessGrid& grid, const GeometryPtr& g, const reference::GaugeField& links,
              const Batch& in, const GaussianSmearingParameters& parameters, Location location) {
  const Queue queue(location);
  StaggeredSmearing smearing(grid, test::to_plaq(links, g, wide, Location::host), parameters, queue,
                             make_host_transport(grid, location));
  Field chi = test::to_plaq(in, g, Subset::full, wide, location);
  smearing.apply(chi);
  queue.synchronize();
  return chi;
}

class StaggeredSmearingOn : public test::OnLattices {};

TEST_P(StaggeredSmearingOn, MatchesTheReferenceWithTheSameBitsOnEveryGridAndInAnyBatch) {
  reference::Generator generator(41);
  const auto links = reference::random_gauge({GetParam()}, generator);
  Batch in;
  for (int i = 0; i < 3; ++i) in.push_back(reference::random_colors({GetParam()}, generator));
  for (const int steps : {1, 4}) {  // odd numbers end in one field, even ones in the other
    const SpaceSigns boundary = steps == 1 ? SpaceSigns{-1, -1, 1} : periodic_in_space;
    const GaussianSmearingParameters parameters{1.3, steps, boundary};
    const auto expected = test::from_first_rank([&] {
      Batch all;
      for (const auto& chi : in) all.push_back(reference::two_link_smeared(links, chi, 1.3, steps, boundary));
      return all;
    });
    test::for_all_geometries(
        GetParam(), test::same_as_alone(GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& g,
                                                        Location location) {
          const auto bits = [&](const Batch& batch) {
            return test::fingerprints(smeared(grid, g, links, batch, parameters, location), grid);
          };
          EXPECT_LT(test::max_difference(smeared(grid, g, links, in, parameters, location), expected), 1e-12);
          auto together = bits(in);
          if (grid.size() == 1 && !g->any_partitioned()) {
            for (std::size_t i = 0; i < in.size(); ++i) EXPECT_EQ(bits({in[i]})[0], together[i]) << i;
          }
          return together;
        }));
  }
}

// Hops of two links have the phase twice.
TEST_P(StaggeredSmearingOn, WithAMomentumMatchesTheReference) {
  reference::Generator generator(44);
  auto links = reference::random_gauge({GetParam()}, generator);
  const auto chi = reference::random_colors({GetParam()}, generator);
  const std::array<double, 3> n{0.7, -1, 1.25};
  const GaussianSmearingParameters parameters{.sigma = 1.3, .steps = 2, .momentum = n};
  const auto plain = links;
  for (auto& of_site : links.link)
    for (std::size_t j = 0; j < 3; ++j)
      of_site[j] = std::polar(1.0, -2 * std::numbers::pi * n[j] / GetParam()[j]) * of_site[j];
  const auto expected = reference::two_link_smeared(links, chi, 1.3, 2);
  test::for_all_geometries(GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    EXPECT_LT(test::max_difference(smeared(grid, g, plain, {chi}, parameters, location), Batch{expected}),
              1e-12);
  });
}

TEST_P(StaggeredSmearingOn, GaugeCovariance) {
  reference::Generator generator(43);
  const auto links = reference::random_gauge({GetParam()}, generator);
  const auto g = reference::random_transformation({GetParam()}, generator);
  const auto chi = reference::random_colors({GetParam()}, generator);
  const auto expected = reference::times(g, reference::two_link_smeared(links, chi, 1.7, 3));
  test::for_all_geometries(GetParam(),
                           [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
                             const Field turned = smeared(grid, geometry, reference::transformed(links, g),
                                                          {reference::times(g, chi)}, {1.7, 3}, location);
                             EXPECT_LT(test::max_difference(turned, Batch{expected}), 1e-12);
                           });
}

INSTANTIATE_TEST_SUITE_P(Extents, StaggeredSmearingOn,
                         testing::Values(Extents{4, 4, 4, 4}, Extents{2, 4, 6, 8}, Extents{6, 2, 4, 4}),
                         test::by_extents);

// On unit links a point stays on the sites at even distances, keeps its sum, and has the mean square radius
// of exp(-r^2 / sigma^2), 3 sigma^2 / 2, after any number of steps.
TEST(StaggeredSmearing, KeepsTastesAndHasTheWidth) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Extents extents{10, 10, 10, 2};
  const reference::Lattice lattice{extents};
  const reference::Coordinates center{3, 4, 8, 1};
  reference::ColorField point(static_cast<std::size_t>(lattice.volume()));
  point[lattice.index(center)][1] = 1;
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto g = self.geometry(extents);
  for (const Location location : test::locations())
    for (const int steps : {1, 2}) {
      const Field chi =
          test::on_host(smeared(self, g, reference::unit_gauge(lattice), {point}, {1.1, steps}, location));
      double sum = 0, others = 0, squares = 0;
      test::for_stored_sites(*g, [&](int parity, int s, int site) {
        const auto x = lattice.coordinates(site);
        double square = 0;
        bool even = x[3] == center[3];
        for (std::size_t i = 0; i < 3; ++i) {
          const int away = std::abs(x[i] - center[i]), near = std::min(away, 10 - away);
          even = even && near % 2 == 0;
          square += near * near;
        }
        for (int r = 0; r < 6; ++r) {
          const double value = get_real(chi, 0, parity, s, r);
          if (even && r == 2) {
            sum += value;
            squares += square * value;
          } else {
            others += std::abs(value);
          }
        }
      });
      EXPECT_NEAR(sum, 1, 1e-14);
      EXPECT_EQ(others, 0);
      EXPECT_NEAR(squares, 1.5 * 1.1 * 1.1, 1e-13);
    }
}

TEST(StaggeredSmearing, RefusesImpossibleParameters) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const Field gauge(self.geometry({2, 2, 2, 2}), gauge_spec(wide, Location::host));
  EXPECT_NE(test::error_of(ErrorKind::job_file,
                           [&] {
                             StaggeredSmearing(self, gauge, {1, 0}, Queue(Location::host), nullptr);
                           }),
            "no error");
}

// A wave that changes its sign at every hop has the lowest eigenvalue of the Laplacian, -12: it stays as it
// is up to its sign with the fewest steps, and grows with one less. sigma^2 = 8: 3 steps by hops
// of two links, 12 by hops of one.
TEST(StaggeredSmearing, FewestStepsAmplifyNoMode) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Extents extents{4, 4, 4, 2};
  const reference::Lattice lattice{extents};
  reference::ColorField wave(static_cast<std::size_t>(lattice.volume()));
  for (int site = 0; site < lattice.volume(); ++site) {
    const auto x = lattice.coordinates(site);
    wave[site][0] = ((x[0] / 2 + x[1] / 2 + x[2] / 2) % 2 == 0) ? 1 : -1;
  }
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const double sigma = std::sqrt(8.0);
  ASSERT_EQ(fewest_smearing_steps(sigma, 2), 3);
  const Field chi = smeared(self, self.geometry(extents), reference::unit_gauge(lattice), {wave}, {sigma, 3},
                            Location::host);
  for (auto& color : wave) color[0] = -color[0];
  EXPECT_LT(test::max_difference(chi, Batch{wave}), 1e-13);
}

}  // namespace
}  // namespace plaq::staggered_smearing_test
