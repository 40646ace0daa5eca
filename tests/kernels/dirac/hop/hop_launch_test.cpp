// Every launch that the tuner may choose for a hopping term gives the same bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

#include "core/launch/shared_array.hpp"
#include "core/launch/tuning.hpp"
#include "kernels/dirac/hop/hop_candidates.hpp"
#include "kernels/gauge/link_storage_launch.hpp"
#include "tests/kernels/dirac/wilson/wilson_storage_support.hpp"

namespace plaq {
namespace {

using test::Clover;

struct Case {
  Extents extents;
  Clover clover;
  test::Gauge gauge = test::Gauge::random;
  std::uint32_t forced = 0;  // directions forced to exchange: sites inside are then launched for themselves
};

struct Problem {
  const test::WilsonProblem& wilson;
  const ProcessGrid& grid;
  GeometryPtr geometry;
  LinkStorage storage;
  Location location;
};

// S in, hops launched as told by a tuner that knows nothing else.
std::vector<std::uint64_t> applied(const Problem& p, const Field& in, const Launch* launch) {
  const auto tuner = std::make_shared<Tuner>(TuneMode::on, Machine{p.location, "a machine", "none", "0"});
  if (launch != nullptr) {
    TuneEntry entry;
    entry.storage = storage_text(p.storage.precision, p.storage.reals);
    entry.local = p.geometry->local();
    entry.partitioned = p.geometry->shape().partitioned;
    entry.batch = in.subfields();
    entry.device = "a machine", entry.driver = "none", entry.build = "0";
    entry.launch = *launch;
    for (const char* kernel : {"wilson_hop", "wilson_clover_hop", "wilson_hop temporal gauge",
                               "wilson_clover_hop temporal gauge"}) {
      entry.kernel = kernel + std::string(entry.partitioned != 0 ? " interior" : "");
      tuner->add({&entry, 1});
    }
  }
  const Field gauge = test::to_plaq(p.wilson.gauge, p.geometry, Precision::double_precision, Location::host);
  const auto hopping = std::make_shared<WilsonHopping>(p.grid, gauge, p.wilson.ours, p.storage,
                                                       Queue(p.location, launch != nullptr ? tuner : nullptr),
                                                       make_host_transport(p.grid, p.location), 1);
  WilsonSchur schur(hopping, 0, WilsonSchur::Form::asymmetric, in.subfields(),
                    make_clover_blocks(p.grid, gauge, *hopping, CloverNeed::schur_asymmetric, 0));
  Field out(p.geometry, in.spec());
  schur.apply(out, in);
  schur.queue().synchronize();
  for (const TuneEntry& timed : tuner->take_new())
    EXPECT_FALSE(timed.kernel.starts_with("wilson")) << "not used: " << to_string(*launch);
  return test::fingerprints(out, p.grid);
}

class HopLaunches : public testing::TestWithParam<Case> {};

TEST_P(HopLaunches, GiveTheSameBits) {
  const auto [extents, clover, links, forced] = GetParam();
  const Region region = forced != 0 ? Region::interior : Region::all;
  const ProcessGrid grid(MPI_COMM_WORLD, {1, 1, 1, 1});
  const auto geometry = grid.geometry(extents, forced);
  for (const int batch : {1, 2, 5}) {
    const auto wilson = test::make_problem(extents, clover, batch, links);
    for (const Location location : test::locations())
      for (const auto& bound : test::storage_bounds) {
        const bool wide = bound.precision == Precision::double_precision;
        const Problem p{wilson, grid, geometry, bound.storage(), location};
        const Field in = test::to_plaq(wilson.in, geometry, Subset::even, bound.precision, location);
        const auto expected = applied(p, in, nullptr);
        const bool device = location == Location::device;
        const bool holds = device && bound.precision == Precision::half_precision;
        // On a device of the memory of an H100.
        const bool tiles = device && bound.precision == Precision::single_precision;
        const int block = shared_array_threads(8 * (bound.reals * bytes_of(bound.precision) + 4));
        HopCandidates candidates(location, wide ? 128 : 256, holds ? block : 0,
                                 tiles ? hop_tiles : TileSize{});
        const auto all = candidates.of(*geometry, region, batch);
        EXPECT_EQ(std::any_of(all.begin(), all.end(), [](const Launch& l) { return l.held; }),
                  batch > 1 && holds);
        EXPECT_EQ(std::any_of(all.begin(), all.end(), [](const Launch& l) { return l.tiles; }),
                  batch > 1 && tiles);
        for (const Launch& launch : all)
          EXPECT_EQ(applied(p, in, &launch), expected) << bound.name() << " " << to_string(launch);
      }
  }
}

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

INSTANTIATE_TEST_SUITE_P(Cases, HopLaunches,
                         testing::Values(Case{{8, 4, 4, 8}, Clover::none},
                                         Case{{8, 4, 4, 6}, Clover::anisotropic},
                                         Case{{6, 2, 10, 4}, Clover::none},
                                         Case{{4, 2, 2, 6}, Clover::none, test::Gauge::temporal},
                                         Case{{8, 4, 4, 6}, Clover::anisotropic, test::Gauge::temporal},
                                         Case{{8, 6, 4, 10}, Clover::none, test::Gauge::random, 8},
                                         Case{{12, 4, 6, 6}, Clover::none, test::Gauge::temporal, 12}),
                         [](const auto& info) {
                           return to_string(info.param.extents) + "_" + test::name_of(info.param.clover) +
                                  (info.param.gauge == test::Gauge::temporal ? "_temporal" : "") +
                                  (info.param.forced != 0 ? "_exchanging" : "");
                         });

}  // namespace
}  // namespace plaq
