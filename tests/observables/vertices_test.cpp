// Vertices of quarks: random fields against sums over sites, the tree level on unit links, and quarks of a
// random gauge field that leave by the adjoint of M.
#include "observables/quark/vertices.hpp"

#include <gtest/gtest.h>

#include "observables/quark/quark_loop_settings.hpp"
#include "tests/reference/correlators.hpp"
#include "tests/reference/gamma.hpp"
#include "tests/reference/wilson.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/same_as_alone.hpp"
#include "tests/support/shared_lattice.hpp"
#include "tests/support/world.hpp"

namespace plaq::vertices_test {
namespace {

using reference::Complex;
using reference::SpinMatrix;
using Columns = std::vector<reference::SpinorField>;

const std::array<int, 4> signs{-1, 1, 1, -1};
const Momentum4 n_in{0, 1, -1, 2}, n_out{-1, 0, 1, -3};

// gamma matrices by the names of currents
SpinMatrix named(const std::string& name) {
  const auto direction = [&](std::size_t back) {
    return static_cast<int>(std::string("xyzt").find(name[name.size() - back]));
  };
  if (name == "scalar") return SpinMatrix::unit();
  if (name == "pseudoscalar") return reference::gamma5();
  if (name.starts_with("vector")) return reference::gamma(direction(1));
  if (name.starts_with("axial")) return reference::gamma(direction(1)) * reference::gamma5();
  return Complex(0, 1) * (reference::gamma(direction(2)) * reference::gamma(direction(1)));
}

Complex wave(const reference::Lattice& lattice, const Momentum4& n, int site) {
  return std::polar(1.0, lattice.angle(lattice.momentum(signs, n), site));
}

// exp(i p x) in each component
Columns waves(const reference::Lattice& lattice, const Momentum4& n) {
  Columns columns(12, reference::zero_spinor(lattice));
  for (std::size_t i = 0; i < 12; ++i)
    for (int x = 0; x < lattice.volume(); ++x)
      columns[i][static_cast<std::size_t>(x)][i / 3][i % 3] = wave(lattice, n, x);
  return columns;
}

// (1/V) sum_x f(x) a_i(x)^dagger Gamma b_j(x)
template <class Factor>
OpenSpinColor sum_over_sites(const reference::Lattice& lattice, const Columns& a, const SpinMatrix& gamma,
                             const Columns& b, const Factor& factor) {
  OpenSpinColor sum;
  for (std::size_t j = 0; j < 12; ++j) {
    const reference::SpinorField right = reference::times(gamma, b[j]);
    for (std::size_t i = 0; i < 12; ++i)
      for (int x = 0; x < lattice.volume(); ++x) {
        Complex product = 0;
        for (std::size_t spin = 0; spin < 4; ++spin)
          for (std::size_t color = 0; color < 3; ++color)
            product += std::conj(a[i][static_cast<std::size_t>(x)][spin][color]) *
                       right[static_cast<std::size_t>(x)][spin][color];
        sum.at(i, j) += factor(x) * product / static_cast<double>(lattice.volume());
      }
  }
  return sum;
}

// exp(-i (p_in - p_out) x)
auto of_difference(const reference::Lattice& lattice) {
  return [lattice](int x) { return std::conj(wave(lattice, n_in, x)) * wave(lattice, n_out, x); };
}

void expect_close(const OpenSpinColor& found, const OpenSpinColor& expected, double bound = 1e-13) {
  double scale = 0;
  for (const Complex& z : expected.numbers) scale = std::max(scale, std::abs(z));
  ASSERT_GT(scale, 0);
  for (std::size_t i = 0; i < 144; ++i)
    EXPECT_LT(std::abs(found.numbers[i] - expected.numbers[i]), bound * scale) << i / 12 << " " << i % 12;
}

std::vector<OpenSpinColor> found_by(const Columns& in, const Columns& out, const ProcessGrid& grid,
                                    const GeometryPtr& g, Location location) {
  const QuarkVertices vertices(test::lattice_on(grid, g, location), signs);
  const auto field = [&](const Columns& columns) {
    return test::to_plaq(columns, g, Subset::full, Precision::double_precision, location);
  };
  const Field quark_in = field(in), quark_out = field(out);
  std::vector<OpenSpinColor> all = vertices(quark_in, n_in, quark_out, n_out);
  all.push_back(vertices.propagator(quark_in, n_in));
  return all;
}

// Vertices of the whole lattice on one rank.
std::vector<OpenSpinColor> found_alone(const Extents& extents, const Columns& in, const Columns& out) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  return found_by(in, out, self, self.geometry(extents), Location::host);
}

std::vector<std::vector<Complex>> numbers_of(const std::vector<OpenSpinColor>& all) {
  std::vector<std::vector<Complex>> numbers;
  for (const OpenSpinColor& one : all) numbers.emplace_back(one.numbers.begin(), one.numbers.end());
  return numbers;
}

TEST(QuarkVertices, AreSumsOverSites) {
  const Extents extents{2, 4, 2, 8};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const reference::Lattice lattice{extents};
  reference::Generator generator{51};
  const Columns in = reference::random_spinors(lattice, 12, generator),
                out = reference::random_spinors(lattice, 12, generator);
  // The whole lattice on one rank is compared with sums, all geometries with its bits.
  test::for_all_geometries(
      extents,
      test::same_as_alone(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
        return numbers_of(found_by(in, out, grid, g, location));
      }));
  if (test::world_size() > 1) return;
  const auto found = found_alone(extents, in, out);
  const auto& currents = all_loop_currents();
  ASSERT_EQ(found.size(), currents.size() + 1);
  Columns leaving;  // psi gamma5, whose adjoint is gamma5 psi^dagger
  for (std::size_t i = 0; i < 12; ++i) {
    leaving.push_back(reference::zero_spinor(lattice));
    reference::add(leaving.back(), i < 6 ? 1 : -1, out[i]);
  }
  for (std::size_t k = 0; k < currents.size(); ++k) {
    SCOPED_TRACE(currents[k].name);
    expect_close(found[k], sum_over_sites(lattice, leaving, reference::gamma5() * named(currents[k].name), in,
                                          of_difference(lattice)));
  }
  expect_close(found.back(), sum_over_sites(lattice, waves(lattice, n_in), SpinMatrix::unit(), in,
                                            [](int) { return Complex(1); }));
}

