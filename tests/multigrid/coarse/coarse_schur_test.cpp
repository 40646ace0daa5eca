// Even-odd forms of Galerkin operators: S x = reduced(M x) for any x, which holds for S of M alone;
// reconstruction, the adjoint, the same bits on every process grid.
#include "multigrid/coarse/coarse_schur.hpp"

#include <gtest/gtest.h>

#include "tests/multigrid/coarse_cases.hpp"
#include "tests/multigrid/coarse_forms.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/random_vectors.hpp"

namespace plaq::coarse_schur_test {
namespace {

constexpr Precision wide = Precision::double_precision;

struct Made {
  std::shared_ptr<CoarseOperator> full;
  std::unique_ptr<CoarseSchur> schur;
};

Made make(const test::OperatorProblem& p, const ProcessGrid& grid, const GeometryPtr& geometry,
          Location where, Precision precision, int parity) {
  Made made;
  const Queue queue(where);
  made.full = std::dynamic_pointer_cast<CoarseOperator>(p.make({grid, geometry, {precision, 18}, queue}));
  made.schur = test::even_odd_form(made.full, grid, p.batch, parity);
  return made;
}

class CoarseSchurs : public testing::TestWithParam<test::OperatorCase> {
 protected:
  const test::OperatorProblem p_ = GetParam().make();
  const test::Vectors x_ = test::random_vectors(p_, p_.batch, 91);

  Field field(CoarseOperator& m, const test::Vectors& v) const {
    return test::to_plaq(test::Columns(v), m.geometry(), m.spec(0));
  }
};

using test::distance;

TEST_P(CoarseSchurs, ReduceAndReconstruct) {
  test::for_fitting_geometries(p_, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
    for (const auto& [precision, most] : {std::pair{wide, 1e-11}, {Precision::single_precision, 2e-4}})
      for (int parity = 0; parity < 2; ++parity) {
        const auto [full, s] = make(p_, grid, geometry, where, precision, parity);
        const Field x = field(*full, x_);
        Field b(x.geometry_ptr(), x.spec()), back(x.geometry_ptr(), x.spec());
        full->apply(b, x);
        Field here(x.geometry_ptr(), s->spec(p_.batch)), image(here.geometry_ptr(), here.spec()),
            reduced(here.geometry_ptr(), here.spec());
        copy_parity(here, x, parity, s->queue());
        s->apply(image, here);
        s->reduce_source(reduced, b);
        EXPECT_LT(distance(reduced, image), most);
        s->reconstruct(back, here, b);
        EXPECT_LT(distance(back, x), most);
      }
  });
}

TEST_P(CoarseSchurs, HaveTheirAdjoint) {
  const test::Vectors xy = test::random_vectors(p_, 2, 92);
  test::for_fitting_geometries(p_, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
    auto problem = p_;
    problem.batch = 2;
    const auto [full, s] = make(problem, grid, geometry, where, wide, 0);
    const Field all = field(*full, xy);
    Field v(all.geometry_ptr(), s->spec(2)), av(v.geometry_ptr(), v.spec()),
        adjoint(v.geometry_ptr(), v.spec());
    copy_parity(v, all, 0, s->queue());
    s->apply(av, v);
    s->apply_dagger(adjoint, v);
    const auto one = test::to_vectors(v), image = test::to_vectors(av), back = test::to_vectors(adjoint);
    test::Complex64 sums[3];  // (x, S y), (S^dagger x, y), |x|^2
    for (std::size_t i = 0; i < one[0].size(); ++i) {
      sums[0] += std::conj(one[0][i]) * image[1][i];
      sums[1] += std::conj(back[0][i]) * one[1][i];
      sums[2] += std::norm(one[0][i]);
    }
    MPI_Allreduce(MPI_IN_PLACE, sums, 6, MPI_DOUBLE, MPI_SUM, grid.comm().mpi());
    EXPECT_GT(std::abs(sums[0]), 1e-6 * sums[2].real());
    EXPECT_LT(std::abs(sums[0] - sums[1]), 1e-11 * sums[2].real());
  });
}

