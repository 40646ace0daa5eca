// Faces of 16-bit numbers: about half the bytes, and what they bring differs by their rounding alone.
#include <gtest/gtest.h>

#include "core/system/error.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/operators/staggered.hpp"
#include "tests/support/operators/wilson.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

constexpr int batch = 2;

// Sites with a neighbour on another rank, and the others; over the largest component.
struct Differences {
  test::Deviation edge, inside;
};
Differences differences(const Field& found, const Field& expected, int steps) {
  const Field x = test::in_double(found), y = test::in_double(expected);
  const GeneralShape& shape = x.geometry().general_shape();
  Differences d;
  test::for_stored_sites(x.geometry(), [&](int parity, int s, int) {
    if (!x.holds(parity)) return;
    const bool edge = shape.at_split_edge(shape.coordinates(parity, s), steps);
    for (int subfield = 0; subfield < x.subfields(); ++subfield)
      for (int r = 0; r < x.reals_per_site(); ++r)
        (edge ? d.edge : d.inside)
            .add(get_real(x, subfield, parity, s, r), get_real(y, subfield, parity, s, r));
  });
  return d;
}

void apply(WilsonHopping& hop, Field& out, const Field& in, bool dagger) { hop.apply(out, in, 0, dagger); }
void apply(StaggeredHopping& hop, Field& out, const Field& in, bool dagger) {
  hop.apply(out, in, 0, dagger, ActiveSet(batch));
}

// `face`: bytes of a site on a short face and as it is computed, in single precision.
template <class Problem>
void expect_short_faces(const Problem& p, const test::OperatorProblem& op, int steps,
                        const std::pair<double, double>& face) {
  if (!test::splits_over_the_ranks(op.extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const auto v = test::random_vectors(op, batch);
  for (const auto& bound : op.bounds) {
    SCOPED_TRACE(op.name + ", " + bound.name());
    const bool half = bound.precision == Precision::half_precision;
    test::for_all_geometries(
        op.extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
          if (!op.fits(*g)) return;
          const test::Setting setting{grid, g, bound.storage(), Queue(location), batch};
          const auto exact = test::make_hopping(p, setting), narrow = test::make_hopping(p, setting);
          if (bound.precision == Precision::double_precision) {
            EXPECT_THROW(narrow->set_short_faces(true), Error);
            return;
          }
          narrow->set_short_faces(true);
          const Field in = op.field(v, g, Subset::odd, bound.precision, location);
          Field expected(g, op.shape.spec(Subset::even, batch, bound.precision, location)),
              found(g, expected.spec());
          for (const bool dagger : {false, true}) {
            apply(*exact, expected, in, dagger);
            apply(*narrow, found, in, dagger);
            setting.queue.synchronize();
            const Differences d = differences(found, expected, steps);
            // In half precision what is stored is rounded again.
            if (d.inside.count() > 0) {
              EXPECT_EQ(d.inside.most(), 0);
            }
            EXPECT_EQ(d.edge.count() > 0, g->any_partitioned());
            if (d.edge.count() == 0) continue;
            EXPECT_LT(d.edge.most(), 2e-4);
            EXPECT_LT(d.edge.mean(), 2.5e-5);
            EXPECT_GT(d.edge.mean(), 1e-7);  // they are short
          }
          EXPECT_THROW(narrow->set_short_faces(false), Error);  // too late
          for (const int direction : {6, 7}) {
            if (!g->partitioned(3)) continue;
            EXPECT_NEAR(static_cast<double>(narrow->halo(batch).face_bytes(direction)) /
                            static_cast<double>(exact->halo(batch).face_bytes(direction)),
                        face.first / (face.second + (half ? 4 : 0)), 1e-12);
          }
        });
  }
}

TEST(ShortFaces, OfWilsonRoundWhatTheyBringAndNothingElse) {
  const auto p = test::make_wilson({8, 4, 6, 4}, test::Clover::none);
  expect_short_faces(p, test::wilson_operator(p), 1, {28, 48});
}

class ShortStaggeredFaces : public testing::TestWithParam<std::pair<Extents, bool>> {};

TEST_P(ShortStaggeredFaces, RoundWhatTheyBringAndNothingElse) {
  const auto& [extents, improved] = GetParam();
  const auto p = test::make_staggered(extents, improved);
  expect_short_faces(p, test::staggered_operator(p), improved ? 3 : 1, {16, 24});
}

INSTANTIATE_TEST_SUITE_P(
    Cases, ShortStaggeredFaces,
    testing::Values(std::pair{Extents{4, 4, 4, 8}, false}, std::pair{Extents{6, 4, 2, 12}, false},
                    std::pair{Extents{8, 4, 4, 8}, true}, std::pair{Extents{4, 6, 2, 16}, true}),
    [](const auto& info) { return to_string(info.param.first) + (info.param.second ? "_improved" : ""); });

}  // namespace
}  // namespace plaq