// M exp(i p x) = exp(i p x) M(p): amputated vertices are Gamma, with momenta that differ and with one.
TEST(QuarkVertices, AreGammaOnUnitLinks) {
  if (test::world_size() > 1) GTEST_SKIP() << "is of one rank";
  const Extents extents{4, 2, 4, 8};
  const reference::Lattice lattice{extents};
  const reference::WilsonParameters parameters{.mass = 0.3, .boundary = signs};
  const auto symbol = [&](const Momentum4& n) {
    return reference::wilson_symbol(parameters, lattice.momentum(signs, n));
  };
  // M(p) = s + i sum_mu gamma_mu k_mu has the inverse M(p)^dagger / (M M^dagger), a number below.
  const auto inverse = [&](const Momentum4& n) {
    const SpinMatrix m = symbol(n);
    const SpinMatrix square = m * reference::dagger(m);
    return (1.0 / square(0, 0)) * reference::dagger(m);
  };
  const auto quark = [&](const Momentum4& n) {
    Columns columns = waves(lattice, n);
    for (auto& column : columns) column = reference::times(inverse(n), column);
    return columns;
  };
  const auto found = found_alone(extents, quark(n_in), quark(n_out));
  const auto spin_of = [](const OpenSpinColor& open, int color, int other) {
    SpinMatrix m;
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b)
        m(a, b) = open.at(static_cast<std::size_t>(3 * a + color), static_cast<std::size_t>(3 * b + other));
    return m;
  };
  const auto& currents = all_loop_currents();
  for (int color = 0; color < 3; ++color)
    for (int other = 0; other < 3; ++other) {
      const double same = color == other ? 1 : 0;
      EXPECT_LT(reference::max_difference(spin_of(found.back(), color, other), same * inverse(n_in)), 1e-13);
      for (std::size_t k = 0; k < currents.size(); ++k) {
        const SpinMatrix amputated = symbol(n_out) * spin_of(found[k], color, other) * symbol(n_in);
        EXPECT_LT(reference::max_difference(amputated, same * named(currents[k].name)), 1e-12)
            << currents[k].name;
      }
    }
}

// exp(-i p_out z) M^-1(z, x) is the adjoint of a solution of M^dagger: gamma5 is not needed there.
TEST(QuarkVertices, HaveTheQuarkThatLeaves) {
  if (test::world_size() > 1) GTEST_SKIP() << "is of one rank";
  const Extents extents{2, 2, 4, 4};
  const reference::Lattice lattice{extents};
  const reference::WilsonParameters parameters{.mass = 0.4, .boundary = signs};
  reference::Generator generator{52};
  const reference::GaugeField gauge = reference::random_gauge(lattice, generator);
  const reference::Map m = [&](const auto& x) { return reference::wilson(parameters, gauge, x); };
  const reference::Map adjoint = [&](const auto& x) {
    return reference::wilson_dagger(parameters, gauge, x);
  };
  const auto solved = [&](const reference::Map& a, const reference::Map& b, const Momentum4& n) {
    Columns columns = waves(lattice, n);
    for (auto& column : columns) column = reference::solve(a, b, column).x;
    return columns;
  };
  const Columns in = solved(m, adjoint, n_in), out = solved(m, adjoint, n_out),
                leaving = solved(adjoint, m, n_out);
  const auto found = found_alone(extents, in, out);
  const auto& currents = all_loop_currents();
  for (std::size_t k = 0; k < currents.size(); ++k) {
    SCOPED_TRACE(currents[k].name);
    expect_close(found[k],
                 sum_over_sites(lattice, leaving, named(currents[k].name), in, of_difference(lattice)),
                 1e-10);
  }
}

}  // namespace
}  // namespace plaq::vertices_test
