// Forces of sea quarks against those of slow formulas.
#pragma once

#include <cmath>

#include "kernels/gauge/algebra_field.hpp"
#include "tests/reference/quark_force.hpp"
#include "tests/support/convert.hpp"

namespace plaq::test {

// Largest difference of elements of the Lie algebra, over the sites of a geometry without halo.
inline double force_difference(const Field& force, const GeometryPtr& geometry,
                               const reference::LinkMatrices& expected) {
  Field host(geometry, algebra_spec(Precision::double_precision, Location::host));
  copy(host, force);
  double most = 0;
  for_stored_sites(*geometry, [&](int parity, int s, int site) {
    for (int mu = 0; mu < 4; ++mu) {
      const auto real = [&](int k) { return get_real(host, mu, parity, s, k); };
      const auto& f = expected[static_cast<std::size_t>(site)][static_cast<std::size_t>(mu)];
      const double numbers[8] = {f(0, 0).imag(), f(1, 1).imag(), f(0, 1).real(), f(0, 1).imag(),
                                 f(0, 2).real(), f(0, 2).imag(), f(1, 2).real(), f(1, 2).imag()};
      for (int k = 0; k < 8; ++k) {
        const double off = std::abs(real(k) - numbers[k]);
        if (!(off <= most)) most = off;
      }
    }
  });
  return most;
}
inline void expect_force(const Field& force, const GeometryPtr& geometry,
                         const reference::LinkMatrices& expected) {
  EXPECT_LT(force_difference(force, geometry, expected), 2e-12);
}

// Derivative of f at 0 by central differences of eighth order in h.
template <class Function>
double central_difference(const Function& f, double h) {
  const double c[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  double sum = 0;
  for (int k = 1; k <= 4; ++k) sum += c[k - 1] / h * (f(k * h) - f(-k * h));
  return sum;
}

}  // namespace plaq::test