test::OperatorCases cases() {
  using test::Clover, test::coarse_case;
  return {coarse_case("Plain", {4, 4, 4, 8}, Clover::none, {{{2, 2, 2, 2}, 4}}),
          coarse_case("Clover", {8, 4, 4, 4}, Clover::anisotropic, {{{2, 2, 1, 2}, 3}}),
          coarse_case("OddBlocks", {6, 4, 6, 4}, Clover::isotropic, {{{3, 2, 3, 2}, 5}}),
          coarse_case("TwoLevels", {8, 4, 4, 8}, Clover::isotropic, {{{2, 1, 1, 2}, 4}, {{2, 2, 2, 1}, 3}})};
}
INSTANTIATE_TEST_SUITE_P(Of, CoarseSchurs, testing::ValuesIn(cases()), test::name_of_case);

// Random matrices, of which a site's own is inverted: X^-1 X = 1, and hops are X^-1 Y.
// A row and a column of 0 stay out.
TEST(CoarseHat, InvertsSites) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = Geometry::create_general({{2, 1, 3, 1}}, LatticeOrder::lexicographic);
  constexpr int n = 7, absent = 4;
  auto rows = test::random_vectors(n, 6 * coarse_matrices * n, 93);
  const auto at = [&](int site, int d, int row, int column) -> test::Complex64& {
    return test::matrix_entry(rows, site, d, row, column);
  };
  for (int site = 0; site < 6; ++site)
    for (int d = 0; d < coarse_matrices; ++d)
      for (int i = 0; i < n; ++i) at(site, d, absent, i) = at(site, d, i, absent) = 0;
  for (int i = 0; i < n; ++i)
    at(3, coarse_hops, i, 0) *= i == 1 ? 1.0 : 1e-9;  // a pivot that must be looked for
  for (const Location where : test::locations()) {
    const Field links = test::to_plaq(test::Columns(rows), geometry, coarse_links_spec(n, wide, where));
    const CoarseHat hat = coarse_hat(self, links, Queue(where));
    test::Vectors hops = test::to_vectors(hat.hops), inverse = test::to_vectors(hat.inverse);
    for (int site = 0; site < 6; ++site)
      for (int d = 0; d < coarse_matrices; ++d)
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j) {
            const auto of = [&](int matrix, int row, int column) {
              return matrix < coarse_hops ? test::matrix_entry(hops, site, matrix, row, column, coarse_hops)
                                          : test::matrix_entry(inverse, site, 0, row, column, 1);
            };
            test::Complex64 sum;  // X hat
            for (int k = 0; k < n; ++k) sum += at(site, coarse_hops, i, k) * of(d, k, j);
            const test::Complex64 expected = d < coarse_hops         ? at(site, d, i, j)
                                             : i == j && i != absent ? 1
                                                                     : 0;
            EXPECT_LT(std::abs(sum - expected), 1e-11) << site << ' ' << d << ' ' << i << ' ' << j;
          }
  }
}

TEST(CoarseHat, TellsOfSingularSites) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = Geometry::create_general({{2, 2, 2, 2}}, LatticeOrder::checkerboard);
  auto rows = test::random_vectors(3, 16 * coarse_matrices * 3, 94);
  for (const int column : {1, 2})  // of site 5: alike
    for (int row = 0; row < 3; ++row)
      test::matrix_entry(rows, 5, coarse_hops, row, column) = row == 0 ? 1 : 0;
  for (const Location where : test::locations())
    test::expect_error(
        [&] {
          coarse_hat(self, test::to_plaq(test::Columns(rows), geometry, coarse_links_spec(3, wide, where)),
                     Queue(where));
        },
        ErrorKind::not_converged, {"singular or not finite at 1 of 16 sites of 2x2x2x2"});
}

}  // namespace
}  // namespace plaq::coarse_schur_test
