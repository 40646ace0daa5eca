// Both Schur complements on both parities, their daggers, sources and solutions, with and without clover, in
// every storage: against the slow reference on one rank alone, and from there bit by bit on every process
// grid and in batches.
#include <algorithm>

#include "tests/kernels/dirac/wilson/wilson_storage_support.hpp"

namespace plaq {
namespace {

using test::Batch;
using test::Clover;

constexpr int batch = 4;
using Form = WilsonSchur::Form;

struct Complement {
  GeometryPtr geometry;
  WilsonSchur schur;
};

Complement make_complement(const test::WilsonProblem& p, const ProcessGrid& grid, const GeometryPtr& geometry,
                           const LinkStorage& storage, Location location, int parity, Form form) {
  const Field gauge = test::to_plaq(p.gauge, geometry, Precision::double_precision, Location::host);
  const auto hopping = test::make_hopping(p, grid, gauge, storage, location, 1 - parity);
  const auto need = form == Form::symmetric ? CloverNeed::schur_symmetric : CloverNeed::schur_asymmetric;
  return {geometry,
          WilsonSchur(hopping, parity, form, batch, make_clover_blocks(grid, gauge, *hopping, need, parity))};
}

// S in, S^dagger in, the reduced source and the full solution.
struct Results {
  Field applied, dagger, reduced, full;
};
Results results_of(Complement& c, const Field& in, const Field& source, const ActiveSet& active,
                   const Field& before) {
  auto& s = c.schur;
  Results r{Field(c.geometry, in.spec()), Field(c.geometry, in.spec()), Field(c.geometry, in.spec()),
            Field(c.geometry, source.spec())};
  copy(r.applied, before);
  copy(r.dagger, before);
  s.apply(r.applied, in, active);
  s.apply_dagger(r.dagger, in, active);
  s.reduce_source(r.reduced, source);
  s.reconstruct(r.full, in, source);
  s.queue().synchronize();
  return r;
}

struct Case {
  Extents extents;
  Clover clover;
};

class WilsonSchurStorage : public testing::TestWithParam<Case> {};

TEST_P(WilsonSchurStorage, MatchesTheReferenceWithTheSameBitsOnEveryGridAndInEveryBatch) {
  const auto [extents, clover] = GetParam();
  const auto p = test::make_problem(extents, clover, batch);
  const test::SlowOperator slow(p);
  Batch b, before = p.in;
  for (const auto& x : p.in) b.push_back(slow.full(x, false));
  std::reverse(before.begin(), before.end());
  const std::vector<char> some{1, 0, 1, 1};

  int ranks = 1, trial = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (const Form form : {Form::symmetric, Form::asymmetric})
    for (const int parity : {0, 1}) {
      ++trial;
      Batch expected, expected_dagger;
      for (const auto& psi : p.in) {
        expected.push_back(slow.schur(psi, parity, form, false));
        expected_dagger.push_back(slow.schur(psi, parity, form, true));
      }
      for (const auto& bound : test::storage_bounds) {
        // Grids take their time: of the four complements each storage has a part.
        const bool on_grids = (trial + bound.index()) % (ranks > 2 ? 4 : 2) == 0;
        if (ranks > 2 && !on_grids) continue;
        SCOPED_TRACE(bound.name() + (form == Form::symmetric ? " symmetric" : " asymmetric") + " parity " +
                     std::to_string(parity));
        const Precision precision = bound.precision;
        for (const Location where : test::locations()) {
          const auto fields = [&](const GeometryPtr& g) {
            return std::array{test::to_plaq(p.in, g, subset_of(parity), precision, where),
                              test::to_plaq(b, g, Subset::full, precision, where),
                              test::to_plaq(before, g, subset_of(parity), precision, where)};
          };
          const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
          const auto whole = self.geometry(extents);
          Complement alone = make_complement(p, self, whole, bound.storage(), where, parity, form);
          const auto [in, source, old] = fields(whole);
          const Results r = results_of(alone, in, source, ActiveSet(batch), old);
          const std::vector<std::uint64_t> bits[4] = {
              test::fingerprints(r.applied, self), test::fingerprints(r.dagger, self),
              test::fingerprints(r.reduced, self), test::fingerprints(r.full, self)};
          for (const auto& off :
               {test::deviation(r.applied, expected), test::deviation(r.dagger, expected_dagger),
                // S x = reduced(M x), and the full solution of S x_p = reduced(b) is that of M x = b.
                test::deviation(r.reduced, expected), test::deviation(r.full, p.in)}) {
            EXPECT_LT(off.most, 1.5 * bound.most);
            EXPECT_LT(off.mean, 1.5 * bound.mean);
          }

          if (!on_grids) continue;
          test::for_all_geometries(
              extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
                if (location != where) return;
                Complement c = make_complement(p, grid, g, bound.storage(), where, parity, form);
                const auto [x, y, z] = fields(g);
                const auto untouched = test::fingerprints(z, grid);
                const Results f = results_of(c, x, y, ActiveSet(some), z);
                const auto applied = test::fingerprints(f.applied, grid),
                           dagger = test::fingerprints(f.dagger, grid);
                for (std::size_t k = 0; k < some.size(); ++k) {
                  EXPECT_EQ(applied[k], some[k] ? bits[0][k] : untouched[k]) << "right-hand side " << k;
                  EXPECT_EQ(dagger[k], some[k] ? bits[1][k] : untouched[k]) << "right-hand side " << k;
                }
                EXPECT_EQ(test::fingerprints(f.reduced, grid), bits[2]);
                EXPECT_EQ(test::fingerprints(f.full, grid), bits[3]);
              });
        }
      }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, WilsonSchurStorage,
    testing::Values(Case{{4, 4, 4, 4}, Clover::none}, Case{{4, 2, 2, 8}, Clover::anisotropic},
                    Case{{2, 2, 2, 2}, Clover::isotropic}, Case{{6, 2, 2, 10}, Clover::isotropic}),
    [](const auto& info) { return to_string(info.param.extents) + "_" + test::name_of(info.param.clover); });

TEST(WilsonSchurStorage, RefusesTheParityThatIsRotated) {
  const Extents extents{4, 4, 4, 4};
  const auto p = test::make_problem(extents, Clover::none, 0);
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const Field gauge =
      test::to_plaq(p.gauge, self.geometry(extents), Precision::double_precision, Location::host);
  for (const int parity : {0, 1}) {
    const LinkStorage eight{Precision::single_precision, 8}, twelve{Precision::single_precision, 12};
    const auto hopping = test::make_hopping(p, self, gauge, eight, Location::host, parity);
    EXPECT_TRUE(hopping->rotates(parity));
    EXPECT_THROW(WilsonSchur(hopping, parity, Form::symmetric, 1), Error);
    EXPECT_NO_THROW(WilsonSchur(hopping, 1 - parity, Form::symmetric, 1));
    const auto plain = test::make_hopping(p, self, gauge, twelve, Location::host, parity);
    EXPECT_NO_THROW(WilsonSchur(plain, parity, Form::symmetric, 1));
  }
}

// A clover term that was made for something else.
TEST(WilsonSchurStorage, RefusesAnotherCloverTerm) {
  const Extents extents{4, 4, 4, 4};
  const auto p = test::make_problem(extents, Clover::isotropic, 0);
  const auto plain = test::make_problem(extents, Clover::none, 0);
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const Field gauge =
      test::to_plaq(p.gauge, self.geometry(extents), Precision::double_precision, Location::host);
  const auto hopping = test::make_hopping(p, self, gauge, Precision::double_precision, Location::host);
  const auto without = test::make_hopping(plain, self, gauge, Precision::double_precision, Location::host);
  const auto asymmetric = make_clover_blocks(self, gauge, *hopping, CloverNeed::schur_asymmetric, 0);
  EXPECT_EQ(make_clover_blocks(self, gauge, *without, CloverNeed::schur_symmetric), nullptr);
  EXPECT_NO_THROW(WilsonSchur(hopping, 0, Form::asymmetric, 1, asymmetric));
  EXPECT_NO_THROW(WilsonOperator(hopping, asymmetric));
  EXPECT_THROW(WilsonSchur(hopping, 1, Form::asymmetric, 1, asymmetric), Error);
  EXPECT_THROW(WilsonSchur(hopping, 0, Form::symmetric, 1, asymmetric), Error);
  EXPECT_THROW(WilsonSchur(hopping, 0, Form::symmetric, 1), Error);
  EXPECT_THROW(WilsonSchur(without, 0, Form::asymmetric, 1, asymmetric), Error);
  EXPECT_THROW(WilsonOperator{hopping}, Error);
}

}  // namespace
}  // namespace plaq
