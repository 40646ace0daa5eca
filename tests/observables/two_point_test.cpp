// Two-point functions of channels with names, against the reference: of one quark, and of quarks with names.
#include "observables/quark/two_point.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/reference/correlators.hpp"
#include "tests/reference/gamma.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/same_as_alone.hpp"
#include "tests/support/shared_lattice.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

using reference::Complex;

const Extents extents{2, 4, 2, 6};
const Extents source{1, 3, 0, 4};
const Momentum moving{0, 1, 0};

Field field_of(const reference::Propagator& columns, const GeometryPtr& g, Location location) {
  return test::to_plaq(std::vector<reference::SpinorField>(columns.begin(), columns.end()), g, Subset::full,
                       Precision::double_precision, location);
}

// The one with this name, these quarks and this momentum.
const TwoPointFunction* find(const std::vector<TwoPointFunction>& all, const std::string& channel,
                             const std::vector<std::string>& quarks, const Momentum& n) {
  const auto at = std::find_if(all.begin(), all.end(), [&](const TwoPointFunction& one) {
    return one.channel.name == channel && one.quarks == quarks && one.momentum == n;
  });
  return at == all.end() ? nullptr : &*at;
}

void expect_found(const std::vector<TwoPointFunction>& all, const std::string& channel,
                  const std::vector<std::string>& quarks, const Momentum& n,
                  const std::vector<Complex>& expected) {
  const TwoPointFunction* found = find(all, channel, quarks, n);
  ASSERT_NE(found, nullptr) << channel;
  ASSERT_EQ(found->values.size(), expected.size());
  EXPECT_FALSE(found->is_matrix);
  double scale = 0;
  for (const Complex& z : expected) scale = std::max(scale, std::abs(z));
  for (std::size_t t = 0; t < expected.size(); ++t)
    EXPECT_LT(std::abs(found->values[t] - expected[t]), 1e-12 * scale) << channel << " t " << t;
}

struct Numbers {
  reference::Lattice lattice{extents};
  reference::Generator generator{91};
  reference::Propagator light = reference::random_propagator(lattice, generator),
                        strange = reference::random_propagator(lattice, generator);

  std::vector<Complex> pion(const reference::Propagator& a, const reference::Propagator& b,
                            const Momentum& n) const {
    const auto g5 = reference::gamma5();
    return reference::meson(lattice, a, b, g5, g5, n, source);
  }
  std::vector<Complex> proton(const reference::Propagator& up, const reference::Propagator& down,
                              double sign) const {
    const auto projector = 0.5 * (reference::SpinMatrix::unit() + sign * reference::gamma(3));
    return reference::proton(lattice, up, down, projector, {0, 0, 0}, source, -1);
  }
};

TEST(TwoPointFunctions, OfOneQuark) {
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const Numbers numbers;
  const auto pion = numbers.pion(numbers.light, numbers.light, moving);
  const auto proton = numbers.proton(numbers.light, numbers.light, 1),
             partner = numbers.proton(numbers.light, numbers.light, -1);
  test::for_all_geometries(
      extents, test::same_as_alone(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location l) {
        CorrelatorSet set(test::lattice_on(grid, g, l),
                          {channels_named({"pion", "proton", "proton_minus"}, channels_of_one_quark()),
                           {{0, 0, 0}, moving}});
        set.add("point", field_of(numbers.light, g, l), source);
        const auto found = set.take();
        EXPECT_EQ(found.size(), 6u);
        EXPECT_TRUE(set.take().empty());
        expect_found(found, "pion", {}, moving, pion);
        expect_found(found, "proton", {}, {0, 0, 0}, proton);
        expect_found(found, "proton_minus", {}, {0, 0, 0}, partner);
        return found.front().values;
      }));
}

// A correlator is made once, whichever quarks beside it change.
TEST(TwoPointFunctions, OfQuarksWithNames) {
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const Numbers numbers;
  const auto kaon = numbers.pion(numbers.light, numbers.strange, {0, 0, 0});
  const auto proton = numbers.proton(numbers.light, numbers.strange, 1);
  test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location l) {
    CorrelatorSet set(test::lattice_on(grid, g, l),
                      {channels_named({"pion", "proton"}, channels_of_flavours()), {{0, 0, 0}}});
    const Field light = field_of(numbers.light, g, l), strange = field_of(numbers.strange, g, l);
    set.add("point", QuarkContent{{"l", "s"}, {&light, &strange}}, source);
    set.add("point", QuarkContent{{"l", "s", "s"}, {&light, &strange, &strange}}, source);
    set.add("point", QuarkContent{{"l", "s", "l"}, {&light, &strange, &light}},
            source);  // its proton is that of before
    const auto found = set.take();
    EXPECT_EQ(found.size(), 2u);
    expect_found(found, "pion", {"l", "s"}, {0, 0, 0}, kaon);
    expect_found(found, "proton", {"l", "s"}, {0, 0, 0}, proton);
  });
}

}  // namespace
}  // namespace plaq
