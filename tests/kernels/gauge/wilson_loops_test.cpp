// Wilson loops against products along their paths, on every process grid.
#include "kernels/gauge/wilson_loops.hpp"

#include <set>

#include "comms/transport/transport.hpp"
#include "kernels/gauge/observables.hpp"
#include "tests/kernels/gauge/gauge_support.hpp"
#include "tests/reference/wilson_loops.hpp"

namespace plaq {
namespace {

using test::for_all_grids;
using test::to_plaq;

constexpr Precision wide = Precision::double_precision;

std::vector<double> loops_of(const reference::GaugeField& gauge, const ProcessGrid& grid,
                             const GeometryPtr& geometry, Location location, const LoopStep& step, int count,
                             int max_t) {
  const Field field = to_plaq(gauge, geometry, wide, location);
  WilsonLoops loops(grid, field, make_host_transport(grid, location));
  return loops(field, step, count, max_t, Queue(location));
}

// By hand: all directions and the order of their hops.
struct Path {
  LoopStep step;
  std::vector<std::vector<int>> directions;
};
const std::vector<Path>& paths() {
  static const std::vector<Path> all{
      {{1, 0, 0}, {{0}, {1}, {2}}},
      {{0, 0, 1}, {{0}, {1}, {2}}},
      {{1, 1, 0}, {{0, 1}, {0, 4}, {0, 2}, {0, 5}, {1, 2}, {1, 5}}},
      {{1, 1, 1}, {{0, 1, 2}, {0, 1, 5}, {0, 4, 2}, {0, 4, 5}}},
      {{2, 1, 0},
       {{0, 1, 0},
        {0, 4, 0},
        {0, 2, 0},
        {0, 5, 0},
        {1, 0, 1},
        {4, 0, 4},
        {1, 2, 1},
        {1, 5, 1},
        {2, 0, 2},
        {5, 0, 5},
        {2, 1, 2},
        {5, 1, 5}}},
  };
  return all;
}

class WilsonLoopsOn : public testing::TestWithParam<Extents> {};

TEST_P(WilsonLoopsOn, AreProductsAlongTheirPathsWithTheSameBitsOnAnyGrid) {
  reference::Generator generator(5);
  const auto gauge = reference::random_gauge({GetParam()}, generator);
  for (const auto& [step, directions] : paths()) {
    SCOPED_TRACE(testing::Message() << step[0] << step[1] << step[2]);
    const int count = directions.size() == 3 ? 3 : 2, max_t = count == 3 ? 5 : 2;  // around a short lattice
    const auto expected = test::from_first_rank([&, &all = directions] {
      std::vector<double> values;
      for (int n = 1; n <= count; ++n)
        for (int t = 1; t <= max_t; ++t) {
          double sum = 0;
          for (const auto& hops : all) {
            std::vector<int> path;
            for (int i = 0; i < n; ++i) path.insert(path.end(), hops.begin(), hops.end());
            sum += reference::average_wilson_loop(gauge, path, t);
          }
          values.push_back(sum / static_cast<double>(all.size()));
        }
      return values;
    });
    for_all_grids(GetParam(),
                  test::same_as_alone(GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& geometry,
                                                      Location location) {
                    const auto found = loops_of(gauge, grid, geometry, location, step, count, max_t);
                    EXPECT_EQ(found.size(), expected.size());
                    for (std::size_t i = 0; i < expected.size(); ++i)
                      EXPECT_NEAR(found[i], expected[i], 1e-15) << i;
                    return found;
                  }));
  }
}

INSTANTIATE_TEST_SUITE_P(Extents, WilsonLoopsOn, testing::Values(Extents{4, 2, 6, 4}, Extents{2, 4, 4, 8}),
                         [](const auto& info) { return to_string(info.param); });

TEST(WilsonLoops, OfOneStepAreThePlaquetteAndOfUnitLinksOne) {
  const Extents extents{4, 4, 4, 4};
  reference::Generator generator(8);
  const auto gauge = reference::random_gauge({extents}, generator);
  const auto rotated = transformed(gauge, reference::random_transformation({extents}, generator));
  const auto unit = reference::unit_gauge({extents});
  for_all_grids(extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
    const auto on = [&](const reference::GaugeField& field, const LoopStep& step, int count) {
      return loops_of(field, grid, geometry, location, step, count, 2);
    };
    const auto found = on(gauge, {1, 0, 0}, 2), copy = on(rotated, {1, 0, 0}, 2);
    EXPECT_NEAR(found[0],
                average_plaquette(grid, to_plaq(gauge, geometry, wide, location), Queue(location)).temporal,
                1e-15);
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(copy[i], found[i], 1e-14);
    for (const double w : on(unit, {2, 2, 1}, 1)) EXPECT_EQ(w, 1);
  });
}

TEST(WilsonLoops, DirectionsAreThoseOfTheCube) {
  const auto count = [](const LoopStep& step) {
    const auto found = loop_directions(step);
    EXPECT_EQ(std::set(found.begin(), found.end()).size(), found.size());
    for (const LoopStep& r : found) {
      EXPECT_FALSE(std::set(found.begin(), found.end()).contains({-r[0], -r[1], -r[2]}));
      LoopStep reached{};
      for (const int hop : loop_hops(r)) reached[hop % 3] += hop < 3 ? 1 : -1;
      EXPECT_EQ(reached, r);
    }
    return found.size();
  };
  EXPECT_EQ(count({1, 0, 0}), 3u);
  EXPECT_EQ(count({0, 1, 1}), 6u);
  EXPECT_EQ(count({1, 1, 1}), 4u);
  for (const LoopStep& step : {LoopStep{2, 1, 0}, LoopStep{2, 1, 1}, LoopStep{1, 2, 2}})
    EXPECT_EQ(count(step), 12u);
  EXPECT_EQ(count({3, 2, 1}), 24u);
  EXPECT_TRUE(loop_directions({0, 0, 0}).empty());
}

}  // namespace
}  // namespace plaq
