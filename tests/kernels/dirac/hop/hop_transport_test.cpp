// The Wilson operator gives the same bits on one rank and on any process grid, by every transport that the
// machine has.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "comms/transport/transport_choice.hpp"
#include "core/system/error.hpp"
#include "tests/kernels/dirac/wilson/wilson_storage_support.hpp"
#include "tests/support/first_rank.hpp"

namespace plaq {
namespace {

using Bits = std::vector<std::uint64_t>;

// S S^dagger S in: exchanges of both kinds, one after the other.
Bits applied(const test::WilsonProblem& problem, const ProcessGrid& grid, const GeometryPtr& geometry,
             const LinkStorage& storage, Location location, std::shared_ptr<Transport> transport) {
  const Field gauge = test::to_plaq(problem.gauge, geometry, Precision::double_precision, location);
  const auto hopping = std::make_shared<WilsonHopping>(grid, gauge, problem.ours, storage, Queue(location),
                                                       std::move(transport), 1);
  const int batch = static_cast<int>(problem.in.size());
  WilsonSchur schur(hopping, 0, WilsonSchur::Form::symmetric, batch,
                    make_clover_blocks(grid, gauge, *hopping, CloverNeed::schur_symmetric, 0));
  Field a = test::to_plaq(problem.in, geometry, Subset::even, storage.precision, location);
  Field b(geometry, a.spec());
  schur.apply(b, a);
  schur.apply_dagger(a, b);
  schur.apply(b, a);
  schur.queue().synchronize();
  return test::fingerprints(b, grid);
}

class HopTransports : public testing::TestWithParam<Extents> {};

TEST_P(HopTransports, GiveTheSameBits) {
  if (!test::splits_over_the_ranks(GetParam())) GTEST_SKIP() << "no process grid of this many ranks";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const auto clover : {test::Clover::none, test::Clover::anisotropic}) {
    const auto problem = test::make_problem(GetParam(), clover, 2);
    std::map<std::pair<Location, std::string>, Bits> alone;
    for (const Location location : test::locations())
      for (const auto& bound : test::storage_bounds)
        alone[{location, bound.name()}] = test::from_first_rank([&] {
          return applied(problem, self, self.geometry(GetParam()), bound.storage(), location,
                         make_host_transport(self, location));
        });
    int turn = 0;
    test::for_all_geometries(
        GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
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
            for (const auto& bound : test::storage_bounds) {
              if (grid.size() >= 4 && (bound.index() + turn) % 3 != 0) continue;
              EXPECT_EQ(applied(problem, grid, geometry, bound.storage(), location, transport),
                        (alone[{location, bound.name()}]))
                  << name << " " << bound.name();
            }
          }
        });
  }
}

INSTANTIATE_TEST_SUITE_P(Extents, HopTransports,
                         testing::Values(Extents{4, 4, 4, 8}, Extents{8, 12, 4, 6}, Extents{2, 6, 4, 20}),
                         [](const auto& info) { return to_string(info.param); });

}  // namespace
}  // namespace plaq
