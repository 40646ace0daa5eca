// Signs of quarks around the lattice in space, on the links that cross its edge and on no others.
#include "kernels/gauge/link_copies.hpp"

#include "tests/kernels/gauge/gauge_support.hpp"

namespace plaq {
namespace {

TEST(BoundarySigns, AreOnTheLinksThatCrossTheEdgeOfTheLattice) {
  const Extents extents{4, 4, 8, 4};
  reference::Generator generator(67);
  const auto gauge = reference::random_gauge({extents}, generator);
  for (const SpaceSigns& signs : {SpaceSigns{-1, 1, 1}, SpaceSigns{1, -1, 1}, SpaceSigns{1, 1, -1},
                                  SpaceSigns{-1, -1, -1}, periodic_in_space}) {
    auto expected = gauge;
    for (int x = 0; x < expected.lattice.volume(); ++x)
      for (std::size_t mu = 0; mu < 3; ++mu)
        if (signs[mu] == -1 && expected.lattice.wraps_forward(x, static_cast<int>(mu)))
          for (auto& row : expected.link[x][mu].element)
            for (auto& element : row) element = -element;
    test::for_all_geometries(
        extents, [&](const ProcessGrid&, const GeometryPtr& geometry, Location location) {
          const Field links = test::to_plaq(gauge, geometry, Precision::double_precision, location);
          EXPECT_EQ(test::distance(with_boundary_signs(links, signs), expected), 0);
        });
  }
}

}  // namespace
}  // namespace plaq
