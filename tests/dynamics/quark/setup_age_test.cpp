// Renewals of multigrid setups that have aged.
#include "dynamics/quark/setup_age.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace plaq::setup_age_test {
namespace {

const double e10 = std::exp(-10.0);

TEST(SetupAge, RenewalPaysWhenIterationsBeyondTheBestAreAsMany) {
  SetupAge age(150);
  for (int i = 0; i < 100; ++i) age.add(0, 20, e10);  // two for a factor e
  EXPECT_FALSE(age.renewal_pays());
  for (int i = 0; i < 14; ++i) age.add(0, 30, e10);
  EXPECT_FALSE(age.renewal_pays());  // 140
  age.add(0, 30, e10);
  EXPECT_TRUE(age.renewal_pays());
  age.begin();
  EXPECT_FALSE(age.renewal_pays());
}

TEST(SetupAge, IsOfIterationsForAFactorAndATwist) {
  SetupAge age(150);
  age.add(0, 20, e10);
  for (int i = 0; i < 100; ++i) {
    age.add(0, 40, e10 * e10);  // as fast, to a smaller residual
    age.add(0.1, 10, e10);      // each twist has its best
  }
  EXPECT_FALSE(age.renewal_pays());
  for (int i = 0; i < 15; ++i) age.add(0.1, 20, e10);
  EXPECT_TRUE(age.renewal_pays());
}

TEST(SetupAge, IsKept) {
  SetupAge age(150);
  age.add(0, 20, e10);
  age.add(-0.1, 10, e10);
  for (int i = 0; i < 14; ++i) age.add(0, 30, e10);
  StateArchive kept;
  age.visit(kept);
  SetupAge restored(150);
  restored.add(0.3, 1, e10);
  StateArchive given(kept.take());
  restored.visit(given);
  given.expect_end();
  EXPECT_FALSE(restored.renewal_pays());
  restored.add(0.3, 100, e10);  // what it had is forgotten
  EXPECT_FALSE(restored.renewal_pays());
  restored.add(-0.1, 20, e10);
  EXPECT_TRUE(restored.renewal_pays());
}

}  // namespace
}  // namespace plaq::setup_age_test
