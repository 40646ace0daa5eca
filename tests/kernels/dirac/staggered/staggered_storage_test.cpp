// The staggered operators, one-link and improved, in every storage: against the slow reference on one rank
// alone, and from there bit by bit on every process grid and in batches.
#include <algorithm>

#include "core/system/error.hpp"
#include "tests/kernels/dirac/staggered/staggered_support.hpp"
#include "tests/support/first_rank.hpp"

namespace plaq {
namespace {

using test::ColorBatch;

constexpr int batch = 4;

struct Case {
  Extents extents;
  bool improved;
};

class StaggeredStorage : public testing::TestWithParam<Case> {};

TEST_P(StaggeredStorage, MatchesTheReferenceWithTheSameBitsOnEveryGridAndInEveryBatch) {
  const auto [extents, improved] = GetParam();
  const auto p = test::make_staggered(extents, improved, batch);
  const int turned = extents[0] == 4 ? 0 : 1;  // parity of the rotation of eight reals
  ColorBatch before = p.in;
  const auto expected = test::from_first_rank([&] {
    std::array<ColorBatch, 2> found;
    for (const bool dagger : {false, true})
      for (const auto& chi : p.in)
        found[dagger].push_back(reference::staggered(p.theirs, p.links, chi, dagger));
    return found;
  });
  std::reverse(before.begin(), before.end());

  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (const auto& bound : test::staggered_bounds) {
    const auto index = &bound - test::staggered_bounds;
    if (ranks > 4 && index % 2 == 1) continue;  // many ranks on few cores
    SCOPED_TRACE(bound.name());
    for (const Location where : test::locations()) {
      // Each right-hand side alone, on one rank.
      const auto alone = test::from_first_rank([&] {
        std::array<std::vector<std::uint64_t>, 2> bits;
        const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
        const auto g = self.geometry(extents);
        StaggeredOperator m(test::make_staggered_hopping(p, self, g, bound.storage(), Queue(where), turned));
        for (const bool dagger : {false, true}) {
          Field all(g, m.spec(batch)), one(g, m.spec(1));
          for (int k = 0; k < batch; ++k) {
            const Field in = test::to_plaq(ColorBatch{p.in[static_cast<std::size_t>(k)]}, g, Subset::full,
                                           bound.precision, where);
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
      test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g,
                                            Location location) {
        if (location != where) return;
        if (!test::fits(p, *g)) return;
        StaggeredOperator m(test::make_staggered_hopping(p, grid, g, bound.storage(), Queue(where), turned));
        const Field in = test::to_plaq(p.in, g, Subset::full, bound.precision, where);
        const Field old = test::to_plaq(before, g, Subset::full, bound.precision, where);
        const auto untouched = test::fingerprints(old, grid);
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

INSTANTIATE_TEST_SUITE_P(Cases, StaggeredStorage,
                         testing::Values(Case{{4, 4, 4, 8}, false}, Case{{2, 2, 2, 2}, false},
                                         Case{{6, 2, 10, 4}, false}, Case{{8, 6, 2, 4}, false},
                                         Case{{8, 4, 4, 8}, true}, Case{{4, 6, 12, 4}, true},
                                         Case{{2, 8, 2, 8}, true}, Case{{10, 4, 8, 2}, true},
                                         Case{{2, 2, 2, 2}, true}),
                         [](const auto& info) {
                           return to_string(info.param.extents) + (info.param.improved ? "_improved" : "");
                         });

// Three slices must fit into the next rank.
TEST(ImprovedStaggered, TooFewSlicesAreOneClearError) {
  const Extents extents{4, 2, 4, 12};  // split over 1, 2, 3, 4 or 8 ranks
  const auto p = test::make_staggered(extents, true, 1);
  int refused = 0, taken = 0;
  test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    const auto make = [&] { test::make_staggered_hopping(p, grid, g, LinkStorage(), Queue(location)); };
    if (test::fits(p, *g)) {
      EXPECT_NO_THROW(make());
      ++taken;
      return;
    }
    ++refused;
    try {
      make();
      ADD_FAILURE() << "not refused";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::job_file);
      EXPECT_NE(std::string(error.what()).find("at least 4 slices"), std::string::npos) << error.what();
    }
  });
  EXPECT_GT(refused, 0);
}

// Links that are not numbers, and no staggered vector.
TEST(Staggered, WrongInputIsRefused) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto g = self.geometry({4, 4, 4, 4});
  for (const Location location : test::locations()) {
    auto p = test::make_staggered({4, 4, 4, 4}, true, 1);
    p.links.near.link[17][2](1, 1) = std::nan("");
    const LinkStorage half(Precision::half_precision, 18);
    EXPECT_THROW(test::make_staggered_hopping(p, self, g, half, Queue(location)), Error);
    p = test::make_staggered({4, 4, 4, 4}, true, 1);
    p.links.far.link[17][2](1, 1) *= 1.1;  // not of SU(3)
    EXPECT_THROW(test::make_staggered_hopping(p, self, g, {Precision::single_precision, 12}, Queue(location)),
                 Error);
    p.ours.mass = 0;
    const auto hopping = test::make_staggered_hopping(p, self, g, LinkStorage(), Queue(location));
    EXPECT_THROW(StaggeredSchur(hopping, 0, 1), Error);
    StaggeredOperator m(hopping);
    Field spinors(g, spinor_spec(Subset::full, 1, Precision::double_precision, location)), out(g, m.spec(1));
    EXPECT_THROW(m.apply(out, spinors), Error);
  }
}

}  // namespace
}  // namespace plaq
