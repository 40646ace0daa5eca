// Lists of kicks and drifts: what they add up to, and the order of their errors for a pendulum.
#include "dynamics/integrator/integrator.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/system/error.hpp"
#include "tests/support/error_of.hpp"

namespace plaq::integrator_test {
namespace {

using Kind = MdUpdate::Kind;
constexpr Integrator all[] = {Integrator::leapfrog, Integrator::omelyan2, Integrator::omelyan4,
                              Integrator::force_gradient};

TEST(Integrator, GivesEachForceTheWholeTimeAndReadsTheSameFromItsEnd) {
  for (const Integrator outer : all)
    for (const Integrator inner : all) {
      SCOPED_TRACE(name_of(outer) + " around " + name_of(inner));
      const auto updates = md_updates({{outer, 3}, {inner, 2}}, 1.5);
      double drift = 0, kicks[2] = {0, 0};
      for (std::size_t k = 0; k < updates.size(); ++k) {
        const MdUpdate &u = updates[k], &mirror = updates[updates.size() - 1 - k];
        (u.kind == Kind::drift ? drift : kicks[u.level]) += u.step;
        if (u.kind == Kind::drift) {
          EXPECT_EQ(mirror.kind, Kind::drift);
          EXPECT_DOUBLE_EQ(mirror.step, u.step);
        }
      }
      EXPECT_NEAR(drift, 1.5, 1e-14);
      EXPECT_NEAR(kicks[0], 1.5, 1e-14);
      EXPECT_NEAR(kicks[1], 1.5, 1e-14);
    }
}

TEST(Integrator, KicksOfNeighbouringStepsAreOne) {
  const auto leapfrog = md_updates({{Integrator::leapfrog, 10}}, 1);
  EXPECT_EQ(leapfrog.size(), 21u);
  EXPECT_EQ(count_forces(leapfrog, 0), 11);
  EXPECT_DOUBLE_EQ(leapfrog[2].step, 0.1);
  const auto omelyan = md_updates({{Integrator::omelyan2, 10}}, 1);
  EXPECT_EQ(count_forces(omelyan, 0), 21);
  EXPECT_EQ(count_forces(md_updates({{Integrator::omelyan4, 4}}, 1), 0), 21);
  EXPECT_EQ(count_forces(md_updates({{Integrator::force_gradient, 5}}, 1), 0), 16);
  // Two levels: each of the two drifts of a step holds two steps of the inner level.
  const auto nested = md_updates({{Integrator::omelyan2, 5}, {Integrator::leapfrog, 2}}, 1);
  EXPECT_EQ(count_forces(nested, 0), 11);
  EXPECT_EQ(count_forces(nested, 1), 21);
}

// H = p^2/2 - (3/4) cos q - (1/4) cos q, in two levels; d/dt p = -F.
double energy_error(const std::vector<MdUpdate>& updates) {
  double q = 0.4, p = 1.1;
  const auto energy = [&] { return p * p / 2 - std::cos(q); };
  const double share[2] = {0.75, 0.25};
  const double start = energy();
  for (const MdUpdate& u : updates) {
    const double weight = share[u.level];
    if (u.kind == Kind::drift) q += u.step * p;
    if (u.kind == Kind::kick) p -= u.step * weight * std::sin(q);
    if (u.kind == Kind::gradient_kick) p -= u.step * weight * std::sin(q - u.gradient * weight * std::sin(q));
  }
  return std::abs(energy() - start);
}

TEST(Integrator, ErrorsFallWithItsOrder) {
  for (const Integrator integrator : all) {
    const bool second = integrator == Integrator::leapfrog || integrator == Integrator::omelyan2;
    // One level with the whole force: both shares at the same kicks.
    const auto error = [&](int steps) {
      auto updates = md_updates({{integrator, steps}}, 2.0);
      double q = 0.4, p = 1.1;
      const double start = p * p / 2 - std::cos(q);
      for (const MdUpdate& u : updates) {
        if (u.kind == Kind::drift) q += u.step * p;
        if (u.kind == Kind::kick) p -= u.step * std::sin(q);
        // Half of the gradient term of [S,[T,S]]: F at q - (e^2/24) F, kicked by 2/3 e.
        if (u.kind == Kind::gradient_kick) p -= u.step * std::sin(q - u.gradient * std::sin(q));
      }
      return std::abs(p * p / 2 - std::cos(q) - start);
    };
    const double order = std::log2(error(16) / error(32));
    EXPECT_NEAR(order, second ? 2 : 4, 0.1) << name_of(integrator);
  }
  for (const Integrator integrator : {Integrator::leapfrog, Integrator::omelyan2}) {
    const auto error = [&](int steps) {
      return energy_error(md_updates({{integrator, steps}, {integrator, 2}}, 2.0));
    };
    EXPECT_NEAR(std::log2(error(16) / error(32)), 2, 0.1) << name_of(integrator);
  }
  const auto error = [](int steps) {
    return energy_error(md_updates({{Integrator::omelyan4, steps}, {Integrator::omelyan4, 1}}, 2.0));
  };
  EXPECT_NEAR(std::log2(error(8) / error(16)), 4, 0.2);
}

TEST(Integrator, RefusesWhatIsNoTrajectory) {
  const auto refused = [](const char* part, const std::vector<TimeScale>& levels, double length) {
    test::expect_error(ErrorKind::job_file, part, [&] { md_updates(levels, length); });
  };
  refused("needs a time scale", {}, 1);
  refused("at least 1", {{Integrator::leapfrog, 0}}, 1);
  refused("not a finite number", {{Integrator::leapfrog, 3}}, INFINITY);
  refused("lambda", {{Integrator::omelyan2, 3, NAN}}, 1);
}

}  // namespace
}  // namespace plaq::integrator_test
