// Gaussian smearing against the slow reference, and what it must do whatever its code.
#include "kernels/quark/gaussian_smearing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "tests/reference/sources.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/on_lattices.hpp"
#include "tests/support/same_as_alone.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

using Batch = std::vector<reference::SpinorField>;

Field smeared(const ProcessGrid& grid, const GeometryPtr& g, const reference::GaugeField& links,
              const Batch& in, const GaussianSmearingParameters& parameters, Precision precision,
              Location location) {
  const Field gauge = test::to_plaq(links, g, Precision::double_precision, Location::host);
  const Queue queue(location);
  GaussianSmearing smearing(grid, gauge, parameters, precision, queue, make_host_transport(grid, location));
  Field psi = test::to_plaq(in, g, Subset::full, precision, location);
  smearing.apply(psi);
  queue.synchronize();
  return psi;
}

class GaussianSmearingOn : public testing::TestWithParam<Extents> {};

TEST_P(GaussianSmearingOn, MatchesTheReference) {
  if (!test::splits_over_the_ranks(GetParam())) GTEST_SKIP() << "no process grid of this many ranks";
  reference::Generator generator(31);
  const auto links = reference::random_gauge({GetParam()}, generator);
  for (const int subfields : {1, 4}) {
    const Batch in = reference::random_spinors({GetParam()}, subfields, generator);
    for (const int steps : {1, 4}) {  // odd numbers end in the workspace, even ones in place
      const SpaceSigns boundary = steps == 1 ? SpaceSigns{-1, 1, -1} : periodic_in_space;
      const GaussianSmearingParameters parameters{0.8, steps, boundary};
      const auto expected = test::from_first_rank([&] {
        Batch all;
        for (const auto& psi : in)
          all.push_back(reference::gaussian_smeared(links, psi, 0.8, steps, boundary));
        return all;
      });
      test::for_all_geometries(
          GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
            for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
              const Field psi = smeared(grid, g, links, in, parameters, precision, location);
              EXPECT_LT(test::max_difference(psi, expected),
                        precision == Precision::double_precision ? 1e-12 : 1e-4);
            }
          });
    }
  }
}

// The links with the phases exp(-2 pi i n_j / L_j).
reference::GaugeField with_phases(reference::GaugeField links, const std::array<double, 3>& n) {
  for (auto& of_site : links.link)
    for (std::size_t j = 0; j < 3; ++j)
      of_site[j] = std::polar(1.0, -2 * std::numbers::pi * n[j] / links.lattice.extents[j]) * of_site[j];
  return links;
}

TEST_P(GaussianSmearingOn, WithAMomentumMatchesTheReferenceWithTheSameBitsOnEveryGrid) {
  if (!test::splits_over_the_ranks(GetParam())) GTEST_SKIP() << "no process grid of this many ranks";
  reference::Generator generator(35);
  const auto links = reference::random_gauge({GetParam()}, generator);
  const Batch in = reference::random_spinors({GetParam()}, 2, generator);
  const std::array<double, 3> n{0.7, -1, 1.25};
  const GaussianSmearingParameters parameters{
      .sigma = 0.9, .steps = 3, .boundary = {1, -1, 1}, .momentum = n};
  const auto expected = test::from_first_rank([&] {
    Batch all;
    for (const auto& psi : in)
      all.push_back(reference::gaussian_smeared(with_phases(links, n), psi, 0.9, 3, parameters.boundary));
    return all;
  });
  test::for_all_geometries(
      GetParam(),
      test::same_as_alone(GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
        const Field psi = smeared(grid, g, links, in, parameters, Precision::double_precision, location);
        EXPECT_LT(test::max_difference(psi, expected), 1e-12);
        return test::fingerprints(psi, grid);
      }));
}

TEST_P(GaussianSmearingOn, SameBitsOnEveryGridAndInAnyBatch) {
  if (!test::splits_over_the_ranks(GetParam())) GTEST_SKIP() << "no process grid of this many ranks";
  reference::Generator generator(32);
  const auto links = reference::random_gauge({GetParam()}, generator);
  const Batch in = reference::random_spinors({GetParam()}, 4, generator);
  const GaussianSmearingParameters parameters{1.4, 3};
  for (const Precision precision : {Precision::double_precision, Precision::single_precision})
    test::for_all_geometries(
        GetParam(), test::same_as_alone(GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& g,
                                                        Location location) {
          const auto bits = [&](const Batch& batch) {
            return test::fingerprints(smeared(grid, g, links, batch, parameters, precision, location), grid);
          };
          auto together = bits(in);
          if (grid.size() == 1 && !g->any_partitioned()) {
            for (std::size_t i = 0; i < in.size(); ++i) EXPECT_EQ(bits({in[i]})[0], together[i]) << i;
          }
          return together;
        }));
}

INSTANTIATE_TEST_SUITE_P(Extents, GaussianSmearingOn,
                         testing::Values(Extents{4, 4, 4, 4}, Extents{2, 4, 6, 8}, Extents{6, 2, 10, 4}),
                         test::by_extents);

