// The staggered operators give the same bits on one rank and on any process grid, by every transport that the
// machine has; faces of 16-bit numbers are about half as large and differ by their rounding alone.
#include <map>
#include <set>

#include "comms/transport/transport_choice.hpp"
#include "core/system/error.hpp"
#include "tests/kernels/dirac/staggered/staggered_support.hpp"
#include "tests/support/first_rank.hpp"

namespace plaq {
namespace {

using Bits = std::vector<std::uint64_t>;

struct Case {
  Extents extents;
  bool improved;
};

// S S S in: exchanges of both parities, one after the other.
Bits applied(const test::StaggeredProblem& p, const ProcessGrid& grid, const GeometryPtr& g,
             const LinkStorage& storage, Location location, std::shared_ptr<Transport> transport) {
  const auto field = [&](const reference::GaugeField& links) {
    return test::to_plaq(links, g, Precision::double_precision, Location::host);
  };
  const Queue queue(location);
  const auto hopping =
      p.improved
          ? std::make_shared<StaggeredHopping>(grid, field(p.links.near), field(p.links.far), p.ours, storage,
                                               queue, transport)
          : std::make_shared<StaggeredHopping>(grid, field(p.links.near), p.ours, storage, queue, transport);
  StaggeredSchur schur(hopping, 0, static_cast<int>(p.in.size()));
  Field a = test::to_plaq(p.in, g, Subset::even, storage.precision, location);
  Field b(g, a.spec());
  schur.apply(b, a);
  schur.apply(a, b);
  schur.apply(b, a);
  queue.synchronize();
  return test::fingerprints(b, grid);
}

class StaggeredTransports : public testing::TestWithParam<Case> {};

TEST_P(StaggeredTransports, GiveTheSameBits) {
  const auto [extents, improved] = GetParam();
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto problem = test::make_staggered(extents, improved, 2);
  std::map<std::pair<Location, std::string>, Bits> alone;
  for (const Location location : test::locations())
    for (const auto& bound : test::staggered_bounds)
      alone[{location, bound.name()}] = test::from_first_rank([&] {
        return applied(problem, self, self.geometry(extents), bound.storage(), location,
                       make_host_transport(self, location));
      });
  int turn = 0;
  test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    if (!test::fits(problem, *g)) return;
    std::set<std::string> tried;
    for (const auto kind : {TransportKind::automatic, TransportKind::self, TransportKind::host,
                            TransportKind::device_mpi, TransportKind::nccl, TransportKind::peer}) {
      const std::string name(transport_names[static_cast<std::size_t>(kind)]);
      if (kind == TransportKind::self && grid.size() > 1) continue;
      std::shared_ptr<Transport> transport;
      try {
        transport = kind == TransportKind::automatic ? choose_transport(grid, location, kind).transport
                                                     : make_transport(grid, location, kind);
      } catch (const Error& e) {
        ASSERT_EQ(e.kind(), ErrorKind::comms) << e.what();
        ASSERT_TRUE(kind != TransportKind::automatic && kind != TransportKind::host) << e.what();
        continue;
      }
      if (!tried.emplace(transport->name()).second) continue;  // the automatic one, by its name
      ++turn;  // four ranks have many grids: each with every third storage, not always the same
      for (const auto& bound : test::staggered_bounds) {
        if (grid.size() >= 4 && (static_cast<int>(&bound - test::staggered_bounds) + turn) % 3 != 0) continue;
        EXPECT_EQ(applied(problem, grid, g, bound.storage(), location, transport),
                  (alone[{location, bound.name()}]))
            << name << " " << bound.name();
      }
    }
  });
}

TEST_P(StaggeredTransports, ShortFacesRoundWhatTheyBring) {
  const auto [extents, improved] = GetParam();
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const auto p = test::make_staggered(extents, improved, 2);
  for (const auto& bound : test::staggered_bounds) {
    SCOPED_TRACE(bound.name());
    test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
      if (!test::fits(p, *g)) return;
      const Queue queue(location);
      const auto wide = test::make_staggered_hopping(p, grid, g, bound.storage(), queue),
                 narrow = test::make_staggered_hopping(p, grid, g, bound.storage(), queue);
      if (bound.precision == Precision::double_precision) {
        EXPECT_THROW(narrow->set_short_faces(true), Error);
        return;
      }
      narrow->set_short_faces(true);
      const Field in = test::to_plaq(p.in, g, Subset::odd, bound.precision, location);
      Field expected(g, staggered_spec(Subset::even, 2, bound.precision, location)),
          found(g, expected.spec());
      wide->apply(expected, in, 0, false, ActiveSet(2));
      narrow->apply(found, in, 0, false, ActiveSet(2));
      queue.synchronize();
      EXPECT_THROW(narrow->set_short_faces(false), Error);  // too late
      const auto off = test::deviation(found, test::to_reference(expected));
      EXPECT_LT(off.most, 2e-4);
      EXPECT_LT(off.mean, 2.5e-5);
      if (g->any_partitioned()) {
        EXPECT_GT(off.mean, 1e-7);  // they are short
      } else {
        EXPECT_EQ(off.most, 0);
      }
      if (g->partitioned(3)) {
        const double as_computed = 24 + (bound.precision == Precision::half_precision ? 4 : 0);
        for (const int d : {6, 7})
          EXPECT_NEAR(static_cast<double>(narrow->halo(2).face_bytes(d)) /
                          static_cast<double>(wide->halo(2).face_bytes(d)),
                      16 / as_computed, 1e-12);
      }
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, StaggeredTransports,
                         testing::Values(Case{{4, 4, 4, 8}, false}, Case{{6, 4, 2, 12}, false},
                                         Case{{8, 4, 4, 8}, true}, Case{{4, 6, 2, 16}, true}),
                         [](const auto& info) {
                           return to_string(info.param.extents) + (info.param.improved ? "_improved" : "");
                         });

}  // namespace
}  // namespace plaq
