// Products and sums of color vectors slice by slice, and the Laplacian of all slices, against the slow
// reference.
#include "kernels/quark/slice_products.hpp"

#include <gtest/gtest.h>

#include "kernels/quark/spatial_laplacian.hpp"
#include "tests/reference/sources.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/on_lattices.hpp"
#include "tests/support/same_as_alone.hpp"
#include "tests/support/world.hpp"

namespace plaq::slice_products_test {
namespace {

using reference::Complex;
using Batch = std::vector<reference::SpinorField>;
constexpr auto in_double = Precision::double_precision, in_single = Precision::single_precision;

// (x_k, y_j) on slice t.
Complex product(const reference::Lattice& lattice, const Batch& x, int k, const Batch& y, int j, int t) {
  Complex sum = 0;
  for (int site = 0; site < lattice.volume(); ++site) {
    if (lattice.coordinates(site)[3] != t) continue;
    const auto& left = x[static_cast<std::size_t>(k / 4)][static_cast<std::size_t>(site)];
    const auto& right = y[static_cast<std::size_t>(j / 4)][static_cast<std::size_t>(site)];
    for (std::size_t c = 0; c < 3; ++c)
      sum += std::conj(left[static_cast<std::size_t>(k % 4)][c]) * right[static_cast<std::size_t>(j % 4)][c];
  }
  return sum;
}

// Coefficients of the whole lattice, [t][k][j].
SliceMatrices random_matrices(int slices, int rows, int columns, reference::Generator& generator) {
  SliceMatrices c;
  for (int i = 0; i < slices * rows * columns; ++i) c.push_back(reference::normal(generator));
  return c;
}

SliceMatrices of_this_rank(const SliceMatrices& all, const Geometry& g) {
  const auto matrix = static_cast<std::ptrdiff_t>(all.size()) / g.global()[3];
  const auto from = all.begin() + g.offset()[3] * matrix;
  return {from, from + g.local()[3] * matrix};
}

class SliceProductsOn : public test::OnLattices {};

TEST_P(SliceProductsOn, DotsAreTheirFormulaAndHaveTheSameBitsOnEveryGridAndInAnyBatch) {
  const reference::Lattice lattice{GetParam()};
  reference::Generator generator(11);
  const Batch x = reference::random_spinors(lattice, 3, generator);
  const Batch y = reference::random_spinors(lattice, 2, generator);
  for (const Precision precision : {in_double, in_single})
    test::for_all_geometries(
        GetParam(), test::same_as_alone(GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& g,
                                                        Location location) {
          const Queue queue(location);
          const Field left = test::to_plaq(x, g, Subset::full, precision, location);
          const Field right = test::to_plaq(y, g, Subset::full, precision, location);
          const SliceMatrices all = slice_dots(grid, all_vectors(left), all_vectors(right), queue);
          const int slices = GetParam()[3];
          EXPECT_EQ(all.size(), static_cast<std::size_t>(slices * 12 * 8));
          const double tolerance = precision == in_double ? 1e-11 : 1e-4;
          std::size_t at = 0;
          for (int t = 0; t < slices; ++t)
            for (int k = 0; k < 12; ++k)
              for (int j = 0; j < 8; ++j, ++at)
                EXPECT_NEAR(std::abs(all[at] - product(lattice, x, k, y, j, t)), 0, tolerance);
          // Some vectors alone.
          const SliceMatrices some = slice_dots(grid, {&left, 1, 2}, {&right, 1, 1}, queue);
          for (int t = 0; t < slices; ++t)
            for (int k = 0; k < 8; ++k)
              for (int j = 0; j < 4; ++j)
                EXPECT_EQ(some[static_cast<std::size_t>((t * 8 + k) * 4 + j)],
                          all[static_cast<std::size_t>((t * 12 + k + 4) * 8 + j + 4)]);
          return all;
        }));
}

TEST_P(SliceProductsOn, AxpysAreTheirFormulaAndLeaveOtherSlicesAndVectors) {
  const reference::Lattice lattice{GetParam()};
  reference::Generator generator(12);
  const Batch x = reference::random_spinors(lattice, 3, generator);
  const Batch y = reference::random_spinors(lattice, 3, generator);
  const int slices = GetParam()[3];
  const SliceMatrices c = random_matrices(slices, 8, 4, generator);  // of x_4 .. x_11, to y_4 .. y_7
  const auto is_wanted = [](int t) { return t % 3 != 1; };
  for (const double keep : {0.0, 1.0, -0.5}) {
    Batch expected = y;
    for (int site = 0; site < lattice.volume(); ++site) {
      const int t = lattice.coordinates(site)[3];
      if (!is_wanted(t)) continue;
      auto& to = expected[1][static_cast<std::size_t>(site)];
      for (std::size_t j = 0; j < 4; ++j)
        for (std::size_t color = 0; color < 3; ++color) {
          to[j][color] *= keep;
          for (std::size_t k = 0; k < 8; ++k)
            to[j][color] += c[(static_cast<std::size_t>(t) * 8 + k) * 4 + j] *
                            x[1 + k / 4][static_cast<std::size_t>(site)][k % 4][color];
        }
    }
    for (const Precision precision : {in_double, in_single})
      test::for_all_geometries(
          GetParam(), test::same_as_alone(GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& g,
                                                          Location location) {
            const Queue queue(location);
            const Field from = test::to_plaq(x, g, Subset::full, precision, location);
            const Field to = test::to_plaq(y, g, Subset::full, precision, location);
            std::vector<char> wanted;
            for (int t = 0; t < g->local()[3]; ++t) wanted.push_back(is_wanted(g->offset()[3] + t));
            slice_axpys({&from, 1, 2}, of_this_rank(c, *g), keep, {&to, 1, 1}, wanted, queue);
            EXPECT_LT(test::max_difference(to, expected), precision == in_double ? 1e-12 : 1e-4);
            return test::fingerprints(to, grid);
          }));
  }
}

