// A level whose mass is changed against one that is made at the other mass.
#include <gtest/gtest.h>

#include "multigrid/hierarchy/chiral_level.hpp"
#include "tests/multigrid/coarse_cases.hpp"
#include "tests/support/random_vectors.hpp"

namespace plaq::mass_shift_test {
namespace {

constexpr Precision wide = Precision::double_precision, single = Precision::single_precision;
constexpr double change = -0.4;

using test::distance;

struct Case {
  std::string name;
  std::function<test::Level(double more_mass)> level;
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

class MassShift : public testing::TestWithParam<Case> {};

TEST_P(MassShift, IsThatOfARebuiltLevel) {
  const auto before = GetParam().level(0).problem, after = GetParam().level(change).problem;
  const test::Vectors in = test::random_vectors(before, 1, 94);
  test::for_fitting_geometries(before, [&](const ProcessGrid& grid, const GeometryPtr& g, Location where) {
    for (const auto& [precision, most] : {std::pair{wide, 1e-11}, {single, 2e-4}}) {
      const Queue queue(where);
      const auto level_of = [&](const test::OperatorProblem& p) {
        const auto m =
            std::dynamic_pointer_cast<CoarseOperator>(p.make({grid, g, {precision, 18}, queue, 1}));
        Field links(m->geometry(), m->links().spec());
        copy(links, m->links());
        return ChiralLevel(grid, std::move(links), true, precision, queue, make_host_transport(grid, where));
      };
      ChiralLevel shifted = level_of(before), rebuilt = level_of(after);
      EXPECT_GT(distance(shifted.full().links(), rebuilt.full().links()), 0.01);
      shifted.shift_mass(change);
      EXPECT_LT(distance(shifted.full().links(), rebuilt.full().links()), precision == wide ? 1e-13 : 1e-5);
      const auto s = shifted.reduced(1), t = rebuilt.reduced(1);
      const Field x = test::to_plaq(test::Columns(in), rebuilt.full().geometry(), rebuilt.full().spec(0));
      Field v(x.geometry_ptr(), s->spec(1)), sv(v.geometry_ptr(), v.spec()), tv(v.geometry_ptr(), v.spec());
      copy_parity(v, x, s->parity(), s->queue());
      s->apply(sv, v);
      t->apply(tv, v);
      queue.synchronize();
      EXPECT_LT(distance(sv, tv), most);
    }
  });
}

test::Level coarse(double more_mass) {
  return test::coarse_level(test::wilson_quarks({8, 4, 4, 4}, test::Clover::isotropic, more_mass),
                            {2, 2, 2, 2}, 3);
}
const Case cases[] = {
    {"OneLevel", coarse},
    {"TwoLevels",
     [](double more_mass) {
       return test::coarse_level(coarse(more_mass), {2, 1, 2, 2}, 2);
     }},
};
INSTANTIATE_TEST_SUITE_P(Of, MassShift, testing::ValuesIn(cases),
                         [](const auto& info) { return info.param.name; });

// Components of dropped near-null vectors stay 0; levels in lower storage stay in it.
TEST(ChiralLevelMass, LeavesDroppedComponentsOut) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = Geometry::create_general({{2, 1, 3, 1}}, LatticeOrder::lexicographic);
  constexpr int n = 4, sites = 6, absent = 2;
  const auto at = [](int site, int d, int column) {
    return static_cast<std::size_t>((site * coarse_matrices + d) * n + column);
  };
  auto rows = test::random_vectors(n, sites * coarse_matrices * n, 95);
  for (int site = 0; site < sites; ++site)
    for (int d = 0; d < coarse_matrices; ++d)
      for (std::size_t i = 0; i < n; ++i)
        rows[absent][at(site, d, static_cast<int>(i))] = rows[i][at(site, d, absent)] = 0;
  for (const Location where : test::locations())
    for (const bool released : {false, true}) {
      const Precision storage = released ? Precision::half_precision : single;
      ChiralLevel level(self,
                        test::to_plaq(test::Columns(rows), geometry, coarse_links_spec(n, single, where)),
                        true, storage, Queue(where), make_host_transport(self, where));
      if (released) level.release_setup_data();
      level.shift_mass(0.5);
      EXPECT_EQ(level.full().links().precision(), storage);
      auto expected = rows;
      for (int site = 0; site < sites; ++site)
        for (std::size_t i = 0; i < n; ++i)
          if (i != absent) expected[i][at(site, coarse_hops, static_cast<int>(i))] += 0.5;
      EXPECT_LT(test::deviation(level.full().links(), test::Columns(expected)).most(),
                released ? 1e-4 : 1e-6);
      const auto found = test::to_vectors(level.full().links());
      for (int site = 0; site < sites; ++site) EXPECT_EQ(found[absent][at(site, coarse_hops, absent)], 0.0);
    }
}

}  // namespace
}  // namespace plaq::mass_shift_test
