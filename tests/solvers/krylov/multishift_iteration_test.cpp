// Scalars of multi-shift CG against conjugate gradients for each shift alone, on plain vectors.
#include "solvers/krylov/multishift_iteration.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/system/memory.hpp"
#include "solvers/krylov/batch_scalars.hpp"
#include "tests/support/locations.hpp"
#include "tests/support/world.hpp"

namespace plaq::multishift_iteration_test {
namespace {

using Real = long double;
using Vector = std::vector<Real>;

const std::vector<double> shifts{0.3, 0.02, 5, 0.02};
constexpr std::size_t smallest = 1;

Real dot(const Vector& a, const Vector& b) {
  Real sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

// (diag(a) + shift) x = b by the formulas of Hestenes and Stiefel.
struct ConjugateGradientsAlone {
  Vector a, r, p = r;
  Real rr = dot(r, r), alpha = 0, beta = 0, pq = 0;
  void step() {
    Vector q = p;
    for (std::size_t k = 0; k < q.size(); ++k) q[k] *= a[k];
    pq = dot(p, q);
    alpha = rr / pq;
    for (std::size_t k = 0; k < r.size(); ++k) r[k] -= alpha * q[k];
    const Real next = dot(r, r);
    beta = next / rr;
    rr = next;
    for (std::size_t k = 0; k < p.size(); ++k) p[k] = r[k] + beta * p[k];
  }
};

// Makes the system of right-hand side i.
ConjugateGradientsAlone alone(int i, double shift) {
  ConjugateGradientsAlone cg{{}, {}};
  for (int k = 0; k < 24; ++k) {
    cg.a.push_back(std::pow(Real(20 + 30 * i), -std::fmod((k + 0.5L) * 0.618033988749895L, 1.0L)) + shift);
    cg.r.push_back(std::sin(Real(1 + k * (3 + i))));
  }
  cg.p = cg.r;
  cg.rr = dot(cg.r, cg.r);
  return cg;
}

class ScalarsAt {
 public:
  ScalarsAt(Location location, int batch)
      : queue(location),
        scalars(queue, batch, static_cast<int>(shifts.size())),
        memory(location, multishift::Scalars::bytes(static_cast<int>(shifts.size()), batch)),
        sums(location, static_cast<std::size_t>(batch) * sizeof(double)),
        all(batch) {}
  multishift::Scalars cg() const {
    ScalarMemory over = scalars.over(memory.data(), memory.bytes());
    return {over, static_cast<int>(shifts.size())};
  }
  Sum<double> sum(const std::vector<double>& of_each) {
    copy_bytes(sums.data(), queue.location(), of_each.data(), Location::host, sums.bytes());
    return {sums.as<double>(), 1};
  }
  void begin(const std::vector<double>& rr) {
    scalars.run(all, multishift::Function(multishift::Begin{cg(), sum(rr)}));
    for (std::size_t s = 0; s < shifts.size(); ++s)
      scalars.run(all, multishift::Function(
                           multishift::BeginShift{cg(), static_cast<int>(s), shifts[s] - shifts[smallest]}));
  }
  const IterationStatus* iterate(const std::vector<double>& pq, const std::vector<double>& rr) {
    scalars.run(all, multishift::Function(multishift::StepLength{cg(), sum(pq)}));
    queue.synchronize();
    scalars.run_with_statuses(all, multishift::Function(multishift::NextDirections{cg(), sum(rr)}));
    return scalars.await();
  }
  // Coefficients of a shift's vectors: c0, c1, c2 and their imaginary parts.
  blas::CoefficientList::Set direction(std::size_t s, std::size_t i) {
    queue.synchronize();
    blas::CoefficientList::Set set;
    copy_bytes(&set, Location::host, &cg().direction(static_cast<int>(s)).first[i], queue.location(),
               sizeof set);
    return set;
  }

  Queue queue;
  BatchScalars scalars;
  Buffer memory, sums;
  ActiveSet all;
};

TEST(MultishiftIteration, HasTheCoefficientsOfEachShiftAlone) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  constexpr int batch = 3;
  for (const Location location : test::locations()) {
    ScalarsAt at(location, batch);
    std::vector<std::vector<ConjugateGradientsAlone>> cg;  // [right-hand side][shift]
    std::vector<double> pq(batch), rr(batch);
    for (int i = 0; i < batch; ++i) {
      cg.emplace_back();
      for (const double shift : shifts) cg.back().push_back(alone(i, shift));
      rr[static_cast<std::size_t>(i)] = static_cast<double>(cg.back()[smallest].rr);
    }
    at.begin(rr);
    for (int n = 0; n < 10; ++n) {
      auto before = cg;
      for (std::size_t i = 0; i < batch; ++i) {
        for (auto& of_shift : cg[i]) of_shift.step();
        pq[i] = static_cast<double>(cg[i][smallest].pq);
        rr[i] = static_cast<double>(cg[i][smallest].rr);
      }
      const IterationStatus* statuses = at.iterate(pq, rr);
      for (std::size_t s = 0; s < shifts.size(); ++s)
        for (std::size_t i = 0; i < batch; ++i) {
          SCOPED_TRACE(testing::Message() << "iteration " << n << ", shift " << shifts[s] << ", " << i);
          const ConjugateGradientsAlone &mine = cg[i][s], &base = cg[i][smallest];
          const auto c = at.direction(s, i);
          EXPECT_NEAR(c.value[0] / static_cast<double>(mine.alpha), 1, 1e-10);
          EXPECT_NEAR(c.value[4] / static_cast<double>(mine.beta), 1, 1e-10);
          // The residuals are parallel.
          for (std::size_t k = 0; k < mine.r.size(); ++k)
            EXPECT_NEAR(c.value[2] * static_cast<double>(base.r[k]), static_cast<double>(mine.r[k]),
                        1e-10 * static_cast<double>(std::sqrt(mine.rr)));
          for (const int imaginary : {1, 3, 5}) EXPECT_EQ(c.value[imaginary], 0);
          EXPECT_NEAR(statuses[s * batch + i].norm / static_cast<double>(std::sqrt(mine.rr)), 1, 1e-10);
          EXPECT_FALSE(statuses[s * batch + i].breakdown);
          if (shifts[s] == shifts[smallest]) {
            EXPECT_EQ(c.value[2], 1);
          }
        }
    }
  }
}

TEST(MultishiftIteration, SaysWhereItBreaksDown) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    ScalarsAt at(location, 3);
    at.begin({2, 2, 2});
    const IterationStatus* statuses = at.iterate({4, -1, std::nan("")}, {1, 2, 2});
    for (std::size_t s = 0; s < shifts.size(); ++s)
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(statuses[3 * s + i].breakdown, i > 0) << i;
        if (i > 0) {
          EXPECT_EQ(at.direction(s, i).value[0], 0);
        }
      }
  }
}

TEST(MultishiftIteration, AResidualThatVanishedIsZero) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  EXPECT_EQ(multishift::shifted_norm(-0.5, 3), 1.5);
  EXPECT_EQ(multishift::shifted_norm(0x1p-1022, 1), 0x1p-1022);
  for (const double zeta : {0.0, 0x1p-1023, -0x1p-1030, HUGE_VAL, std::nan("")})
    EXPECT_EQ(multishift::shifted_norm(zeta, 1e300), 0) << zeta;
}

}  // namespace
}  // namespace plaq::multishift_iteration_test
