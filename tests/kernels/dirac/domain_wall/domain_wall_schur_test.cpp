// The even-odd operator of domain walls by launches that are a hopping term and a matrix in the fifth
// dimension at once: the bits of the two apart on one rank, for every number of slices, in batches, and on
// every process grid. tests/kernels/dirac/complements_test.cpp compares the operator with the reference.
#include <map>

#include <gtest/gtest.h>

#include "tests/reference/gauge.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/operators/domain_wall.hpp"

namespace plaq::domain_wall_schur_test {
namespace {

using test::Wall;

// Hopping terms and matrices one after the other.
void apply_apart(WilsonHopping& hopping, const DomainWallParameters& p, int parity, Field& out,
                 const Field& in, bool dagger, const ActiveSet& active) {
  const FifthTable m5({m5_program(p, chiral_plus, dagger), m5_program(p, chiral_minus, dagger)},
                      hopping.precision(), hopping.location());
  const ActiveSet subfields = active.spread(p.Ls());
  const int q = 1 - parity;
  FieldSpec spec = in.spec();
  spec.subset = subset_of(q);
  Field other(in.geometry_ptr(), spec);
  const Queue& queue = hopping.queue();
  if (dagger) apply_fifth(out, in, m5, parity, active, queue);
  hopping.apply_stored(other, dagger ? out : in, q, dagger, subfields, {});
  apply_fifth(other, other, m5, q, active, queue);
  if (dagger) return hopping.apply_stored(out, other, parity, dagger, subfields, {1, &in, -0.25});
  hopping.apply_stored(out, other, parity, dagger, subfields, {});
  apply_fifth(out, out, m5, parity, active, queue, 1, &in, -0.25);
}

struct Case {
  Extents extents;
  Wall wall;
  int n_s;
  std::vector<char> active;
  bool temporal = false;
};

void expect_same_bits(const Case& c) {
  if (!test::splits_over_the_ranks(c.extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const int batch = static_cast<int>(c.active.size());
  auto p = test::make_wall_problem(c.extents, c.wall, c.n_s, 0);
  if (c.temporal) p.gauge = reference::temporal_gauge(p.gauge);
  const int parity = c.n_s % 2;
  p.rotated_parity = 1 - parity;
  reference::Generator generator(7);
  test::Batch vectors, before;
  for (int i = 0; i < batch; ++i) {
    vectors.push_back(test::random_five({c.extents}, c.n_s, generator));
    before.push_back(test::random_five({c.extents}, c.n_s, generator));
  }
  const ActiveSet active(c.active);
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const Precision precision :
       {Precision::half_precision, Precision::single_precision, Precision::double_precision})
    for (const int reals : {18, 12, 8}) {
      SCOPED_TRACE(test::name_of(c.wall) + " Ls " + std::to_string(c.n_s) + " " +
                   std::string(name_of(precision)) + " " + std::to_string(reals));
      // Bits of the result; right-hand sides that are not active keep the vectors that were there.
      const auto bits = [&](const test::Setting& s, bool dagger, auto&& apply) {
        const auto field = [&](const test::Batch& five) {
          return test::five_to_plaq(p, five, s.geometry, subset_of(parity), precision, s.queue.location());
        };
        const Field in = field(vectors);
        Field out = field(before);
        const auto hopping = test::make_hopping(p, s);
        EXPECT_EQ(hopping->temporal_gauge(), c.temporal && reals != 8);
        apply(hopping, out, in, dagger);
        s.queue.synchronize();
        return test::fingerprints(out, s.grid);
      };
      std::map<std::pair<Location, bool>, std::vector<std::uint64_t>> expected;
      for (const Location location : test::locations())
        for (const bool dagger : {false, true})
          expected[{location, dagger}] =
              bits({self, self.geometry(c.extents), {precision, reals}, Queue(location), batch}, dagger,
                   [&](const auto& hopping, Field& out, const Field& in, bool adjoint) {
                     apply_apart(*hopping, p.ours, parity, out, in, adjoint, active);
                   });
      test::for_all_geometries(
          c.extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
            const test::Setting setting{grid, geometry, {precision, reals}, Queue(location), batch};
            for (const bool dagger : {false, true})
              EXPECT_EQ(bits(setting, dagger,
                             [&](const auto& hopping, Field& out, const Field& in, bool adjoint) {
                               DomainWallSchur schur(hopping, p.ours, parity, batch);
                               adjoint ? schur.apply_dagger(out, in, active) : schur.apply(out, in, active);
                             }),
                        (expected[{location, dagger}]))
                  << (dagger ? "dagger" : "");
          });
    }
}

TEST(DomainWallSchur, OneSlice) { expect_same_bits({{4, 2, 2, 8}, Wall::moebius, 1, {1, 0, 1}}); }
TEST(DomainWallSchur, OddSlices) { expect_same_bits({{4, 4, 2, 4}, Wall::steep, 5, {0, 1, 1}}); }
TEST(DomainWallSchur, TwelveSlices) { expect_same_bits({{4, 6, 2, 4}, Wall::moebius, 12, {1}}); }
TEST(DomainWallSchur, TemporalGauge) { expect_same_bits({{6, 2, 4, 4}, Wall::general, 8, {1, 1}, true}); }
TEST(DomainWallSchur, ExtentsOfTwoARank) { expect_same_bits({{2, 2, 4, 4}, Wall::anisotropic, 16, {1, 0}}); }
TEST(DomainWallSchur, OddHalvesOfRows) { expect_same_bits({{10, 2, 6, 4}, Wall::shamir, 3, {1, 1, 0, 1}}); }
// More slices than fit into the shared memory that every GPU has.
TEST(DomainWallSchur, ManySlices) { expect_same_bits({{4, 2, 2, 4}, Wall::moebius, 64, {1}}); }

}  // namespace
}  // namespace plaq::domain_wall_schur_test
