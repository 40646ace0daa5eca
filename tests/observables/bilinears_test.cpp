// Point-split bilinears of random propagators, against sums over paths of links.
#include "observables/quark/bilinears.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "observables/quark/quark_loop_settings.hpp"
#include "tests/reference/correlators.hpp"
#include "tests/reference/gamma.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/same_as_alone.hpp"
#include "tests/support/shared_lattice.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

namespace bilinears_test {

using reference::Complex;
using reference::SpinMatrix;

const Extents extents{2, 4, 2, 8};
const Extents source{1, 3, 0, 6};
const std::vector<Momentum> momenta{{0, 0, 0}, {1, 1, 0}};
const std::array<int, 4> signs{-1, 1, 1, -1};
const std::array<double, 4> weights{0.7, 0.7, 0.7, 1};
const BilinearSettings settings{.conserved = true,
                                .derivatives = {"z", "t", "xt", "yy", "tyx", "yxy"},
                                .line_directions = {1, 3},
                                .line_length = 2};

struct Step {
  int mu;
  bool forward;
};
using Path = std::vector<Step>;

struct Problem {
  reference::Lattice lattice{extents};
  reference::Generator generator{93};
  reference::GaugeField action = reference::random_gauge(lattice, generator),
                        hops = reference::random_gauge(lattice, generator);
  reference::Propagator quark = reference::random_propagator(lattice, generator),
                        sequential = reference::random_propagator(lattice, generator);

  // W(path from y) F(end of the path) at all y, with the signs of the boundary.
  reference::Propagator along(const reference::GaugeField& links, const reference::Propagator& field,
                              const Path& path) const {
    reference::Propagator moved = field;
    for (int y = 0; y < lattice.volume(); ++y) {
      auto product = reference::ColorMatrix::unit();
      double sign = 1;
      int x = y;
      for (const auto& [mu, forward] : path) {
        const bool wraps = forward ? lattice.wraps_forward(x, mu) : lattice.wraps_backward(x, mu);
        if (wraps) sign *= signs[static_cast<std::size_t>(mu)];
        if (!forward) x = lattice.backward(x, mu);
        const auto& link = links.link[static_cast<std::size_t>(x)][static_cast<std::size_t>(mu)];
        product = product * (forward ? link : reference::dagger(link));
        if (forward) x = lattice.forward(x, mu);
      }
      for (std::size_t column = 0; column < 12; ++column)
        for (std::size_t spin = 0; spin < 4; ++spin) {
          auto color = product * field[column][static_cast<std::size_t>(x)][spin];
          for (Complex& z : color) z *= sign;
          moved[column][static_cast<std::size_t>(y)][spin] = color;
        }
    }
    return moved;
  }

