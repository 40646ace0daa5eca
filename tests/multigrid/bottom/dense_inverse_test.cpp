// The dense inverse of a coarsest level: the solution of M x = b for M by the
// slow reference, in every storage.
#include "multigrid/bottom/dense_inverse.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include "core/system/dry_run.hpp"
#include "multigrid/coarse/coarse_whole.hpp"
#include "tests/multigrid/coarse_cases.hpp"
#include "tests/multigrid/coarse_forms.hpp"
#include "tests/reference/coarse.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/locations.hpp"
#include "tests/support/random_vectors.hpp"

namespace plaq {
namespace {

constexpr Precision half = Precision::half_precision, single = Precision::single_precision,
                    wide = Precision::double_precision;

using OperatorPtr = std::shared_ptr<CoarseOperator>;

// Its even-odd form, or itself where the lattice has no checkerboard.
std::unique_ptr<SchurOperator> reduced(const OperatorPtr& m, const ProcessGrid& grid, int batch) {
  if (m->geometry()->parities() == 1) return std::make_unique<CoarseWhole>(m);
  return test::even_odd_form(m, grid, batch);
}

std::unique_ptr<DenseInverse> dense(const OperatorPtr& m, const ProcessGrid& grid, int batch,
                                    Precision storage, int made_with = 5) {
  auto inverse = invert_operator(*reduced(m, grid, made_with), made_with, storage);
  return std::make_unique<DenseInverse>(reduced(m, grid, batch), std::move(inverse), batch);
}

struct Storages {
  Precision matrix, vectors;
  double bound;
};
constexpr Storages storages[] = {{wide, wide, 1e-13},
                                 {single, wide, 1e-6},
                                 {half, wide, 5e-4},
                                 {single, single, 3e-6},
                                 {half, single, 5e-4}};

class DenseInverses : public testing::TestWithParam<test::OperatorCase> {
 protected:
  const ProcessGrid self_{MPI_COMM_SELF, {1, 1, 1, 1}};
  const test::OperatorProblem p_ = GetParam().make();
  test::Vectors x_ = test::random_vectors(p_, 17, 101), b_;

  void SetUp() override {
    for (const auto& x : x_) b_.push_back(p_.image(x, false));
  }
  OperatorPtr make(Location where, Precision precision) const {
    const GeometryPtr geometry = level_geometry();
    return std::dynamic_pointer_cast<CoarseOperator>(
        p_.make({self_, geometry, {precision, 18}, Queue(where)}));
  }
  GeometryPtr level_geometry() const {
    bool even = true;
    for (const int extent : p_.extents) even = even && extent % 2 == 0;
    return self_.general_geometry(p_.extents,
                                  even ? LatticeOrder::checkerboard : LatticeOrder::lexicographic);
  }
  static test::Vectors first(const test::Vectors& v, int batch) { return {v.begin(), v.begin() + batch}; }
  static Field part(const OperatorPtr& m, const test::Vectors& v, int batch) {
    return test::to_plaq(test::Columns(first(v, batch)), m->geometry(), m->spec(0));
  }
};

TEST_P(DenseInverses, SolveWhatTheReferenceMultiplies) {
  for (const Location where : test::locations())
    for (const Storages& s : storages) {
      SCOPED_TRACE(std::string(name_of(s.matrix)) + " for " + std::string(name_of(s.vectors)));
      const OperatorPtr m = make(where, s.vectors);
      for (const int batch : {1, 3, 17}) {
        const auto inverse = dense(m, self_, batch, s.matrix);
        const Field b = part(m, b_, batch);
        Field e(b.geometry_ptr(), b.spec());
        inverse->solve(e, b, ActiveSet(batch));
        EXPECT_LT(test::deviation(e, test::Columns(first(x_, batch))).most(), s.bound);
        EXPECT_EQ(inverse->iterations(), 0);
        const double error = inverse->error();
        EXPECT_GT(error, 0);
        EXPECT_LT(error, s.bound);
      }
    }
}

// A right-hand side has the same bits alone and in a batch, with others masked, whoever made the inverse on
// however many threads.
TEST_P(DenseInverses, HaveTheSameBits) {
  for (const Location where : test::locations())
    for (const Storages& s : storages) {
      const OperatorPtr m = make(where, s.vectors);
      const auto solution = [&](int batch, int looked_at, const std::vector<char>& which, int made_with) {
        const auto inverse = dense(m, self_, batch, s.matrix, made_with);
        test::Vectors v = first(b_, batch);
        std::swap(v[static_cast<std::size_t>(looked_at)], v[0]);
        const Field b = part(m, v, batch);
        Field e(b.geometry_ptr(), b.spec());
        inverse->solve(e, b, ActiveSet(which));
        return test::to_vectors(e)[static_cast<std::size_t>(looked_at)];
      };
      const int threads = omp_get_max_threads();
      omp_set_num_threads(1);
      const auto alone = solution(1, 0, {1}, 1);
      omp_set_num_threads(threads + 1);
      EXPECT_EQ(solution(3, 2, {1, 1, 1}, 4), alone);
      omp_set_num_threads(threads);
      EXPECT_EQ(solution(3, 1, {0, 1, 1}, 1), alone);
      EXPECT_EQ(solution(17, 16, std::vector<char>(17, 1), 64), alone);
    }
}

test::OperatorCases cases() {
  using test::Clover, test::coarse_case;
  return {coarse_case("Plain", {4, 4, 4, 8}, Clover::none, {{{2, 2, 2, 2}, 4}}),
          coarse_case("OddExtents", {6, 6, 2, 4}, Clover::isotropic, {{{2, 2, 2, 2}, 3}}),
          coarse_case("OneSite", {4, 2, 2, 2}, Clover::isotropic, {{{4, 2, 2, 2}, 8}}),
          coarse_case("TwoLevels", {8, 4, 4, 8}, Clover::isotropic, {{{2, 2, 2, 2}, 4}, {{2, 1, 1, 2}, 5}})};
}
INSTANTIATE_TEST_SUITE_P(Of, DenseInverses, testing::ValuesIn(cases()), test::name_of_case);

// Random matrices, of which sites' own are large.
struct RandomLinks {
  static constexpr int n = 6;
  const ProcessGrid self{MPI_COMM_SELF, {1, 1, 1, 1}};
  Extents extents;
  LatticeOrder order;
  reference::CoarseMatrices exact;

