// The even-odd complements of the staggered operators on both parities, sources and solutions, in every
// storage: against the slow reference on one rank alone, and from there bit by bit on every process grid and
// in batches.
#include <algorithm>

#include "tests/kernels/dirac/staggered/staggered_support.hpp"

namespace plaq {
namespace {

using test::ColorBatch;

constexpr int batch = 3;

reference::ColorField only(reference::ColorField field, const reference::Lattice& lattice, int parity) {
  for (int x = 0; x < lattice.volume(); ++x)
    if (lattice.parity(x) != parity) field[static_cast<std::size_t>(x)] = {};
  return field;
}

// m^2 - D_pq D_qp / 4 with both steps written out.
reference::ColorField slow_schur(const test::StaggeredProblem& p, const reference::ColorField& in,
                                 int parity) {
  const reference::Lattice& lattice = p.links.near.lattice;
  auto x = only(reference::staggered_hop(p.theirs, p.links, only(in, lattice, parity)), lattice, 1 - parity);
  x = only(reference::staggered_hop(p.theirs, p.links, x), lattice, parity);
  reference::ColorField out(in.size());
  reference::add(out, p.theirs.mass * p.theirs.mass, only(in, lattice, parity));
  reference::add(out, -0.25, x);
  return out;
}

// S in, S^dagger in, the reduced source and the full solution.
struct Results {
  Field applied, dagger, reduced, full;
};
Results results_of(StaggeredSchur& s, const Field& in, const Field& source, const ActiveSet& active,
                   const Field& before) {
  const auto g = s.geometry();
  Results r{Field(g, in.spec()), Field(g, in.spec()), Field(g, in.spec()), Field(g, source.spec())};
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
  bool improved;
};

class StaggeredComplement : public testing::TestWithParam<Case> {};

TEST_P(StaggeredComplement, MatchesTheReferenceWithTheSameBitsOnEveryGridAndInEveryBatch) {
  const auto [extents, improved] = GetParam();
  const auto p = test::make_staggered(extents, improved, batch, {1, -1, 1, -1});
  ColorBatch b, before = p.in;
  for (const auto& x : p.in) b.push_back(reference::staggered(p.theirs, p.links, x));
  std::reverse(before.begin(), before.end());
  const std::vector<char> some{1, 0, 1};
  for (const int parity : {0, 1}) {
    ColorBatch expected;
    for (const auto& chi : p.in) expected.push_back(slow_schur(p, chi, parity));
    for (const auto& bound : test::staggered_bounds) {
      SCOPED_TRACE(bound.name() + " parity " + std::to_string(parity));
      const Precision precision = bound.precision;
      for (const Location where : test::locations()) {
        const auto fields = [&](const GeometryPtr& g) {
          return std::array{test::to_plaq(p.in, g, subset_of(parity), precision, where),
                            test::to_plaq(b, g, Subset::full, precision, where),
                            test::to_plaq(before, g, subset_of(parity), precision, where)};
        };
        const auto make = [&](const ProcessGrid& grid, const GeometryPtr& g) {
          return StaggeredSchur(
              test::make_staggered_hopping(p, grid, g, bound.storage(), Queue(where), 1 - parity), parity,
              batch);
        };
        const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
        StaggeredSchur alone = make(self, self.geometry(extents));
        EXPECT_EQ(alone.residual_scale(), 1 / p.ours.mass);
        const auto [in, source, old] = fields(alone.geometry());
        const Results r = results_of(alone, in, source, ActiveSet(batch), old);
        const std::vector<std::uint64_t> bits[4] = {
            test::fingerprints(r.applied, self), test::fingerprints(r.dagger, self),
            test::fingerprints(r.reduced, self), test::fingerprints(r.full, self)};
        EXPECT_EQ(bits[0], bits[1]);
        // reduced(M x) = S x, and the solution of S x_p = reduced(b) is that of M x = b; that one is a
        // difference of numbers that are larger by about 1 / m, and of eight times as many terms.
        const std::pair<test::Deviation, double> found[] = {{test::deviation(r.applied, expected), 2},
                                                            {test::deviation(r.reduced, expected), 2},
                                                            {test::deviation(r.full, p.in), 20}};
        for (const auto& [off, factor] : found) {
          EXPECT_LT(off.most, factor * bound.most);
          EXPECT_LT(off.mean, factor * bound.mean);
        }
        test::for_all_geometries(
            extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
              if (location != where || !test::fits(p, *g)) return;
              StaggeredSchur s = make(grid, g);
              const auto [x, y, z] = fields(g);
              const auto untouched = test::fingerprints(z, grid);
              const Results f = results_of(s, x, y, ActiveSet(some), z);
              const auto applied = test::fingerprints(f.applied, grid);
              for (std::size_t k = 0; k < some.size(); ++k)
                EXPECT_EQ(applied[k], some[k] ? bits[0][k] : untouched[k]) << "right-hand side " << k;
              EXPECT_EQ(test::fingerprints(f.dagger, grid), applied);
              EXPECT_EQ(test::fingerprints(f.reduced, grid), bits[2]);
              EXPECT_EQ(test::fingerprints(f.full, grid), bits[3]);
            });
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, StaggeredComplement,
                         testing::Values(Case{{4, 4, 4, 4}, false}, Case{{6, 2, 2, 10}, false},
                                         Case{{2, 2, 2, 2}, false}, Case{{4, 4, 4, 8}, true},
                                         Case{{12, 2, 4, 8}, true}),
                         [](const auto& info) {
                           return to_string(info.param.extents) + (info.param.improved ? "_improved" : "");
                         });

}  // namespace
}  // namespace plaq
