// The full operator and its dagger, with and without clover, in every storage: against the slow reference on
// one rank alone, and from there bit by bit on every process grid and in batches.
#include <algorithm>

#include "tests/kernels/dirac/wilson/wilson_storage_support.hpp"
#include "tests/support/first_rank.hpp"

namespace plaq {
namespace {

using test::Batch;
using test::Clover;
using test::Gauge;

constexpr int batch = 4;

WilsonOperator make_operator(const test::WilsonProblem& p, const ProcessGrid& grid,
                             const GeometryPtr& geometry, const LinkStorage& storage, Location location,
                             int rotated_parity, Gauge links) {
  const Field gauge = test::to_plaq(p.gauge, geometry, Precision::double_precision, Location::host);
  const auto hopping = test::make_hopping(p, grid, gauge, storage, location, rotated_parity);
  EXPECT_EQ(hopping->temporal_gauge(), links == Gauge::temporal && storage.reals != 8);
  return WilsonOperator(hopping, make_clover_blocks(grid, gauge, *hopping, CloverNeed::operator_full));
}

struct Case {
  Extents extents;
  Clover clover;
  Gauge gauge = Gauge::random;
};

class WilsonStorage : public testing::TestWithParam<Case> {};

TEST_P(WilsonStorage, MatchesTheReferenceWithTheSameBitsOnEveryGridAndInEveryBatch) {
  const auto [extents, clover, links] = GetParam();
  const auto p = test::make_problem(extents, clover, batch, links);
  const int turned = clover == Clover::anisotropic ? 0 : 1;  // parity of the rotation of eight reals
  Batch before = p.in;
  const auto expected = test::from_first_rank([&] {
    const test::SlowOperator slow(p);
    std::array<Batch, 2> found;
    for (const bool dagger : {false, true})
      for (const auto& psi : p.in) found[dagger].push_back(slow.full(psi, dagger));
    return found;
  });
  std::reverse(before.begin(), before.end());

  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (const auto& bound : test::storage_bounds) {
    if (ranks > 4 && bound.index() % 2 == 1) continue;  // many ranks on few cores
    if (links == Gauge::temporal && bound.reals == 8) continue;
    SCOPED_TRACE(bound.name());
    for (const Location where : test::locations()) {
      // Each right-hand side alone, on one rank.
      const auto alone = test::from_first_rank([&] {
        std::array<std::vector<std::uint64_t>, 2> bits;
        const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
        const auto g = self.geometry(extents);
        WilsonOperator m = make_operator(p, self, g, bound.storage(), where, turned, links);
        for (const bool dagger : {false, true}) {
          Field all(g, m.spec(batch)), one(g, m.spec(1));
          for (int k = 0; k < batch; ++k) {
            const Field in =
                test::to_plaq({p.in[static_cast<std::size_t>(k)]}, g, Subset::full, bound.precision, where);
            dagger ? m.apply_dagger(one, in) : m.apply(one, in);
            m.queue().synchronize();
            copy_subfield(all, k, one, 0);
          }
          bits[dagger] = test::fingerprints(all, self);
          const auto off = test::deviation(all, expected[dagger]);
          EXPECT_LT(off.most, bound.most);
          EXPECT_LT(off.mean, bound.mean);
        }
        return bits;
      });
      test::for_all_geometries(
          extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
            if (location != where) return;
            WilsonOperator m = make_operator(p, grid, g, bound.storage(), where, turned, links);
            const Field in = test::to_plaq(p.in, g, Subset::full, bound.precision, where);
            const Field old = test::to_plaq(before, g, Subset::full, bound.precision, where);
            const auto untouched = test::fingerprints(old, grid);
            // Three of four: a group of the kernels' width; all four: one beyond it; one.
            for (const auto& flags : {std::vector<char>{1, 0, 1, 1}, {1, 1, 1, 1}, {0, 0, 1, 0}})
              for (const bool dagger : {false, true}) {
                Field out(g, m.spec(batch));
                copy(out, old);
                dagger ? m.apply_dagger(out, in, ActiveSet(flags)) : m.apply(out, in, ActiveSet(flags));
                m.queue().synchronize();
                const auto found = test::fingerprints(out, grid);
                for (std::size_t k = 0; k < flags.size(); ++k)
                  EXPECT_EQ(found[k], flags[k] ? alone[dagger][k] : untouched[k])
                      << "right-hand side " << k << (dagger ? ", dagger" : "");
              }
          });
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, WilsonStorage,
                         testing::Values(Case{{4, 4, 4, 8}, Clover::none},
                                         Case{{4, 4, 2, 8}, Clover::anisotropic},
                                         Case{{2, 2, 2, 2}, Clover::isotropic},
                                         Case{{6, 2, 10, 4}, Clover::none},
                                         Case{{6, 6, 2, 4}, Clover::anisotropic},
                                         Case{{4, 4, 4, 8}, Clover::none, Gauge::temporal},
                                         Case{{4, 2, 2, 6}, Clover::anisotropic, Gauge::temporal},
                                         Case{{2, 2, 2, 4}, Clover::isotropic, Gauge::temporal},
                                         Case{{6, 2, 10, 4}, Clover::none, Gauge::temporal},
                                         Case{{2, 2, 2, 2}, Clover::none, Gauge::temporal}),
                         [](const auto& info) {
                           return to_string(info.param.extents) + "_" + test::name_of(info.param.clover) +
                                  (info.param.gauge == Gauge::temporal ? "_temporal" : "");
                         });

}  // namespace
}  // namespace plaq