  // sum_y exp(-i q (y - source)) tr[P^dagger gamma5 G F], [t]
  std::vector<Complex> con(const reference::Propagator& left, const SpinMatrix& g,
                           const reference::Propagator& right, const Momentum& q) const {
    std::vector<Complex> sums(static_cast<std::size_t>(extents[3]));
    for (std::size_t column = 0; column < 12; ++column) {
      const auto product = reference::times(reference::gamma5() * g, right[column]);
      for (int y = 0; y < lattice.volume(); ++y) {
        const auto site = static_cast<std::size_t>(y);
        Complex sum = 0;
        for (std::size_t spin = 0; spin < 4; ++spin)
          for (std::size_t color = 0; color < 3; ++color)
            sum += std::conj(left[column][site][spin][color]) * product[site][spin][color];
        sums[static_cast<std::size_t>(lattice.slices_from(source, y))] +=
            reference::phase(lattice, q, y, source) * sum;
      }
    }
    return sums;
  }
};

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

void add_to(std::vector<Complex>& sum, Complex factor, const std::vector<Complex>& more) {
  sum.resize(more.size());
  for (std::size_t t = 0; t < more.size(); ++t) sum[t] += factor * more[t];
}

std::vector<Complex> conserved_of(const Problem& problem, int mu, const Momentum& q) {
  const SpinMatrix one = SpinMatrix::unit(), slash = reference::gamma(mu);
  const double half = weights[static_cast<std::size_t>(mu)] / 2;
  std::vector<Complex> sum;
  add_to(sum, half,
         problem.con(problem.along(problem.action, problem.sequential, {{mu, true}}), one + slash,
                     problem.quark, q));
  add_to(sum, -half,
         problem.con(problem.sequential, one - slash,
                     problem.along(problem.action, problem.quark, {{mu, true}}), q));
  return sum;
}

// All choices of sides and directions of the hops.
std::vector<Complex> derivative_of(const Problem& problem, const std::string& word, const SpinMatrix& g,
                                   const Momentum& q) {
  const std::size_t order = word.size();
  std::vector<Complex> sum;
  for (std::size_t choice = 0; choice < std::size_t{1} << (2 * order); ++choice) {
    Path right, left;
    double factor = 1;
    for (std::size_t i = 0; i < order; ++i) {
      const bool to_left = (choice >> (2 * i) & 1) != 0, forward = (choice >> (2 * i + 1) & 1) != 0;
      const Step step{static_cast<int>(std::string("xyzt").find(word[i])), forward};
      if (to_left)
        left.insert(left.begin(), step);
      else
        right.push_back(step);
      factor *= (to_left ? -0.25 : 0.25) * (forward ? 1 : -1);
    }
    add_to(sum, factor,
           problem.con(problem.along(problem.hops, problem.sequential, left), g,
                       problem.along(problem.hops, problem.quark, right), q));
  }
  return sum;
}

std::vector<Complex> line_of(const Problem& problem, int mu, int z, const SpinMatrix& g, const Momentum& q) {
  const Path path(static_cast<std::size_t>(std::abs(z)), Step{mu, z > 0});
  return problem.con(problem.sequential, g, problem.along(problem.hops, problem.quark, path), q);
}

Field field_of(const reference::Propagator& columns, const GeometryPtr& g, Location location) {
  return test::to_plaq(std::vector<reference::SpinorField>(columns.begin(), columns.end()), g, Subset::full,
                       Precision::double_precision, location);
}

Bilinears found_by(const Problem& problem, const BilinearSettings& asked, const ProcessGrid& grid,
                   const GeometryPtr& g, Location location) {
  BilinearOperators operators(test::lattice_on(grid, g, location), asked, momenta);
  const auto links = [&](const reference::GaugeField& gauge) {
    return test::to_plaq(gauge, g, Precision::double_precision, location);
  };
  operators.set_links({links(problem.action), links(problem.hops), signs, weights});
  return operators(field_of(problem.quark, g, location), field_of(problem.sequential, g, location), source);
}

void expect_close(const std::vector<Complex>& found, const std::vector<Complex>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  double scale = 0;
  for (const Complex& z : expected) scale = std::max(scale, std::abs(z));
  for (std::size_t t = 0; t < expected.size(); ++t)
    EXPECT_LT(std::abs(found[t] - expected[t]), 1e-12 * scale) << "t " << t;
}

TEST(Bilinears, AreSumsOverPaths) {
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const Problem problem;
  const auto& gammas = all_loop_currents();
  ASSERT_EQ(gammas.size(), 16u);
  // The first geometry is compared in full, the others with its bits.
  const auto numbers = [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    const Bilinears found = found_by(problem, settings, grid, g, location);
    std::vector<Correlators> all{found.conserved};
    all.insert(all.end(), found.derivatives.begin(), found.derivatives.end());
    for (const auto& direction : found.lines) all.insert(all.end(), direction.begin(), direction.end());
    return all;
  };
  test::for_all_geometries(extents, test::same_as_alone(extents, numbers));
  test::from_first_rank([&] {
    const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
    const Bilinears found = found_by(problem, settings, self, self.geometry(extents), Location::host);
    for (std::size_t p = 0; p < momenta.size(); ++p) {
      for (std::size_t mu = 0; mu < 4; ++mu) {
        SCOPED_TRACE("conserved " + std::to_string(mu));
        expect_close(found.conserved[mu][p], conserved_of(problem, static_cast<int>(mu), momenta[p]));
      }
      for (std::size_t i = 0; i < settings.derivatives.size(); ++i)
        for (std::size_t k = i; k < 16; k += 5) {  // some of the Gamma of each
          SCOPED_TRACE(settings.derivatives[i] + " " + gammas[k].name);
          expect_close(found.derivatives[i][k][p],
                       derivative_of(problem, settings.derivatives[i], named(gammas[k].name), momenta[p]));
        }
      for (std::size_t i = 0; i < settings.line_directions.size(); ++i)
        for (int z = -settings.line_length; z <= settings.line_length; ++z)
          for (std::size_t k = 0; k < 16; ++k) {
            SCOPED_TRACE("line " + std::to_string(i) + " " + std::to_string(z) + " " + gammas[k].name);
            expect_close(found.lines[i][static_cast<std::size_t>(settings.line_length + z)][k][p],
                         line_of(problem, settings.line_directions[i], z, named(gammas[k].name), momenta[p]));
          }
    }
    return std::vector<double>{0};
  });
}

// Summed over space, each choice of sides may act to the right alone: its derivatives to the left, in their
// order, come before those to the right, and the signs of both are 1.
TEST(Bilinears, DerivativesInSpaceMayActToTheRightAlone) {
  if (test::world_size() > 1) GTEST_SKIP() << "is of one rank";
  const Problem problem;
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const std::vector<std::string> words{"yz", "xyz"};
  const Bilinears found =
      found_by(problem, {.derivatives = words}, self, self.geometry(extents), Location::host);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const std::size_t order = word.size();
    std::vector<Complex> expected;
    for (std::size_t choice = 0; choice < std::size_t{1} << (2 * order); ++choice) {
      Path path;
      double factor = 1;
      for (const bool to_left : {true, false})
        for (std::size_t k = 0; k < order; ++k) {
          if (((choice >> (2 * k) & 1) != 0) != to_left) continue;
          const bool forward = (choice >> (2 * k + 1) & 1) != 0;
          path.push_back({static_cast<int>(std::string("xyzt").find(word[k])), forward});
          factor *= forward ? 0.25 : -0.25;
        }
      add_to(expected, factor,
             problem.con(problem.sequential, reference::gamma(3),
                         problem.along(problem.hops, problem.quark, path), {0, 0, 0}));
    }
    const auto& gammas = all_loop_currents();
    const auto at = std::find_if(gammas.begin(), gammas.end(),
                                 [](const LoopCurrent& one) { return one.name == "vector_t"; });
    expect_close(found.derivatives[i][static_cast<std::size_t>(at - gammas.begin())][0], expected);
  }
}

TEST(Bilinears, SayWhatIsWrong) {
  const auto wrong = [](const BilinearSettings& asked) {
    const auto fault = fault_of(asked, extents);
    return fault ? fault->first + ": " + fault->second : std::string();
  };
  EXPECT_EQ(wrong(settings), "");
  EXPECT_EQ(wrong({}), "");
  for (const char* word : {"", "w", "xyzt"})
    EXPECT_NE(wrong({.derivatives = {word}}).find("letters"), std::string::npos);
  EXPECT_NE(wrong({.derivatives = {"x", "x"}}).find("twice"), std::string::npos);
  EXPECT_NE(wrong({.line_directions = {4}, .line_length = 1}).find("0 to 3"), std::string::npos);
  EXPECT_NE(wrong({.line_directions = {1, 1}, .line_length = 1}).find("twice"), std::string::npos);
  EXPECT_EQ(wrong({.line_directions = {1}}).substr(0, 11), "line_length");
  EXPECT_EQ(wrong({.line_length = 1}).substr(0, 15), "line_directions");
  EXPECT_NE(wrong({.line_directions = {0}, .line_length = 2}).find("half of the lattice in x, which is 1"),
            std::string::npos);
}

}  // namespace bilinears_test
}  // namespace
}  // namespace plaq
