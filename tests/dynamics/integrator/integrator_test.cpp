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

// A pendulum, dp/dt = -sin q, of which each level has a share of the force.
struct Pendulum {
  double q = 0.4, p = 1.1;

  Pendulum(const std::vector<MdUpdate>& updates, const std::vector<double>& shares) {
    for (const MdUpdate& u : updates) {
      const double weight = shares[static_cast<std::size_t>(u.level)];
      if (u.kind == Kind::drift) q += u.step * p;
      if (u.kind == Kind::kick) p -= u.step * weight * std::sin(q);
      if (u.kind == Kind::gradient_kick)
        p -= u.step * weight * std::sin(q - u.gradient * weight * std::sin(q));
    }
  }
};

// Log2 of the factor by which the error at the end of a trajectory falls if all steps are halved.
double order_of(const std::vector<TimeScale>& levels, const std::vector<double>& shares) {
  const Pendulum end(md_updates({{Integrator::omelyan4, 2000}}, 2), {1});
  const auto error = [&](const std::vector<TimeScale>& scales) {
    const Pendulum found(md_updates(scales, 2), shares);
    return std::hypot(found.q - end.q, found.p - end.p);
  };
  auto halved = levels;
  halved[0].steps *= 2;
  return std::log2(error(levels) / error(halved));
}

TEST(Integrator, ErrorsFallWithItsOrder) {
  for (const Integrator integrator : all) {
    const bool second = integrator == Integrator::leapfrog || integrator == Integrator::omelyan2;
    EXPECT_NEAR(order_of({{integrator, 16}}, {1}), second ? 2 : 4, 0.02) << name_of(integrator);
  }
  for (const Integrator integrator : {Integrator::leapfrog, Integrator::omelyan2})
    EXPECT_NEAR(order_of({{integrator, 16}, {integrator, 2}}, {0.75, 0.25}), 2, 0.02) << name_of(integrator);
  EXPECT_NEAR(order_of({{Integrator::omelyan4, 8}, {Integrator::omelyan4, 1}}, {0.75, 0.25}), 4, 0.05);
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
