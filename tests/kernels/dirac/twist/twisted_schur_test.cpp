// S + i mu gamma5 against S and gamma5 by hand: in every precision, for some right-hand sides, and its
// adjoint.
#include "kernels/dirac/twist/twisted_schur.hpp"

#include <gtest/gtest.h>

#include "kernels/dirac/wilson/wilson_schur.hpp"
#include "tests/solvers/wilson_system.hpp"
#include "tests/support/grids.hpp"

namespace plaq::twisted_schur_test {
namespace {

TEST(TwistedSchur, AddsATwistToTheEvenOddForm) {
  constexpr Extents extents{4, 4, 6, 4};
  constexpr int batch = 3;
  constexpr double mu = 0.37;
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const Location where : test::locations()) {
    const test::WilsonSystem system(self, extents, test::random_sources(extents, batch), -0.2, 0.3, where);
    const Field gauge = test::to_plaq(test::weak_links(extents), system.geometry, Precision::double_precision,
                                      Location::host);
    WilsonParameters parameters;
    parameters.mass = -0.2;
    for (const auto& [precision, most] : {std::pair{Precision::double_precision, 1e-14},
                                          {Precision::single_precision, 1e-6},
                                          {Precision::half_precision, 1e-3}}) {
      const auto hopping = std::make_shared<WilsonHopping>(self, gauge, parameters, precision, system.queue,
                                                           make_host_transport(self, where));
      WilsonSchur plain(hopping, 0, WilsonSchur::Form::asymmetric, batch);
      TwistedSchur twisted(plain, mu);
      FieldSpec wide = twisted.spec(batch);
      wide.precision = Precision::double_precision;
      Field even(system.geometry, wide), in(system.geometry, twisted.spec(batch)),
          expected(system.geometry, in.spec()), found(system.geometry, in.spec());
      copy_parity(even, system.source, 0, system.queue);
      system.queue.synchronize();
      copy(in, even);
      const ActiveSet active(std::vector<char>{1, 0, 1});
      for (const bool dagger : {false, true}) {
        dagger ? plain.apply_dagger(expected, in) : plain.apply(expected, in);
        dagger ? twisted.apply_dagger(found, in, active) : twisted.apply(found, in, active);
        system.queue.synchronize();
        const auto vectors = test::to_vectors(in);
        auto sums = test::to_vectors(expected);
        const auto results = test::to_vectors(found);
        for (const std::size_t i : {0, 1, 2}) {
          double apart = 0, largest = 0;
          for (std::size_t k = 0; k < sums[i].size(); ++k) {
            const double sign = (k % 12 < 6 ? 1 : -1) * (dagger ? -1 : 1);
            if (i != 1) sums[i][k] += test::Complex64(0, sign * mu) * vectors[i][k];
            if (i == 1) sums[i][k] = 0;
            apart = std::max(apart, std::abs(results[i][k] - sums[i][k]));
            largest = std::max(largest, std::abs(sums[i][k]));
          }
          EXPECT_LE(apart, most * largest) << name_of(precision) << ", right-hand side " << i;
        }
        found = Field(system.geometry, in.spec());
      }
      const int one = twisted.capturable(batch);
      twisted.set_mu(-mu);
      EXPECT_TRUE(one < 0 || twisted.capturable(batch) != one);
      twisted.set_mu(0);
      EXPECT_EQ(twisted.capturable(batch), plain.capturable(batch));
    }
  }
}

}  // namespace
}  // namespace plaq::twisted_schur_test