TEST(GaussianSmearing, GaugeCovariance) {
  const Extents extents{4, 4, 2, 4};
  reference::Generator generator(33);
  const auto links = reference::random_gauge({extents}, generator);
  const auto g = reference::random_transformation({extents}, generator);
  const auto psi = reference::random_spinors({extents}, 1, generator)[0];
  const auto expected = reference::times(g, reference::gaussian_smeared(links, psi, 1.7, 5));
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  test::for_all_geometries(
      extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
        const Field rotated =
            smeared(grid, geometry, reference::transformed(links, g), {reference::times(g, psi)}, {1.7, 5},
                    Precision::double_precision, location);
        EXPECT_LT(test::max_difference(rotated, {expected}), 1e-12);
      });
}

TEST(GaussianSmearing, KeepsTimeSlicesAndTheSumOnUnitLinks) {
  const Extents extents{8, 4, 4, 8};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const reference::Lattice lattice{extents};
  const auto source = reference::point_source(lattice, lattice.index({3, 1, 2, 5}), 2, 1);
  test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    const Field psi = test::on_host(smeared(grid, g, reference::unit_gauge(lattice), {source}, {1.5, 20},
                                            Precision::double_precision, location));
    double sums[2] = {};  // of the source's component on its slice; of |everything else|
    test::for_stored_sites(*g, [&](int parity, int s, int site) {
      for (int r = 0; r < 24; ++r) {
        const double value = get_real(psi, 0, parity, s, r);
        const bool mine = lattice.coordinates(site)[3] == 5 && r == 2 * (3 * 2 + 1);
        sums[mine ? 0 : 1] += mine ? value : std::abs(value);
      }
    });
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, grid.comm().mpi());
    EXPECT_NEAR(sums[0], 1, 1e-13);
    EXPECT_EQ(sums[1], 0);
  });
}

// On unit links exp(i k x) of the momentum is kept as a constant is without it.
TEST(GaussianSmearing, KeepsQuarksOfItsMomentum) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Extents extents{4, 6, 8, 2};
  const reference::Lattice lattice{extents};
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto wave = reference::plane_wave_source(lattice, {1, -2, 3, 0}, -1, 2, 1);
  const auto kept = [&](const std::array<double, 3>& n) {
    return smeared(self, self.geometry(extents), reference::unit_gauge(lattice), {wave},
                   {.sigma = 1.1, .steps = 4, .momentum = n}, Precision::double_precision, Location::host);
  };
  EXPECT_LT(test::max_difference(kept({1, -2, 3}), {wave}), 1e-14);
  EXPECT_GT(test::max_difference(kept({-1, 2, -3}), {wave}), 0.1);
}

TEST(GaussianSmearing, RefusesImpossibleParameters) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const Field gauge(self.geometry({2, 2, 2, 2}), gauge_spec(Precision::double_precision, Location::host));
  const auto error_of = [&](double sigma, int steps) {
    return test::error_of(ErrorKind::job_file, [&] {
      GaussianSmearing(self, gauge, {sigma, steps}, Precision::double_precision, Queue(Location::host),
                       nullptr);
    });
  };
  EXPECT_EQ(error_of(0, 0), "no error");
  EXPECT_EQ(error_of(2, 6), "no error");
  EXPECT_EQ(
      error_of(2, 5),
      "Gaussian smearing of width sigma = 2.000000 in 5 steps amplifies the highest momenta: take at least 6 "
      "steps");
  EXPECT_EQ(fewest_smearing_steps(6, 1), 54);
  EXPECT_EQ(fewest_smearing_steps(6, 2), 14);
  EXPECT_EQ(
      error_of(-1, 5),
      "Gaussian smearing of width sigma = -1.000000 in 5 steps: sigma must not be negative and needs at "
      "least one step");
  EXPECT_NE(error_of(1, 0), "no error");
  EXPECT_NE(error_of(1, -2), "no error");
  EXPECT_NE(error_of(std::numeric_limits<double>::quiet_NaN(), 3), "no error");
  EXPECT_NE(error_of(std::numeric_limits<double>::infinity(), 3), "no error");
  test::expect_error(ErrorKind::job_file, "momentum", [] {
    expect_possible({.sigma = 1, .steps = 2, .momentum = {0, std::numeric_limits<double>::infinity(), 0}}, 1);
  });
}

TEST(GaussianSmearing, LeavesAFieldWithoutStepsAlone) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  reference::Generator generator(34);
  const Extents extents{2, 2, 2, 2};
  const Batch in = reference::random_spinors({extents}, 1, generator);
  const Field psi = smeared(self, self.geometry(extents), reference::random_gauge({extents}, generator), in,
                            {0, 0}, Precision::double_precision, Location::host);
  EXPECT_EQ(test::max_difference(psi, in), 0);
}

}  // namespace
}  // namespace plaq