TEST_P(SliceProductsOn, LaplacianIsTheReferenceWithTheSameBitsOnEveryGridAndInAnyBatch) {
  const reference::Lattice lattice{GetParam()};
  reference::Generator generator(13);
  const auto links = reference::random_gauge(lattice, generator);
  const Batch in = reference::random_spinors(lattice, 4, generator);
  const SpaceSigns boundary{-1, 1, -1};
  const auto expected = test::from_first_rank([&] {
    Batch all;
    for (const auto& psi : in) {
      auto minus = reference::zero_spinor(lattice);
      reference::add(minus, -1, reference::spatial_laplacian(links, psi, boundary));
      all.push_back(std::move(minus));
    }
    return all;
  });
  for (const Precision precision : {in_double, in_single})
    test::for_all_geometries(
        GetParam(), test::same_as_alone(GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& g,
                                                        Location location) {
          const Field gauge = test::to_plaq(links, g, in_double, Location::host);
          SpatialLaplacian laplacian(grid, gauge, boundary, precision, Queue(location),
                                     make_host_transport(grid, location));
          const auto applied = [&](const Batch& batch) {
            const Field psi = test::to_plaq(batch, g, Subset::full, precision, location);
            Field out(g, laplacian.spec(psi.subfields()));
            laplacian.apply(out, psi);
            laplacian.queue().synchronize();
            return out;
          };
          const Field out = applied(in);
          EXPECT_LT(test::max_difference(out, expected), precision == in_double ? 1e-12 : 1e-4);
          const auto together = test::fingerprints(out, grid);
          EXPECT_EQ(test::fingerprints(applied({in[2]}), grid)[0], together[2]);
          return together;
        }));
}

INSTANTIATE_TEST_SUITE_P(Extents, SliceProductsOn,
                         testing::Values(Extents{4, 4, 4, 4}, Extents{2, 4, 6, 8}, Extents{6, 2, 10, 4}),
                         test::by_extents);

TEST(SliceProducts, RefuseOtherFields) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto g = self.geometry({4, 4, 4, 4});
  const Queue queue(Location::host);
  const Field x(g, spinor_spec(Subset::full, 2, in_double, Location::host));
  const Field single(g, spinor_spec(Subset::full, 2, in_single, Location::host));
  const Field even(g, spinor_spec(Subset::even, 2, in_double, Location::host));
  EXPECT_THROW(slice_dots(self, all_vectors(x), all_vectors(single), queue), Error);
  EXPECT_THROW(slice_dots(self, all_vectors(even), all_vectors(x), queue), Error);
  EXPECT_THROW(slice_dots(self, {&x, 1, 2}, all_vectors(x), queue), Error);
  const SliceMatrices c(4 * 4 * 4);
  EXPECT_THROW(slice_axpys({&x, 0, 1}, c, 1, {&x, 0, 1}, {}, queue), Error);
  EXPECT_THROW(slice_axpys({&x, 0, 1}, c, 1, {&x, 1, 1}, {1, 1}, queue), Error);
  EXPECT_THROW(slice_axpys(all_vectors(x), c, 1, all_vectors(single), {}, queue), Error);
}

}  // namespace
}  // namespace plaq::slice_products_test
