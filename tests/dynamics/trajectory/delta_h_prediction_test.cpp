// dH of a trajectory as the forces on its time scales predict it.
#include <cmath>

#include "dynamics/monomial/gauge_monomial.hpp"
#include "tests/dynamics/chain.hpp"

namespace plaq::delta_h_prediction_test {
namespace {

// A gauge action under a name of its own.
class NamedGauge final : public Monomial {
 public:
  NamedGauge(std::string name, const SharedLattice& lattice, const LoopWeights& weights)
      : name_(std::move(name)), gauge_(lattice, weights) {}
  std::string name() const override { return name_; }
  int halo_depth() const override { return gauge_.halo_depth(); }
  double value(const Field& links) override { return gauge_.value(links); }
  void force(Field& force, const Field& links) override { gauge_.force(force, links); }

 private:
  std::string name_;
  GaugeMonomial gauge_;
};

struct Result {
  double measured = 0;
  std::vector<double> predicted;
  double error() const {
    double sum = 0;
    for (const double level : predicted) sum += level;
    return std::abs(measured - sum);
  }
};

Result trajectory(const test::LatticeAlone& alone, const std::vector<MdLevel>& levels) {
  HybridMonteCarlo hmc(MolecularDynamics(levels, 1), 5);
  hmc.dynamics().predict_delta_h();
  PhaseSpace space(alone.lattice, alone.weak_links(0.3), hmc.halo_depth());
  const auto report = hmc.trajectory(space, 3);
  return {report.delta_h, report.predicted_delta_h};
}

// The error of the prediction falls with the fourth power of the step, dH with the second.
void expect_good(const test::LatticeAlone& alone, const std::function<std::vector<MdLevel>(int)>& with_steps,
                 int steps) {
  const Result coarse = trajectory(alone, with_steps(steps)), fine = trajectory(alone, with_steps(2 * steps));
  EXPECT_GT(std::abs(coarse.measured), 1e-3);
  EXPECT_LT(coarse.error(), 0.1 * std::abs(coarse.measured));
  EXPECT_LT(fine.error(), 0.03 * std::abs(fine.measured));
  EXPECT_LT(fine.error(), 0.15 * coarse.error());
}

TEST(PredictedDeltaH, IsThatOfOneTimeScale) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const test::LatticeAlone alone({4, 4, 4, 4});
  const auto gauge = std::make_shared<GaugeMonomial>(alone.lattice, rectangle_gauge_action(4.0, symanzik_c1));
  for (const TimeScale& scale :
       {TimeScale{Integrator::leapfrog, 24}, {Integrator::omelyan2, 12}, {Integrator::omelyan2, 16, 0.3}}) {
    SCOPED_TRACE(name_of(scale.integrator) + " " + std::to_string(scale.lambda));
    const auto with_steps = [&](int steps) {
      return std::vector<MdLevel>{{{scale.integrator, steps, scale.lambda}, {gauge}}};
    };
    expect_good(alone, with_steps, scale.steps);
  }
}

TEST(PredictedDeltaH, IsTheSumOfNestedTimeScales) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const test::LatticeAlone alone({4, 4, 4, 4});
  const auto term = [&](const char* name, double beta) {
    return std::make_shared<NamedGauge>(name, alone.lattice, wilson_gauge_action(beta));
  };
  for (const Integrator outer : {Integrator::leapfrog, Integrator::omelyan2})
    for (const Integrator inner : {Integrator::leapfrog, Integrator::omelyan2}) {
      SCOPED_TRACE(name_of(outer) + " " + name_of(inner));
      const auto with_steps = [&](int steps) {
        return std::vector<MdLevel>{{{outer, steps}, {term("slow", 0.7), term("slower", 0.5)}},
                                    {{inner, 2}, {term("fast", 4.4)}}};
      };
      expect_good(alone, with_steps, 12);
      // Both scales have a share.
      const auto levels = trajectory(alone, with_steps(12)).predicted;
      ASSERT_EQ(levels.size(), 2u);
      EXPECT_NE(levels[0], 0);
      EXPECT_NE(levels[1], 0);
    }
}

// The outer two scales have small errors of fourth order, the innermost one that of second order.
TEST(PredictedDeltaH, IsThatOfTheInnermostOfThreeTimeScales) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const test::LatticeAlone alone({4, 4, 4, 4});
  const auto term = [&](const char* name, double beta) {
    return std::make_shared<NamedGauge>(name, alone.lattice, wilson_gauge_action(beta));
  };
  for (const Integrator middle : {Integrator::force_gradient, Integrator::omelyan2}) {
    SCOPED_TRACE(name_of(middle));
    const auto with_steps = [&](int steps) {
      return std::vector<MdLevel>{{{Integrator::omelyan4, steps}, {term("slow", 0.7)}},
                                  {{middle, 1}, {term("middle", 0.4)}},
                                  {{Integrator::leapfrog, 1}, {term("fast", 4.4)}}};
    };
    expect_good(alone, with_steps, 6);
  }
}

TEST(PredictedDeltaH, IsNoneOfFourthOrder) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const test::LatticeAlone alone({4, 4, 4, 4});
  const auto gauge = std::make_shared<GaugeMonomial>(alone.lattice, wilson_gauge_action(5.6));
  for (const Integrator integrator : {Integrator::omelyan4, Integrator::force_gradient})
    EXPECT_EQ(trajectory(alone, {{{integrator, 4}, {gauge}}}).predicted, std::vector<double>{0});
}

// Scales below omelyan4 make their steps in drifts of different lengths.
TEST(PredictedDeltaH, HasTheMeanStepInUnequalDrifts) {
  const auto squares =
      mean_square_steps({{Integrator::omelyan2, 5}, {Integrator::omelyan4, 2}, {Integrator::leapfrog, 3}}, 2);
  EXPECT_NEAR(squares[0], 0.16, 1e-15);
  EXPECT_NEAR(squares[1], 0.01, 1e-15);
  double cubes = 0, drifts = 0;
  for (const double drift : {0.2539785108410595, -0.03230286765269967, 1 - 2 * 0.2216756431883598,
                             -0.03230286765269967, 0.2539785108410595}) {
    cubes += drift * drift * drift;
    drifts += drift;
  }
  EXPECT_NEAR(drifts, 1, 1e-14);
  EXPECT_NEAR(squares[2], 0.01 * cubes / 9, 1e-15);
}

}  // namespace
}  // namespace plaq::delta_h_prediction_test
