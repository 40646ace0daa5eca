// Elliptic functions against numbers of 40 digits, for moduli near 0, near 1 and between.
#include "core/algebra/elliptic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace plaq::elliptic {
namespace {

struct Value {
  Real share, dn, sc;  // z = pi share
};
struct Modulus {
  Real low, high, a;
  Value values[3];
};
const Modulus moduli[] = {{1,
                           1.25L,
                           3.58041692530338230527L,
                           {{1 / 26.0L, 0.996756773284121794761L, 0.135344853505320573413L},
                            {0.25L, 0.894427190999915878564L, 1.1180339887498948482L},
                            {25 / 52.0L, 0.800652386099531279163L, 18.5404213051124961126L}}},
                          {1,
                           1024,
                           0.593284572213594889182L,
                           {{1 / 26.0L, 0.825239871970146364257L, 0.684386212591924737534L},
                            {0.25L, 0.03125L, 32},
                            {25 / 52.0L, 0.00102696329110750486021L, 3146.90495038314116546L}}},
                          {1,
                           1099511627776,
                           0.169509872916517921832L,
                           {{1 / 26.0L, 0.210654787944947100824L, 4.64058056524171965332L},
                            {0.25L, 9.5367431640625e-7L, 1048576},
                            {25 / 52.0L, 1.54173478181264732894e-12L, 803280089000.739872273L}}},
                          {1024,
                           1025,
                           9.01140144981230489241L,
                           {{1 / 26.0L, 0.999985818457813885527L, 0.121481249808859398513L},
                            {0.25L, 0.999512076087078819354L, 1.00048816209888260726L},
                            {25 / 52.0L, 0.999027945161634197625L, 16.5400420243249245515L}}}};

TEST(Elliptic, KnownNumbers) {
  for (const Modulus& m : moduli) {
    SCOPED_TRACE(static_cast<double>(m.high / m.low));
    const Real a = minus_log_nome(m.low, m.high), kappa = m.low / m.high;
    EXPECT_NEAR(static_cast<double>(a / m.a - 1), 0, 1e-17);
    for (const Value& value : m.values) {
      const Real z = std::numbers::pi_v<Real> * value.share;
      EXPECT_NEAR(static_cast<double>(dn(z, a, kappa) / value.dn - 1), 0, 1e-17);
      EXPECT_NEAR(static_cast<double>(sc(z, a, kappa) / value.sc - 1), 0, 1e-16);
    }
  }
}

// R_F(x, y, 1) is K for x = 0, and 1 for x = y = 1.
TEST(Elliptic, CompleteIntegral) {
  for (const Modulus& m : moduli) {
    const Real kappa = m.low / m.high, complete = carlson_rf(0, kappa * kappa);
    const Real a = minus_log_nome(m.low, m.high);
    EXPECT_NEAR(
        static_cast<double>(complete * 2 / (std::numbers::pi_v<Real> * Transformed(a).theta3_squared) - 1), 0,
        1e-17);
    EXPECT_NEAR(static_cast<double>(Transformed(a).l / kappa - 1), 0, 1e-16);
  }
  EXPECT_EQ(carlson_rf(1, 1), 1);
}

}  // namespace
}  // namespace plaq::elliptic
