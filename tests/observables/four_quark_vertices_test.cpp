// Four-quark vertices: random fields against sums over sites with all colors open, and plane waves, which
// have products of vertices.
#include "observables/quark/four_quark_vertices.hpp"

#include <gtest/gtest.h>

#include "tests/reference/gamma.hpp"
#include "tests/reference/spinor.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/same_as_alone.hpp"
#include "tests/support/shared_lattice.hpp"
#include "tests/support/world.hpp"

namespace plaq::four_quark_vertices_test {
namespace {

using reference::Complex;
using reference::SpinMatrix;
using Columns = std::vector<reference::SpinorField>;
using Open = std::array<std::array<Complex, 12>, 12>;

const Momentum4 n_in{1, 0, -1, 2}, n_out{0, 1, 0, -1};
const std::array<int, 4> periodic{1, 1, 1, 1};

// The Gamma of each operator, in the order of four_quark_names().
std::vector<std::vector<SpinMatrix>> operators() {
  using reference::gamma;
  std::vector<std::vector<SpinMatrix>> all = {{SpinMatrix::unit()}, {reference::gamma5()}, {}, {}, {}};
  for (int mu = 0; mu < 4; ++mu) {
    all[2].push_back(gamma(mu));
    all[3].push_back(gamma(mu) * reference::gamma5());
    for (int nu = mu + 1; nu < 4; ++nu) all[4].push_back(Complex(0, 1) * (gamma(mu) * gamma(nu)));
  }
  return all;
}

// gamma5 out^dagger gamma5 Gamma in, at a site.
Open bilinear(const Columns& out, const SpinMatrix& gamma, const Columns& in, std::size_t x) {
  const SpinMatrix middle = reference::gamma5() * gamma;
  Open v{};
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t j = 0; j < 12; ++j)
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b)
          for (std::size_t c = 0; c < 3; ++c)
            v[i][j] += (i < 6 ? 1.0 : -1.0) * std::conj(out[i][x][static_cast<std::size_t>(a)][c]) *
                       middle(a, b) * in[j][x][static_cast<std::size_t>(b)][c];
  return v;
}

// Adds factor V V with colors joined and crossed.
void add(FourQuarkSpins& sum, const Complex& factor, const Open& v) {
  for (std::size_t spins = 0; spins < 256; ++spins) {
    const std::size_t a = spins / 64, b = spins / 16 % 4, c = spins / 4 % 4, d = spins % 4;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        sum.joined[spins] += factor * v[3 * a + i][3 * b + i] * v[3 * c + j][3 * d + j];
        sum.crossed[spins] += factor * v[3 * a + i][3 * b + j] * v[3 * c + j][3 * d + i];
      }
  }
}

std::vector<std::vector<Complex>> numbers_of(const std::vector<FourQuarkSpins>& all) {
  std::vector<std::vector<Complex>> numbers;
  for (const FourQuarkSpins& one : all)
    for (const auto& spins : {one.joined, one.crossed}) numbers.emplace_back(spins.begin(), spins.end());
  return numbers;
}

std::vector<std::vector<Complex>> found_by(const Columns& in, const Columns& out, const ProcessGrid& grid,
                                           const GeometryPtr& g, Location location) {
  const auto field = [&](const Columns& columns) {
    return test::to_plaq(columns, g, Subset::full, Precision::double_precision, location);
  };
  return numbers_of(
      FourQuarkVertices(test::lattice_on(grid, g, location))(field(in), n_in, field(out), n_out));
}

void expect_close(const std::vector<std::vector<Complex>>& found,
                  const std::vector<FourQuarkSpins>& expected) {
  const auto numbers = numbers_of(expected);
  ASSERT_EQ(found.size(), numbers.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    double scale = 0;
    for (const Complex& z : numbers[k]) scale = std::max(scale, std::abs(z));
    ASSERT_GT(scale, 0) << k;
    for (std::size_t i = 0; i < 256; ++i)
      EXPECT_LT(std::abs(found[k][i] - numbers[k][i]), 1e-13 * scale) << k << " " << i;
  }
}

Complex wave(const reference::Lattice& lattice, const Momentum4& n, int site) {
  return std::polar(1.0, lattice.angle(lattice.momentum(periodic, n), site));
}

TEST(FourQuarkVertices, AreSumsOverSites) {
  const Extents extents{2, 4, 2, 4};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const reference::Lattice lattice{extents};
  reference::Generator generator{57};
  const Columns in = reference::random_spinors(lattice, 12, generator),
                out = reference::random_spinors(lattice, 12, generator);
  // The whole lattice on one rank is compared with sums, all geometries with its bits.
  test::for_all_geometries(
      extents,
      test::same_as_alone(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
        return found_by(in, out, grid, g, location);
      }));
  std::vector<FourQuarkSpins> expected;
  for (const auto& gammas : operators()) {
    FourQuarkSpins& sum = expected.emplace_back();
    for (const SpinMatrix& gamma : gammas)
      for (int x = 0; x < lattice.volume(); ++x) {
        const Complex phase = std::conj(wave(lattice, n_in, x)) * wave(lattice, n_out, x);
        add(sum, phase * phase / static_cast<double>(lattice.volume()),
            bilinear(out, gamma, in, static_cast<std::size_t>(x)));
      }
  }
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  expect_close(found_by(in, out, self, self.geometry(extents), Location::host), expected);
}

// Fields exp(i p x) times a matrix have products of bilinears of these.
TEST(FourQuarkVertices, OfPlaneWavesAreProducts) {
  const Extents extents{4, 2, 4, 6};
  const reference::Lattice lattice{extents};
  reference::Generator generator{58};
  const reference::Lattice one{{1, 1, 1, 1}};
  const Columns s_in = reference::random_spinors(one, 12, generator),
                s_out = reference::random_spinors(one, 12, generator);
  const auto spread = [&](const Columns& matrix, const Momentum4& n) {
    Columns columns(12, reference::zero_spinor(lattice));
    for (std::size_t i = 0; i < 12; ++i)
      for (int x = 0; x < lattice.volume(); ++x)
        for (std::size_t a = 0; a < 4; ++a)
          for (std::size_t c = 0; c < 3; ++c)
            columns[i][static_cast<std::size_t>(x)][a][c] = wave(lattice, n, x) * matrix[i][0][a][c];
    return columns;
  };
  std::vector<FourQuarkSpins> expected;
  for (const auto& gammas : operators()) {
    FourQuarkSpins& sum = expected.emplace_back();
    for (const SpinMatrix& gamma : gammas) add(sum, 1.0, bilinear(s_out, gamma, s_in, 0));
  }
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  expect_close(
      found_by(spread(s_in, n_in), spread(s_out, n_out), self, self.geometry(extents), Location::host),
      expected);
}

}  // namespace
}  // namespace plaq::four_quark_vertices_test
