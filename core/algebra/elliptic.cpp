#include "core/algebra/elliptic.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/system/error.hpp"

namespace plaq::elliptic {
namespace {

constexpr Real pi = std::numbers::pi_v<Real>;

Real square(Real x) { return x * x; }

// Arithmetic-geometric mean: K(k) = pi / (2 agm(1, k')).
Real agm(Real a, Real b) {
  for (int step = 0; step < 40 && std::abs(a - b) > 1e-19L * a; ++step) {
    const Real mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return (a + b) / 2;
}

// exp(-a n^2), n = 1, 2, ...: as many as count, for a >= pi.
struct Theta {
  Real odd = 0, even = 0, second = 0;  // sums over n odd, n even; sum_{n>=1} q^(n(n+1))
  Real nome;
  explicit Theta(Real a) : nome(std::exp(-a)) {
    for (int n = 1; n <= 8; ++n) {
      (n % 2 == 1 ? odd : even) += std::exp(-a * n * n);
      second += std::exp(-a * n * (n + 1));
    }
  }
  Real two() const { return 2 * std::sqrt(std::sqrt(nome)) * (1 + second); }
  Real three() const { return 1 + 2 * (even + odd); }
  Real four() const { return 1 + 2 * (even - odd); }
};

// theta_1(z)/theta_2(z) for a >= pi.
Real ratio_by_nome(Real z, Real a) {
  Real one = 0, two = 0;
  for (int n = 0; n <= 8; ++n) {
    const Real power = std::exp(-a * n * (n + 1));
    one += (n % 2 == 0 ? power : -power) * std::sin((2 * n + 1) * z);
    two += power * std::cos((2 * n + 1) * z);
  }
  return one / two;
}

// theta_1(z) but for a constant factor, for a < pi: after Jacobi's imaginary transformation a sum of
// (-1)^n exp(-(z - (n + 1/2) pi)^2 / a) over integers n, here of n and -1 - n together.
Real transformed_theta1(Real z, Real a) {
  Real sum = 0;
  for (int n = 0; n <= 4; ++n) {
    const Real c = (n + 0.5L) * pi, pair = std::exp(-square(z - c) / a) * -std::expm1(-4 * z * c / a);
    sum += n % 2 == 0 ? pair : -pair;
  }
  return sum;
}

}  // namespace

Real minus_log_nome(Real low, Real high) {
  const Real kappa = low / high;
  const Real modulus = std::sqrt((high - low) / high * (1 + kappa));
  return pi * agm(1, kappa) / agm(1, modulus);
}

// dn = sqrt(kappa) theta_3(z) / theta_4(z), after Jacobi's imaginary transformation: sums of
// exp(-(z + n pi)^2 / a) over integers and over half-integers n. All terms are positive.
Real dn(Real z, Real a, Real kappa) {
  const int reach = static_cast<int>(std::sqrt(60 * a) / pi) + 3;
  Real whole = 0, half = 0;
  for (int n = -reach; n <= reach; ++n) {
    whole += std::exp(-square(z + n * pi) / a);
    half += std::exp(-square(z + (n + 0.5L) * pi) / a);
  }
  return std::sqrt(kappa) * whole / half;
}

// sc = theta_1(z) / (sqrt(kappa) theta_2(z)), theta_2(z) = theta_1(pi/2 - z).
Real sc(Real z, Real a, Real kappa) {
  const Real ratio =
      a >= pi ? ratio_by_nome(z, a) : transformed_theta1(z, a) / transformed_theta1(pi / 2 - z, a);
  return ratio / std::sqrt(kappa);
}

// theta_3^2 is 2 K/pi. Near nome 1 by Jacobi's imaginary transformation, which exchanges theta_2 and theta_4:
// their series lose nothing then.
Transformed::Transformed(Real a) {
  if (a >= pi) {
    const Theta theta(a);
    l = square(theta.four() / theta.three());
    // theta_3 - theta_4 = 4 odd, theta_3 + theta_4 = 2 + 4 even
    deviation = 4 * theta.odd * (2 + 4 * theta.even) / (square(theta.three()) + square(theta.four()));
    theta3_squared = square(theta.three());
  } else {
    const Theta theta(pi * pi / a);
    l = square(theta.two() / theta.three());
    deviation = (1 - l) / (1 + l);
    theta3_squared = pi / a * square(theta.three());
  }
}

Real carlson_rf(Real x, Real y) {
  Real z = 1;
  for (int step = 0; step < 80; ++step) {
    const Real mean = (x + y + z) / 3;
    const Real dx = 1 - x / mean, dy = 1 - y / mean, dz = 1 - z / mean;
    if (std::max({std::abs(dx), std::abs(dy), std::abs(dz)}) < 1e-4L) {
      const Real e2 = dx * dy - dz * dz, e3 = dx * dy * dz;
      return (1 - e2 / 10 + e3 / 14 + e2 * e2 / 24 - 3 * e2 * e3 / 44) / std::sqrt(mean);
    }
    const Real lambda = std::sqrt(x * y) + std::sqrt(y * z) + std::sqrt(z * x);
    x = (x + lambda) / 4;
    y = (y + lambda) / 4;
    z = (z + lambda) / 4;
  }
  throw Error(ErrorKind::internal, "internal error: an elliptic integral does not converge");
}

}  // namespace plaq::elliptic
