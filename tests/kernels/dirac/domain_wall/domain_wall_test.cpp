// The domain-wall operator and its even-odd form against the slow reference, in every storage and of every
// kind; from there bit by bit on every process grid and in batches.
#include <algorithm>

#include "tests/kernels/dirac/domain_wall/domain_wall_support.hpp"
#include "tests/support/first_rank.hpp"

namespace plaq {
namespace {

using test::Batch;
using test::Wall;

constexpr int batch = 3;

struct Case {
  Extents extents;
  Wall wall;
  int n_s;
};

// D in, D^dagger in, C in, C^dagger in, the reduced source and guess, and the full solution.
struct Results {
  Field full, full_dagger, schur, schur_dagger, reduced, guess, solution;
  std::vector<std::pair<const char*, const Field*>> all() const {
    return {{"D", &full},           {"D^dagger", &full_dagger},
            {"C", &schur},          {"C^dagger", &schur_dagger},
            {"reduced", &reduced},  {"guess", &guess},
            {"solution", &solution}};
  }
};

struct Fields {
  Field x, b, unknown, old, old_half;
};

class DomainWall : public testing::TestWithParam<Case> {};

TEST_P(DomainWall, MatchesTheReferenceWithTheSameBitsOnEveryGridAndInEveryBatch) {
  const auto [extents, wall, n_s] = GetParam();
  const auto p = test::make_wall_problem(extents, wall, n_s, batch);
  const test::SlowWall slow(p);
  Batch before = p.in;
  const auto of_each = [&](const Batch& in, const auto& image) {
    return test::from_first_rank([&] {
      Batch images;
      for (const auto& x : in) images.push_back(image(x));
      return images;
    });
  };
  const Batch d = of_each(p.in, [&](const auto&x) { return slow.full(x); }),
              d_dagger = of_each(p.in, [&](const auto&x) { return slow.full(x, true); }),
              unknown = of_each(p.in, [&](const auto&x) { return slow.unknown(x); });
  std::reverse(before.begin(), before.end());
  for (const int parity : {0, 1}) {
    const auto complement = [&](const auto& x) { return slow.schur(x, parity, false); };
    const Batch c = of_each(p.in, complement), c_unknown = of_each(unknown, complement),
                c_dagger = of_each(p.in, [&](const auto&x) { return slow.schur(x, parity, true); });
    for (const auto& bound : test::storage_bounds) {
      if ((bound.index() + parity) % 2 == 1) continue;  // each storage on one parity
      if (test::world_size() > 2 && bound.index() % 3 == 0) continue;
      SCOPED_TRACE(bound.name() + " parity " + std::to_string(parity));
      for (const Location where : test::locations()) {
        const auto convert = [&](const GeometryPtr& g, const Batch& five, Subset subset) {
          return test::to_plaq(test::subfields_of(p.theirs, five), g, subset, bound.precision, where);
        };
        const auto fields = [&](const GeometryPtr& g, std::size_t first, std::size_t count) {
          const auto part = [&](const Batch& all) {
            return Batch(all.begin() + static_cast<std::ptrdiff_t>(first),
                         all.begin() + static_cast<std::ptrdiff_t>(first + count));
          };
          return Fields{convert(g, part(p.in), Subset::full), convert(g, part(d), Subset::full),
                        convert(g, part(unknown), subset_of(parity)), convert(g, part(before), Subset::full),
                        convert(g, part(before), subset_of(parity))};
        };
        const auto run = [&](const ProcessGrid& grid, const GeometryPtr& g, const Fields& f,
                             const ActiveSet& active) {
          const auto hopping = test::make_wall_hopping(p, grid, g, bound.storage(), where, 1 - parity);
          DomainWallOperator full(hopping, p.ours, active.batch());
          DomainWallSchur schur(hopping, p.ours, parity, active.batch());
          Results r;
          r.full = Field(g, full.spec(active.batch()));
          r.full_dagger = Field(g, r.full.spec());
          r.solution = Field(g, r.full.spec());
          r.schur = Field(g, schur.spec(active.batch()));
          r.schur_dagger = Field(g, r.schur.spec());
          r.reduced = Field(g, r.schur.spec());
          r.guess = Field(g, r.schur.spec());
          Field in(g, r.schur.spec());
          copy_parity(in, f.x, parity, full.queue());
          copy(r.full, f.old);
          copy(r.full_dagger, f.old);
          copy(r.schur, f.old_half);
          copy(r.schur_dagger, f.old_half);
          full.apply(r.full, f.x, active);
          full.apply_dagger(r.full_dagger, f.x, active);
          schur.apply(r.schur, in, active);
          schur.apply_dagger(r.schur_dagger, in, active);
          schur.reduce_source(r.reduced, f.b);
          schur.reduce_guess(r.guess, f.x);
          schur.reconstruct(r.solution, f.unknown, f.b);
          full.queue().synchronize();
          return r;
        };
        const auto bits = test::from_first_rank([&] {  // of every right-hand side on one rank
          const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
          const auto whole = self.geometry(extents);
          const Results r = run(self, whole, fields(whole, 0, batch), ActiveSet(batch));
          const Batch* expected[] = {&d, &d_dagger, &c, &c_dagger, &c_unknown, &unknown, &p.in};
          std::vector<std::vector<std::uint64_t>> found;
          for (std::size_t k = 0; k < r.all().size(); ++k) {
            const auto off = test::deviation(*r.all()[k].second, test::subfields_of(p.theirs, *expected[k]));
            const double factor = bound.precision == Precision::half_precision ? 15 : 12;
            EXPECT_LT(off.most, factor * bound.most) << r.all()[k].first;
            EXPECT_LT(off.mean, factor * bound.mean) << r.all()[k].first;
            found.push_back(test::wall_fingerprints(*r.all()[k].second, n_s, self));
          }
          for (std::size_t i = 0; i < 2; ++i) {
            const Results one = run(self, whole, fields(whole, i, 1), ActiveSet(1));
            for (std::size_t k = 0; k < found.size(); ++k)
              EXPECT_EQ(test::wall_fingerprints(*one.all()[k].second, n_s, self)[0], found[k][i])
                  << one.all()[k].first;
          }
          return found;
        });
        test::for_all_geometries(
            extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
              if (location != where) return;
              const std::vector<char> flags{1, 0, 1};
              const Fields f = fields(g, 0, batch);
              const Results found = run(grid, g, f, ActiveSet(flags));
              for (std::size_t k = 0; k < bits.size(); ++k) {
                auto wanted = bits[k];
                if (k < 4) wanted[1] = test::wall_fingerprints(k < 2 ? f.old : f.old_half, n_s, grid)[1];
                EXPECT_EQ(test::wall_fingerprints(*found.all()[k].second, n_s, grid), wanted)
                    << found.all()[k].first;
              }
            });
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, DomainWall,
    testing::Values(Case{{4, 4, 4, 4}, Wall::shamir, 4}, Case{{4, 2, 2, 6}, Wall::borici, 5},
                    Case{{4, 4, 2, 4}, Wall::moebius, 8}, Case{{2, 2, 2, 4}, Wall::optimal, 7},
                    Case{{6, 2, 2, 4}, Wall::general, 4}, Case{{2, 2, 2, 2}, Wall::general, 3},
                    Case{{2, 4, 2, 4}, Wall::steep, 5}, Case{{4, 2, 2, 2}, Wall::moebius, 1},
                    Case{{2, 2, 4, 2}, Wall::shamir, 2}, Case{{2, 2, 2, 2}, Wall::alike, 6}),
    [](const auto& info) {
      return to_string(info.param.extents) + "_" + test::name_of(info.param.wall) + "_" +
             std::to_string(info.param.n_s);
    });

// More slices than one launch has right-hand sides: 512 subfields.
TEST(DomainWall, ManySlices) {
  const Extents extents{2, 2, 2, 4};
  for (const auto& [wall, n] :
       {std::pair{Wall::moebius, 65}, std::pair{Wall::optimal, 100}, std::pair{Wall::shamir, 256}}) {
    const auto p = test::make_wall_problem(extents, wall, n, 2);
    const auto images = test::from_first_rank([&] {
      std::array<Batch, 2> both;
      for (const auto& x : p.in) {
        both[0].push_back(reference::domain_wall(p.theirs, p.gauge, x));
        both[1].push_back(reference::domain_wall_dagger(p.theirs, p.gauge, x));
      }
      return both;
    });
    const auto& [image, dagger] = images;
    test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
      if (g->decomposition().forced != 0 && g->decomposition().forced != 15) return;
      SCOPED_TRACE(test::name_of(wall) + " N_s " + std::to_string(n));
      const auto hopping = test::make_wall_hopping(p, grid, g, Precision::double_precision, location);
      DomainWallOperator full(hopping, p.ours, 2);
      DomainWallSchur schur(hopping, p.ours, 0, 2);
      Field x(g, full.spec(2)), b(g, full.spec(2)), back(g, full.spec(2));
      copy(x, test::to_plaq(test::subfields_of(p.theirs, p.in), g, Subset::full, Precision::double_precision,
                            location));
      full.apply_dagger(b, x);
      full.queue().synchronize();
      EXPECT_LT(test::deviation(b, test::subfields_of(p.theirs, dagger)).most, 1e-14);
      full.apply(b, x);
      Field unknown(g, schur.spec(2)), left(g, schur.spec(2)), right(g, schur.spec(2));
      schur.reduce_guess(unknown, x);
      schur.apply(left, unknown);
      schur.reduce_source(right, b);
      schur.reconstruct(back, unknown, b);
      full.queue().synchronize();
      EXPECT_LT(test::deviation(b, test::subfields_of(p.theirs, image)).most, 1e-14);
      EXPECT_LT(test::deviation(back, test::subfields_of(p.theirs, p.in)).most, 1e-11);
      const Field found = test::on_host(left), wanted = test::on_host(right);
      double most = 0, largest = 0;
      for (int subfield = 0; subfield < found.subfields(); ++subfield)
        for (int site = 0; site < found.layout().sites; ++site)
          for (int r = 0; r < 24; ++r) {
            most = std::max(most, std::abs(get_real(found, subfield, 0, site, r) -
                                           get_real(wanted, subfield, 0, site, r)));
            largest = std::max(largest, std::abs(get_real(wanted, subfield, 0, site, r)));
          }
      EXPECT_LT(most, 1e-11 * largest);
    });
  }
}

// (phi, D psi) = (D^dagger phi, psi) is tested by the adjoints above. What the formula promises besides:
// gamma5 R D = (gamma5 R D)^dagger for Shamir's operator, R: s -> N_s + 1 - s.
TEST(DomainWall, ShamirIsHermitianUpToReflection) {
  if (test::world_size() > 1) GTEST_SKIP() << "of one rank";
  const Extents extents{4, 2, 4, 4};
  const int n = 5;
  const auto p = test::make_wall_problem(extents, Wall::shamir, n, 1);
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto g = self.geometry(extents);
  const auto reflected = [&](const reference::SpinorField& five) {
    std::vector<reference::SpinorField> slices;
    for (int s = n - 1; s >= 0; --s) slices.push_back(reference::slice(p.theirs, five, s));
    auto out = reference::joined(slices);
    for (auto& site : out)
      for (std::size_t spin = 2; spin < 4; ++spin)
        for (auto& z : site[spin]) z = -z;
    return out;
  };
  for (const Location location : test::locations()) {
    const auto field = [&](const reference::SpinorField& five) {
      return test::to_plaq(test::subfields_of(p.theirs, {five}), g, Subset::full, Precision::double_precision,
                           location);
    };
    DomainWallOperator d(test::make_wall_hopping(p, self, g, Precision::double_precision, location), p.ours,
                         1);
    // gamma5 R D gamma5 R = D^dagger
    Field image(g, d.spec(1));
    d.apply(image, field(reflected(p.in[0])), ActiveSet(1));
    d.queue().synchronize();
    const auto expected = reflected(reference::domain_wall_dagger(p.theirs, p.gauge, p.in[0]));
    EXPECT_LT(test::max_difference(image, test::subfields_of(p.theirs, {expected})), 1e-13);
  }
}

// S1 and S2 take the dense operator to its even-odd form, and the Schur complement has its inverse.
TEST(DomainWall, SchurFormIsThatOfTheDenseOperator) {
  if (test::world_size() > 1) GTEST_SKIP() << "of one rank";
  const Extents extents{2, 2, 2, 2};
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto g = self.geometry(extents);
  for (const int n : {1, 2, 3})
    for (const Wall wall : test::all_walls) {
      const auto p = test::make_wall_problem(extents, wall, n, 1);
      const int size = 192 * n, volume = 16;
      reference::ComplexDense d(size);
      for (int column = 0; column < size; ++column) {
        reference::SpinorField unit(static_cast<std::size_t>(volume * n));
        unit[static_cast<std::size_t>(column / 12)][static_cast<std::size_t>(column / 3 % 4)]
            [static_cast<std::size_t>(column % 3)] = 1;
        const auto image = reference::domain_wall(p.theirs, p.gauge, unit);
        for (int row = 0; row < size; ++row)
          d(row, column) = image[static_cast<std::size_t>(row / 12)][static_cast<std::size_t>(row / 3 % 4)]
                                [static_cast<std::size_t>(row % 3)];
      }
      const auto x = reference::times(d.inverse(), p.in[0]);
      const test::SlowWall slow(p);
      const auto unknown = slow.unknown(x);
      for (const Location location : test::locations())
        for (const int parity : {0, 1}) {
          SCOPED_TRACE(test::name_of(wall) + " N_s " + std::to_string(n) + " parity " +
                       std::to_string(parity));
          const auto field = [&](const reference::SpinorField& five, Subset subset) {
            return test::to_plaq(test::subfields_of(p.theirs, {five}), g, subset, Precision::double_precision,
                                 location);
          };
          DomainWallSchur schur(test::make_wall_hopping(p, self, g, Precision::double_precision, location),
                                p.ours, parity, 1);
          const Field source = field(p.in[0], Subset::full), solution = field(unknown, subset_of(parity));
          Field reduced(g, schur.spec(1)), image(g, schur.spec(1)), full(g, source.spec());
          schur.reduce_source(reduced, source);
          schur.apply(image, solution, ActiveSet(1));
          schur.reconstruct(full, solution, source);
          schur.queue().synchronize();
          EXPECT_LT(test::max_difference(full, test::subfields_of(p.theirs, {x})), 1e-10);
          const Field left = test::on_host(image), right = test::on_host(reduced);
          double most = 0;
          test::for_stored_sites(*g, [&](int q, int site, int) {
            if (q != parity) return;
            for (int subfield = 0; subfield < n; ++subfield)
              for (int k = 0; k < 24; ++k)
                most = std::max(most, std::abs(get_real(left, subfield, q, site, k) -
                                               get_real(right, subfield, q, site, k)));
          });
          EXPECT_LT(most, 1e-10);
        }
    }
}

}  // namespace
}  // namespace plaq
