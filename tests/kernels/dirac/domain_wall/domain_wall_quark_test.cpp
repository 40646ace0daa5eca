// Sources and quark fields of domain-wall operators, and what they are for: the propagator of the overlap
// operator.
#include "kernels/dirac/domain_wall/domain_wall_quark.hpp"

#include <gtest/gtest.h>

#include "core/system/error.hpp"
#include "tests/reference/solve.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/operators/domain_wall.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

using test::Batch;
using test::Wall;

TEST(DomainWallQuark, SourcesAndQuarksAreThoseOfTheFormula) {
  const Extents extents{4, 2, 4, 4};
  for (const Wall wall : {Wall::shamir, Wall::borici, Wall::general, Wall::anisotropic})
    for (const int n : {1, 2, 6, 5}) {
      if (wall == Wall::anisotropic && n > 2) continue;
      const auto p = test::make_wall_problem(extents, wall, n, 2);
      reference::Generator generator(8);
      Batch b, source, quark, middle, current;
      for (std::size_t i = 0; i < 2; ++i) {
        b.push_back(reference::random_spinor({extents}, generator));
        source.push_back(reference::domain_wall_source(p.theirs, p.gauge, b[i]));
        quark.push_back(reference::domain_wall_quark(p.theirs, p.in[i]));
        current.push_back(reference::domain_wall_current_field(p.theirs, p.in[i], b[i]));
        if (n % 2 == 0) middle.push_back(reference::domain_wall_midpoint(p.theirs, p.in[i]));
      }
      test::for_all_geometries(
          extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
            for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
              SCOPED_TRACE(p.name + " " + std::string(name_of(precision)));
              const double tolerance = precision == Precision::double_precision ? 1e-14 : 2e-6;
              const Queue queue(location);
              const DomainWallQuark q(test::make_hopping(p, {grid, g, precision, queue}), p.ours);
              const Field four = test::to_plaq(b, g, Subset::full, precision, location),
                          from = test::five_to_plaq(p, p.in, g, Subset::full, precision, location);
              Field five(g, from.spec()), out(g, four.spec());
              q.make_source(five, four);
              EXPECT_LT(test::deviation(five, test::slices_of(p, source)).most(), tolerance);
              q.to_4d(out, from);
              queue.synchronize();
              EXPECT_LT(test::deviation(out, quark).most(), tolerance);
              copy(five, from);
              q.make_current_field(five, four);
              EXPECT_LT(test::deviation(five, test::slices_of(p, current)).most(), tolerance);
              if (n % 2 == 1) {
                EXPECT_THROW(q.midpoint_to_4d(out, from), Error);
                continue;
              }
              q.midpoint_to_4d(out, from);
              queue.synchronize();
              EXPECT_LT(test::deviation(out, middle).most(), tolerance);
            }
          });
    }
}

TEST(DomainWallQuark, PropagatorIsThatOfTheOverlapOperator) {
  if (test::world_size() > 1) GTEST_SKIP() << "of one rank alone";
  const Extents extents{2, 2, 2, 2};
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto g = self.geometry(extents);
  for (const Wall wall : {Wall::shamir, Wall::borici, Wall::moebius, Wall::optimal, Wall::alike,
                          Wall::general, Wall::anisotropic})
    for (const int n : {1, 4, 5}) {
      const auto p = test::make_wall_problem(extents, wall, n, 0, 0.4);
      SCOPED_TRACE(p.name);
      reference::Generator generator(9);
      const Batch b{reference::random_spinor({extents}, generator)};
      const auto expected = reference::times(
          reference::overlap_propagator(p.theirs, reference::overlap_sign(p.theirs, p.gauge)), b[0]);
      for (const Location location : test::locations()) {
        const Queue queue(location);
        const auto wide = Precision::double_precision;
        const DomainWallQuark q(test::make_hopping(p, {self, g, wide, queue}), p.ours);
        Field five(g, five_dimensional_spec(Subset::full, 1, n, wide, location));
        q.make_source(five, test::to_plaq(b, g, Subset::full, wide, location));
        const auto source = test::to_reference<reference::SpinorField>(five)[0];
        const Batch psi{test::solve(p, source)};
        Field out(g, spinor_spec(Subset::full, 1, wide, location));
        q.to_4d(out, test::five_to_plaq(p, psi, g, Subset::full, wide, location));
        queue.synchronize();
        // Where transfer matrices do not commute, the formula loses digits to the inverses of 1 + H_s.
        EXPECT_LT(test::max_difference(out, {expected}), wall >= Wall::general ? 1e-6 : 1e-10);
      }
    }
}

// Weights for which antiquarks are gamma5 S^dagger gamma5.
TEST(DomainWallQuark, WeightsSayWhetherItIsGamma5Hermitian) {
  if (test::world_size() > 1) GTEST_SKIP() << "of one rank alone";
  using P = DomainWallParameters;
  const struct {
    P parameters;
    bool expected;
  } all[] = {{P::shamir(3, 1.4, 0.1), true},
             {P::general({1.6, 1.1, 1.3}, {0.6, 0.1, 0.3}, 1.4, 0.1), true},
             {P::general({1.2, 0.7, 1.2}, {0.5, 0.1, 0.5}, 1.4, 0.1), true},
             {P::general({1.2, 0.7, 1.3}, {0.5, 0.1, 0.5}, 1.4, 0.1), false},
             {P::general({1.2, 0.7, 1.2}, {0.5, 0.1, 0.6}, 1.4, 0.1), false}};
  for (const auto& [parameters, expected] : all) {
    EXPECT_EQ(parameters.gamma5_hermitian(), expected);
    const auto p = test::reference_of(parameters);
    reference::Generator generator(10);
    const auto gauge = reference::weak_gauge(reference::Lattice{{2, 2, 2, 2}}, generator, 0.4);
    const auto s = reference::overlap_propagator(p, reference::overlap_sign(p, gauge)),
               turned = reference::gamma5_times(s);  // hermitian where S is gamma5-hermitian
    double most = 0;
    for (int i = 0; i < s.size(); ++i)
      for (int j = 0; j < s.size(); ++j)
        most = std::max(most, std::abs(turned(i, j) - std::conj(turned(j, i))));
    if (expected) {
      EXPECT_LT(most, 1e-8);
    } else {
      EXPECT_GT(most, 1e-4);
    }
  }
}

}  // namespace
}  // namespace plaq
