// Sources and quark fields of domain-wall operators, and what they are for: the propagator of the overlap
// operator.
#include "kernels/dirac/domain_wall/domain_wall_quark.hpp"

#include "tests/kernels/dirac/domain_wall/domain_wall_support.hpp"
#include "tests/reference/solve.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

using test::Batch;
using test::Wall;

TEST(DomainWallQuark, SourcesAndQuarksAreThoseOfTheFormula) {
  const Extents extents{4, 2, 4, 4};
  for (const Wall wall : {Wall::shamir, Wall::borici, Wall::general})
    for (const int n : {1, 2, 6, 5}) {
      const auto p = test::make_wall_problem(extents, wall, n, 2);
      reference::Generator generator(8);
      Batch b, source, quark, middle;
      for (std::size_t i = 0; i < 2; ++i) {
        b.push_back(reference::random_spinor({extents}, generator));
        source.push_back(reference::domain_wall_source(p.theirs, p.gauge, b[i]));
        quark.push_back(reference::domain_wall_quark(p.theirs, p.in[i]));
        if (n % 2 == 0) middle.push_back(reference::domain_wall_mid_quark(p.theirs, p.in[i]));
      }
      test::for_all_geometries(
          extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
            for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
              SCOPED_TRACE(test::name_of(wall) + " N_s " + std::to_string(n) + " " +
                           std::string(name_of(precision)));
              const double tolerance = precision == Precision::double_precision ? 1e-14 : 2e-6;
              const auto hopping = test::make_wall_hopping(p, grid, g, precision, location);
              const DomainWallQuark q(hopping, p.ours);
              const Field four = test::to_plaq(b, g, Subset::full, precision, location);
              Field five =
                  test::to_plaq(test::subfields_of(p.theirs, p.in), g, Subset::full, precision, location);
              Field out(g, four.spec()), from(g, five.spec());
              copy(from, five);
              q.make_source(five, four);
              EXPECT_LT(test::deviation(five, test::subfields_of(p.theirs, source)).most, tolerance);
              q.quark(out, from);
              hopping->queue().synchronize();
              EXPECT_LT(test::deviation(out, quark).most, tolerance);
              if (n % 2 == 0) {
                q.mid_quark(out, from);
                hopping->queue().synchronize();
                EXPECT_LT(test::deviation(out, middle).most, tolerance);
              } else {
                EXPECT_THROW(q.mid_quark(out, from), Error);
              }
            }
          });
    }
}

TEST(DomainWallQuark, PropagatorIsThatOfTheOverlapOperator) {
  if (test::world_size() > 1) GTEST_SKIP() << "of one rank alone";
  const Extents extents{2, 2, 2, 2};
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto g = self.geometry(extents);
  for (const Wall wall :
       {Wall::shamir, Wall::borici, Wall::moebius, Wall::optimal, Wall::alike, Wall::general})
    for (const int n : {1, 4, 5}) {
      SCOPED_TRACE(test::name_of(wall) + " N_s " + std::to_string(n));
      const auto p = test::make_wall_problem(extents, wall, n, 0, 0.4);
      reference::Generator generator(9);
      const auto b = reference::random_spinor({extents}, generator);
      const auto expected = reference::times(
          reference::overlap_propagator(p.theirs, reference::overlap_sign(p.theirs, p.gauge)), b);
      for (const Location location : test::locations()) {
        const auto hopping = test::make_wall_hopping(p, self, g, Precision::double_precision, location);
        const DomainWallQuark q(hopping, p.ours);
        Field five(g, five_dimensional_spec(Subset::full, 1, n, Precision::double_precision, location));
        q.make_source(five, test::to_plaq({b}, g, Subset::full, Precision::double_precision, location));
        const Field source = test::on_host(five);
        reference::SpinorField wall_source(16 * static_cast<std::size_t>(n));
        test::for_stored_sites(*g, [&](int parity, int s, int site) {
          for (int subfield = 0; subfield < n; ++subfield)
            for (int k = 0; k < 12; ++k)
              wall_source[static_cast<std::size_t>(16 * subfield + site)][static_cast<std::size_t>(k / 3)]
                         [static_cast<std::size_t>(k % 3)] = {
                             get_real(source, subfield, parity, s, 2 * k),
                             get_real(source, subfield, parity, s, 2 * k + 1)};
        });
        const auto psi =
            reference::solve(
                [&](const auto& v) { return reference::domain_wall(p.theirs, p.gauge, v); },
                [&](const auto& v) { return reference::domain_wall_dagger(p.theirs, p.gauge, v); },
                wall_source)
                .x;
        const Field solution = test::to_plaq(test::subfields_of(p.theirs, {psi}), g, Subset::full,
                                             Precision::double_precision, location);
        Field out(g, spinor_spec(Subset::full, 1, Precision::double_precision, location));
        q.quark(out, solution);
        hopping->queue().synchronize();
        // Where transfer matrices do not commute, the formula loses digits to the inverses of 1 + H_s.
        EXPECT_LT(test::max_difference(out, {expected}), wall == Wall::general ? 1e-6 : 1e-10);
      }
    }
}

}  // namespace
}  // namespace plaq