  RandomLinks(const Extents& e, LatticeOrder o) : extents(e), order(o) {
    exact = {{e}, n, test::random_vectors(n, static_cast<std::size_t>(sites() * coarse_matrices * n), 102)};
    for (int site = 0; site < sites(); ++site)
      for (int i = 0; i < n; ++i) at(site, coarse_hops, i, i) += 20;
  }
  int sites() const { return extents[0] * extents[1] * extents[2] * extents[3]; }
  test::Complex64& at(int site, int d, int row, int column) {
    return test::matrix_entry(exact.rows, site, d, row, column);
  }
  OperatorPtr make(Location where, Precision precision) const {
    return std::make_shared<CoarseOperator>(
        self,
        test::to_plaq(test::Columns(exact.rows), Geometry::create_general({extents}, order),
                      coarse_links_spec(n, precision, where)),
        precision, false, Queue(where), make_host_transport(self, where));
  }
};

constexpr std::pair<Extents, LatticeOrder> lattices[] = {{{2, 4, 2, 2}, LatticeOrder::checkerboard},
                                                         {{3, 1, 2, 5}, LatticeOrder::lexicographic}};

// Components of dropped near-null vectors, whose rows and columns are 0, stay 0.
TEST(DenseInverse, LeavesOutWhatIsNotThere) {
  for (const auto& [extents, order] : lattices) {
    RandomLinks links(extents, order);
    const auto n = static_cast<std::size_t>(links.n);
    test::Vectors x = test::random_vectors(2, static_cast<std::size_t>(links.sites()) * n, 103);
    for (const auto& [site, component] : {std::pair{0, 2}, {7, 5}, {8, 0}}) {
      for (auto& v : x) v[static_cast<std::size_t>(site) * n + static_cast<std::size_t>(component)] = 0;
      for (int d = 0; d < coarse_matrices; ++d)
        for (int i = 0; i < links.n; ++i) {
          const auto& lattice = links.exact.lattice;
          const int from = d == coarse_hops ? site
                           : d % 2 == 0     ? lattice.backward(site, d / 2)
                                            : lattice.forward(site, d / 2);
          links.at(site, d, component, i) = links.at(from, d, i, component) = 0;
        }
    }
    test::Vectors b;
    for (const auto& v : x) b.push_back(links.exact.apply(v));
    for (const Location where : test::locations())
      for (const Precision storage : {half, single, wide}) {
        const OperatorPtr m = links.make(where, wide);
        const auto inverse = dense(m, links.self, 2, storage);
        const Field source = test::to_plaq(test::Columns(b), m->geometry(), m->spec(0));
        Field e(source.geometry_ptr(), source.spec());
        inverse->solve(e, source, ActiveSet(2));
        EXPECT_LT(test::deviation(e, test::Columns(x)).most(), storage == half     ? 1e-3
                                                               : storage == single ? 1e-6
                                                                                   : 1e-13);
        EXPECT_LT(inverse->error(), storage == half ? 1e-3 : storage == single ? 1e-6 : 1e-13);
        const auto found = test::to_vectors(e);
        for (std::size_t k = 0; k < 2; ++k)
          for (std::size_t i = 0; i < x[k].size(); ++i) EXPECT_EQ(found[k][i] == 0.0, x[k][i] == 0.0) << i;
      }
  }
}

// Hops of -1/8 and 1 at the site itself take constant vectors to 0.
TEST(DenseInverse, TellsOfSingularMatricesAndOfThoseThatAreNotFinite) {
  for (const auto& [extents, order] : lattices) {
    RandomLinks links(extents, order);
    for (int site = 0; site < links.sites(); ++site)
      for (int d = 0; d < coarse_matrices; ++d)
        for (int i = 0; i < links.n; ++i)
          for (int j = 0; j < links.n; ++j)
            links.at(site, d, i, j) = i != j ? 0 : d == coarse_hops ? 1 : -0.125;
    const auto expect_singular = [&] {
      for (const Location where : test::locations())
        for (const Precision precision : {single, wide})
          test::expect_error([&] { dense(links.make(where, precision), links.self, 1, precision); },
                             ErrorKind::not_converged,
                             {"singular", to_string(extents), std::string(name_of(precision))});
    };
    expect_singular();
    for (int i = 0; i < links.n; ++i) links.at(1, coarse_hops, i, i) = 1.5;
    EXPECT_NO_THROW(dense(links.make(Location::host, wide), links.self, 1, wide));
    links.at(2, 0, 1, 1) = std::nan("");
    expect_singular();
  }
}

TEST(DenseInverse, FitsWhereItIsSmallAndOnOneRank) {
  const auto even = Geometry::create_general({{2, 2, 4, 4}}, LatticeOrder::checkerboard);
  const auto odd = Geometry::create_general({{3, 1, 1, 1}}, LatticeOrder::lexicographic);
  EXPECT_EQ(dense_rows(*even, 48), 32 * 48);
  EXPECT_EQ(dense_rows(*odd, 48), 3 * 48);
  EXPECT_TRUE(fits_dense_inverse(*even, 48));
  EXPECT_TRUE(fits_dense_inverse(*even, 48, 32 * 48));
  EXPECT_FALSE(fits_dense_inverse(*even, 48, 32 * 48 - 1));
}

// A dry run takes the memory that it says, and computes nothing.
TEST(DenseInverse, IsPlanned) {
  RandomLinks links({2, 2, 2, 2}, LatticeOrder::checkerboard);
  const int rows = 8 * links.n;
  for (const Precision storage : {half, single, wide}) {
    const OperatorPtr m = links.make(Location::host, wide);
    const std::size_t before = Buffer::in_use(Location::host);
    const auto kept = invert_operator(*reduced(m, links.self, 4), 4, storage);
    EXPECT_EQ(Buffer::in_use(Location::host), before + DenseMatrix::bytes(rows, storage));
    for (const Location where : test::locations()) {
      const OperatorPtr there = links.make(where, wide);
      DryRun run(DryRun::Machine{1, 1, where});
      const DryRun::Scope scope(run);
      const auto inverse = dense(there, links.self, 4, storage);
      const auto named = [&](Location location) {
        std::size_t bytes = 0;
        for (const MemoryItem& item : run.memory().peak(location).items)
          if (item.name.rfind("dense inverse", 0) == 0) bytes += item.bytes;
        return bytes;
      };
      EXPECT_GE(named(Location::host), inversion_bytes(rows, storage, where));
      EXPECT_GE(named(where), DenseMatrix::bytes(rows, storage));
      EXPECT_EQ(inverse->error(), 0);
    }
  }
}

}  // namespace
}  // namespace plaq
