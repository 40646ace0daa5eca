// Gaussian smearing against the slow reference, and what it must do whatever its code.
#include "kernels/quark/gaussian_smearing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/system/error.hpp"
#include "tests/reference/sources.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

using Batch = std::vector<reference::SpinorField>;

Batch random_batch(const Extents& extents, int subfields, reference::Generator& generator) {
  Batch batch;
  for (int i = 0; i < subfields; ++i) batch.push_back(reference::random_spinor({extents}, generator));
  return batch;
}

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
    const Batch in = random_batch(GetParam(), subfields, generator);
    for (const int steps : {1, 4}) {  // odd numbers end in the workspace, even ones in place
      const GaussianSmearingParameters parameters{1.3, steps};
      Batch expected;
      for (const auto& psi : in) expected.push_back(reference::gaussian_smeared(links, psi, 1.3, steps));
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

TEST_P(GaussianSmearingOn, SameBitsOnEveryGridAndInAnyBatch) {
  if (!test::splits_over_the_ranks(GetParam())) GTEST_SKIP() << "no process grid of this many ranks";
  reference::Generator generator(32);
  const auto links = reference::random_gauge({GetParam()}, generator);
  const Batch in = random_batch(GetParam(), 4, generator);
  const GaussianSmearingParameters parameters{2.0, 3};
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const Precision precision : {Precision::double_precision, Precision::single_precision})
    for (const Location where : test::locations()) {
      std::vector<std::uint64_t> alone;
      for (const auto& psi : in)
        alone.push_back(test::fingerprint(
            smeared(self, self.geometry(GetParam()), links, {psi}, parameters, precision, where), self));
      test::for_all_geometries(
          GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
            if (location != where) return;
            const Field psi = smeared(grid, g, links, in, parameters, precision, location);
            for (int i = 0; i < 4; ++i) {
              Field one(g, spinor_spec(Subset::full, 1, precision, location));
              copy_subfield(one, 0, psi, i);
              EXPECT_EQ(test::fingerprint(one, grid), alone[static_cast<std::size_t>(i)]) << "subfield " << i;
            }
          });
    }
}

INSTANTIATE_TEST_SUITE_P(Extents, GaussianSmearingOn,
                         testing::Values(Extents{4, 4, 4, 4}, Extents{2, 4, 6, 8}, Extents{6, 2, 10, 4}),
                         [](const auto& info) { return to_string(info.param); });

TEST(GaussianSmearing, GaugeCovariance) {
  const Extents extents{4, 4, 2, 4};
  reference::Generator generator(33);
  const auto links = reference::random_gauge({extents}, generator);
  const auto g = reference::random_transformation({extents}, generator);
  const auto psi = random_batch(extents, 1, generator)[0];
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
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, grid.comm());
    EXPECT_NEAR(sums[0], 1, 1e-13);
    EXPECT_EQ(sums[1], 0);
  });
}

TEST(GaussianSmearing, RefusesImpossibleParameters) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const Field gauge(self.geometry({2, 2, 2, 2}), gauge_spec(Precision::double_precision, Location::host));
  const auto error_of = [&](double sigma, int steps) -> std::string {
    try {
      GaussianSmearing(self, gauge, {sigma, steps}, Precision::double_precision, Queue(Location::host),
                       nullptr);
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::job_file);
      return e.what();
    }
    return "no error";
  };
  EXPECT_EQ(error_of(0, 0), "no error");
  EXPECT_EQ(error_of(2, 5), "no error");
  EXPECT_EQ(
      error_of(-1, 5),
      "Gaussian smearing of width sigma = -1.000000 in 5 steps: sigma must not be negative and needs at "
      "least one step");
  EXPECT_NE(error_of(1, 0), "no error");
  EXPECT_NE(error_of(1, -2), "no error");
  EXPECT_NE(error_of(std::numeric_limits<double>::quiet_NaN(), 3), "no error");
  EXPECT_NE(error_of(std::numeric_limits<double>::infinity(), 3), "no error");
}

TEST(GaussianSmearing, LeavesAFieldWithoutStepsAlone) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  reference::Generator generator(34);
  const Extents extents{2, 2, 2, 2};
  const Batch in = random_batch(extents, 1, generator);
  const Field psi = smeared(self, self.geometry(extents), reference::random_gauge({extents}, generator), in,
                            {0, 0}, Precision::double_precision, Location::host);
  EXPECT_EQ(test::max_difference(psi, in), 0);
}

}  // namespace
}  // namespace plaq
