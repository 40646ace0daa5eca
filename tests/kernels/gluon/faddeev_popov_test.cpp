// The Faddeev-Popov operator against its formula for real adjoint vectors, and what it must do whatever its
// code.
#include "kernels/gluon/faddeev_popov.hpp"

#include <gtest/gtest.h>

#include "kernels/gluon/color_matrix_view.hpp"
#include "kernels/gluon/lattice_momenta.hpp"
#include "tests/reference/gluon.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/same_as_alone.hpp"

namespace plaq {
namespace {

using reference::AdjointField;

AdjointField random_adjoint(const Extents& extents, reference::Generator& generator) {
  AdjointField w(static_cast<std::size_t>(reference::Lattice{extents}.volume()));
  std::normal_distribution<double> normal;
  for (auto& site : w)
    for (double& a : site) a = normal(generator);
  return w;
}

// w = (w_1^a + i w_2^a) T^a, [site][row][column].
test::Vector matrices_of(const AdjointField& re, const AdjointField& im) {
  static const auto t = reference::color_generators();
  test::Vector all;
  for (std::size_t x = 0; x < re.size(); ++x)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        test::Complex64 sum = 0;
        for (std::size_t a = 0; a < 8; ++a) sum += test::Complex64(re[x][a], im[x][a]) * t[a](i, j);
        all.push_back(sum);
      }
  return all;
}

Field applied(const ProcessGrid& grid, const GeometryPtr& g, Location location,
              const reference::GaugeField& links, const test::Vectors& in) {
  const Queue queue(location);
  const Field gauge = test::to_plaq(links, g, Precision::double_precision, location);
  const int batch = static_cast<int>(in.size());
  FaddeevPopov m(grid, gauge, batch, queue, make_host_transport(grid, location));
  const Field w = test::to_plaq(test::Columns(in), g, m.spec(batch));
  Field out(g, m.spec(batch));
  m.apply(out, w);
  queue.synchronize();
  return out;
}

class FaddeevPopovOn : public testing::TestWithParam<Extents> {};

TEST_P(FaddeevPopovOn, MatchesTheFormula) {
  const Extents extents = GetParam();
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  reference::Generator generator(41);
  const auto links = reference::random_gauge({extents}, generator);
  test::Vectors in;
  std::vector<AdjointField> parts;
  for (int k = 0; k < 4; ++k) parts.push_back(random_adjoint(extents, generator));
  for (std::size_t k = 0; k < 4; k += 2) in.push_back(matrices_of(parts[k], parts[k + 1]));
  const auto expected = test::from_first_rank([&] {
    std::vector<AdjointField> made;
    for (const auto& w : parts)
      made.push_back(reference::without_constant(reference::faddeev_popov(links, w)));
    return test::Vectors{matrices_of(made[0], made[1]), matrices_of(made[2], made[3])};
  });
  test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    EXPECT_LT(test::max_difference(applied(grid, g, location, links, in), test::Columns(expected)), 1e-12);
  });
}

TEST_P(FaddeevPopovOn, SameBitsOnEveryGridAndInAnyBatch) {
  const Extents extents = GetParam();
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  reference::Generator generator(42);
  const auto links = reference::random_gauge({extents}, generator);
  test::Vectors in;
  for (int k = 0; k < 3; ++k)
    in.push_back(matrices_of(random_adjoint(extents, generator), random_adjoint(extents, generator)));
  test::for_all_geometries(
      extents, test::same_as_alone(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location l) {
        const auto together = test::fingerprints(applied(grid, g, l, links, in), grid);
        if (grid.size() == 1)
          for (std::size_t k = 0; k < in.size(); ++k) {
            EXPECT_EQ(test::fingerprints(applied(grid, g, l, links, {in[k]}), grid)[0], together[k]);
          }
        return together;
      }));
}

INSTANTIATE_TEST_SUITE_P(Extents, FaddeevPopovOn, testing::Values(Extents{4, 4, 2, 4}, Extents{2, 6, 4, 2}),
                         [](const auto& info) { return to_string(info.param); });

TEST(FaddeevPopov, PlaneWavesOnUnitLinks) {
  const Extents extents{4, 2, 6, 4};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const reference::Lattice lattice{extents};
  const auto t = reference::color_generators();
  for (const Momentum4& n : {Momentum4{1, 0, 2, 0}, Momentum4{-1, 1, 3, 2}, Momentum4{0, 0, 0, 1}}) {
    const auto p = lattice.momentum({1, 1, 1, 1}, n);
    test::Vector in, expected;
    for (int x = 0; x < lattice.volume(); ++x)
      for (int i = 0; i < 9; ++i) {
        in.push_back(std::polar(1.0, lattice.angle(p, x)) * t[4](i / 3, i % 3));
        expected.push_back(momentum_squared(n, extents) * in.back());
      }
    test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
      const Field out = applied(grid, g, location, reference::unit_gauge(lattice), {in});
      EXPECT_LT(test::max_difference(out, test::Columns({expected})), 1e-13);
    });
  }
}

TEST(FaddeevPopov, IsRefusedAfterItsLinksHaveChanged) {
  const Extents extents{4, 4, 4, 4};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  reference::Generator generator(43);
  const auto links = reference::random_gauge({extents}, generator);
  test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    Field gauge = test::to_plaq(links, g, Precision::double_precision, location);
    FaddeevPopov m(grid, gauge, 1, Queue(location), make_host_transport(grid, location));
    Field w(g, m.spec(1)), out(g, m.spec(1));
    EXPECT_NO_THROW(m.apply(out, w));
    gauge.touch();
    test::expect_error(ErrorKind::usage, "the Faddeev-Popov operator was made of other links",
                       [&] { m.apply(out, w); });
  });
}

}  // namespace
}  // namespace plaq
