// Every launch that the tuner may choose for a hopping term gives the same bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/launch/shared_array.hpp"
#include "core/launch/tuning.hpp"
#include "kernels/dirac/hop/hop_candidates.hpp"
#include "kernels/gauge/link_storage_launch.hpp"
#include "tests/support/operators/checks.hpp"
#include "tests/support/operators/staggered.hpp"
#include "tests/support/operators/wilson.hpp"

namespace plaq {
namespace {

using test::Clover, test::Gauge, test::StorageBound;

struct WilsonCase {
  Extents extents;
  Clover clover;
  Gauge gauge = Gauge::random;
  std::uint32_t forced = 0;  // directions forced to exchange: sites inside are then launched for themselves
};

class WilsonLaunches : public testing::TestWithParam<WilsonCase> {};

TEST_P(WilsonLaunches, GiveTheSameBits) {
  const auto [extents, clover, links, forced] = GetParam();
  const Region region = forced != 0 ? Region::interior : Region::all;
  const auto candidates = [&](const StorageBound& bound, Location location, const Geometry& g, int batch) {
    const bool wide = bound.precision == Precision::double_precision;
    const bool device = location == Location::device;
    const bool holds = device && bound.precision == Precision::half_precision;
    // On a device of the memory of an H100.
    const bool tiles = device && bound.precision == Precision::single_precision;
    const int block = shared_array_threads(8 * (bound.reals * bytes_of(bound.precision) + 4));
    HopCandidates known(location, wide ? 128 : 256, holds ? block : 0, tiles ? hop_tiles : TileSize{});
    const auto found = known.of(g, region, batch);
    EXPECT_EQ(std::any_of(found.begin(), found.end(), [](const Launch& l) { return l.held; }),
              batch > 1 && holds);
    EXPECT_EQ(std::any_of(found.begin(), found.end(), [](const Launch& l) { return l.tiles; }),
              batch > 1 && tiles);
    return std::vector<Launch>(found.begin(), found.end());
  };
  test::expect_same_bits_in_every_launch(
      test::wilson_complement(test::make_wilson(extents, clover, links), 0, WilsonSchur::Form::asymmetric),
      {"wilson",
       {"wilson_hop", "wilson_clover_hop", "wilson_hop temporal gauge", "wilson_clover_hop temporal gauge"},
       candidates},
      {1, 2, 5}, forced);
}

INSTANTIATE_TEST_SUITE_P(Cases, WilsonLaunches,
                         testing::Values(WilsonCase{{8, 4, 4, 8}, Clover::none},
                                         WilsonCase{{8, 4, 4, 6}, Clover::anisotropic},
                                         WilsonCase{{6, 2, 10, 4}, Clover::none},
                                         WilsonCase{{4, 2, 2, 6}, Clover::none, Gauge::temporal},
                                         WilsonCase{{8, 4, 4, 6}, Clover::anisotropic, Gauge::temporal},
                                         WilsonCase{{8, 6, 4, 10}, Clover::none, Gauge::random, 8},
                                         WilsonCase{{12, 4, 6, 6}, Clover::none, Gauge::temporal, 12}),
                         [](const auto& info) {
                           return to_string(info.param.extents) + "_" + test::name_of(info.param.clover) +
                                  (info.param.gauge == Gauge::temporal ? "_temporal" : "") +
                                  (info.param.forced != 0 ? "_exchanging" : "");
                         });

// Launches that hold links while right-hand sides pass, which devices use, here on the host as well.
class StaggeredLaunches : public testing::TestWithParam<std::pair<Extents, bool>> {};

TEST_P(StaggeredLaunches, GiveTheSameBits) {
  const auto& [extents, improved] = GetParam();
  const auto candidates = [](const StorageBound& bound, Location location, const Geometry& g, int batch) {
    HopCandidates known(location, bound.precision == Precision::double_precision ? 128 : 256,
                        location == Location::device ? 128 : 0);
    const auto found = known.of(g, Region::all, batch);
    return std::vector<Launch>(found.begin(), found.end());
  };
  test::expect_same_bits_in_every_launch(
      test::staggered_complement(test::make_staggered(extents, improved), 0),
      {"staggered", {improved ? "improved_staggered_hop" : "staggered_hop"}, candidates}, {1, 2, 7});
}

INSTANTIATE_TEST_SUITE_P(Cases, StaggeredLaunches,
                         testing::Values(std::pair{Extents{8, 4, 4, 6}, false},
                                         std::pair{Extents{6, 2, 10, 4}, false},
                                         std::pair{Extents{8, 4, 4, 6}, true}),
                         [](const auto& info) {
                           return to_string(info.param.first) + (info.param.second ? "_improved" : "");
                         });

// A batch also goes in two or three launches. One right-hand side alone has nothing to hold, and the host
// holds nothing.
TEST(HopCandidate, Widths) {
  const ProcessGrid grid(MPI_COMM_WORLD, {1, 1, 1, 1});
  const auto geometry = grid.geometry({8, 4, 4, 8});
  const auto widths = [&](Location location, int batch) {
    HopCandidates candidates(location, 256, 128);
    std::set<int> found;
    for (const Launch& launch : candidates.of(*geometry, Region::all, batch))
      if (launch.held == (location == Location::device)) found.insert(launch.width);
    return found;
  };
  EXPECT_EQ(widths(Location::device, 12), (std::set<int>{4, 6, 12}));
  EXPECT_EQ(widths(Location::device, 5), (std::set<int>{3, 5}));
  EXPECT_EQ(widths(Location::device, 2), (std::set<int>{2}));
  EXPECT_EQ(widths(Location::device, 1), (std::set<int>{}));
  EXPECT_EQ(widths(Location::host, 12), (std::set<int>{4, 6, 12}));
  EXPECT_EQ(widths(Location::host, 1), (std::set<int>{1}));
}

// What the launches of a split batch take: every active right-hand side once.
TEST(HopCandidate, PartsOfAnActiveSet) {
  const ActiveSet active(std::vector<char>{1, 0, 1, 1, 0, 1, 1, 1});
  for (const int together : {1, 2, 3, 4, 6, 100}) {
    std::vector<int> subfields;
    for (int first = 0; first < active.count(); first += together) {
      const ActiveSet part = active.part(first, together);
      EXPECT_EQ(part.batch(), 8);
      EXPECT_LE(part.count(), together);
      for (int k = 0; k < part.count(); ++k) subfields.push_back(part[k]);
    }
    EXPECT_EQ(subfields, (std::vector<int>{0, 2, 3, 5, 6, 7})) << together;
  }
}

// Right-hand sides that leave a batch one by one need no trials of their own, but for the last one.
TEST(HopCandidate, OfABatchAreTimedForAllAndForOne) {
  const test::OperatorProblem problem = test::wilson_complement(
      test::make_wilson({8, 4, 4, 6}, Clover::anisotropic), 0, WilsonSchur::Form::asymmetric);
  const ProcessGrid grid(MPI_COMM_WORLD, {1, 1, 1, 1});
  const auto geometry = grid.geometry(problem.extents);
  const StorageBound& bound = problem.bounds.front();
  for (const Location location : test::locations()) {
    const auto tuner = std::make_shared<Tuner>(TuneMode::on, Machine{location, "a machine", "none", "0"});
    const auto schur = problem.make({grid, geometry, bound.storage(), Queue(location, tuner), 5});
    const Field in(geometry, schur->spec(5));
    Field out(geometry, schur->spec(5));
    const auto batches_timed = [&](const std::vector<char>& active) {
      schur->apply(out, in, ActiveSet(active));
      std::set<int> batches;
      for (const TuneEntry& entry : tuner->take_new()) batches.insert(entry.batch);
      return batches;
    };
    EXPECT_EQ(batches_timed({1, 1, 1, 1, 1}), std::set<int>{5});
    EXPECT_EQ(batches_timed({1, 1, 0, 1, 1}), std::set<int>{});
    EXPECT_EQ(batches_timed({0, 0, 1, 1, 0}), std::set<int>{});
    // On a host there is one launch of a single one.
    const bool device = location == Location::device;
    EXPECT_EQ(batches_timed({0, 1, 0, 0, 0}), device ? std::set<int>{1} : std::set<int>{});
  }
}

}  // namespace
}  // namespace plaq
