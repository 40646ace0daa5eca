// Covariant derivatives of sources against a slow formula.
#include "quarks/source/quark_derivative.hpp"

#include <gtest/gtest.h>

#include "tests/reference/spinor.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/on_lattices.hpp"
#include "tests/support/same_as_alone.hpp"
#include "tests/support/shared_lattice.hpp"

namespace plaq::quark_derivative_test {
namespace {

constexpr auto wide = Precision::double_precision;

reference::SpinorField derivative(const reference::GaugeField& links, const reference::SpinorField& psi,
                                  int i, int sign) {
  const reference::Lattice& lattice = links.lattice;
  reference::SpinorField out = reference::zero_spinor(lattice);
  for (int site = 0; site < lattice.volume(); ++site) {
    const int next = lattice.forward(site, i), last = lattice.backward(site, i),
              x = lattice.coordinates(site)[i];
    const double ahead = x == lattice.extents[i] - 1 ? sign : 1, behind = x == 0 ? sign : 1;
    for (int spin = 0; spin < 4; ++spin) {
      const auto forward = links.link[site][i] * psi[next][spin];
      const auto backward = dagger(links.link[last][i]) * psi[last][spin];
      for (int color = 0; color < 3; ++color)
        out[site][spin][color] = 0.5 * (ahead * forward[color] - behind * backward[color]);
    }
  }
  return out;
}

class QuarkDerivatives : public test::OnLattices {};

TEST_P(QuarkDerivatives, MatchTheFormulaWithTheSameBitsOnEveryGrid) {
  reference::Generator generator(51);
  const auto links = reference::random_gauge({GetParam()}, generator);
  const auto in = reference::random_spinors({GetParam()}, 2, generator);
  const SpaceSigns boundary{1, -1, 1};
  for (const std::string word : {"x", "yz", "zyy"}) {
    std::vector<reference::SpinorField> expected;
    for (auto psi : in) {
      for (auto letter = word.rbegin(); letter != word.rend(); ++letter)
        psi = derivative(links, psi, *letter - 'x', *letter == 'y' ? -1 : 1);
      expected.push_back(psi);
    }
    test::for_all_geometries(
        GetParam(), test::same_as_alone(
                        GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
                          const SharedLattice lattice = test::lattice_on(grid, g, location);
                          const Field gauge = test::to_plaq(links, g, wide, location);
                          const QuarkDerivative applied(lattice, gauge, {}, boundary, word);
                          Field psi = test::to_plaq(in, g, Subset::full, wide, location);
                          applied.apply(psi);
                          EXPECT_LT(test::max_difference(psi, expected), 1e-13);
                          return test::fingerprints(psi, grid);
                        }));
  }
}

INSTANTIATE_TEST_SUITE_P(Extents, QuarkDerivatives, testing::Values(Extents{4, 4, 4, 4}, Extents{2, 4, 6, 8}),
                         test::by_extents);

TEST(QuarkDerivative, HasAWordOfDirections) {
  EXPECT_EQ(derivative_fault("zxz"), "");
  for (const char* wrong : {"", "xyzx", "t", "x y"}) EXPECT_NE(derivative_fault(wrong), "") << wrong;
  EXPECT_EQ(derivative_formula("xy"), "D_x D_y");
}

}  // namespace
}  // namespace plaq::quark_derivative_test
