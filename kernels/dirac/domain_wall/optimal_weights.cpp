#include "kernels/dirac/domain_wall/domain_wall_parameters.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "core/system/error.hpp"

namespace plaq {
namespace {

using Real = long double;
constexpr Real pi = std::numbers::pi_v<Real>;

// Arithmetic-geometric mean: K(k) = pi / (2 agm(1, k')).
Real agm(Real a, Real b) {
  for (int step = 0; step < 40 && std::abs(a - b) > 1e-19L * a; ++step) {
    const Real mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return (a + b) / 2;
}

// Carlson's R_F(x, y, 1), x and y not both 0: Numer. Algorithms 10 (1995) 13.
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

Real square(Real x) { return x * x; }

// L and theta_3^2 for nome q^N = exp(-a). Where that is near 1, by Jacobi's imaginary transformation, which
// exchanges theta_2 and theta_4: their series lose nothing then.
struct Transformed {
  Real l, deviation, theta3_squared;
  explicit Transformed(Real a) {
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
};

// dn(v; k') = sqrt(kappa) theta_3(z) / theta_4(z), z = pi v / (2 K'), after the same transformation: sums of
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

void check(int n_s, double lambda_min, double lambda_max) {
  if (n_s < 1)
    throw Error(ErrorKind::job_file,
                "optimal weights for Ls = " + std::to_string(n_s) + ": Ls must be at least 1");
  if (!(lambda_min > 0 && lambda_min <= lambda_max && std::isfinite(lambda_max)))
    throw Error(ErrorKind::job_file, "optimal weights for |H_w| in [" + std::to_string(lambda_min) + ", " +
                                         std::to_string(lambda_max) +
                                         "]: 0 < lambda_min <= lambda_max must hold");
}

// The nome q = exp(-a) of modulus k' is fixed by kappa = lambda_min / lambda_max.
Real minus_log_nome(Real lambda_min, Real lambda_max) {
  const Real kappa = lambda_min / lambda_max;
  const Real modulus = std::sqrt((lambda_max - lambda_min) / lambda_max * (1 + kappa));
  return pi * agm(1, kappa) / agm(1, modulus);
}

}  // namespace

std::vector<double> optimal_weights(int n_s, double lambda_min, double lambda_max) {
  check(n_s, lambda_min, lambda_max);
  std::vector<double> weights(static_cast<std::size_t>(n_s), 1 / lambda_min);
  if (lambda_min == lambda_max) return weights;
  const Real low = lambda_min, high = lambda_max, kappa = low / high;
  const Real a = minus_log_nome(low, high);
  const Transformed theta(n_s * a);
  // F(phi; sqrt(1 - L^2)) = sin(phi) R_F(cos^2, 1 - (1 - L^2) sin^2, 1); both without cancellation.
  const Real l = theta.l, cube = square(1 + l) * (1 + l);
  const Real sine2 = (1 + 3 * l) / cube, cosine2 = l * l * (3 + l) / cube;
  const Real f = std::sqrt(sine2) * carlson_rf(cosine2, cosine2 + l * l * sine2);
  // z = pi v / (2 K')
  const Real first = f / (n_s * theta.theta3_squared);
  for (int s = 1; s <= n_s; ++s) {
    const int half = s / 2;
    const Real z = (s % 2 == 1 ? first : -first) + half * pi / n_s;
    weights[static_cast<std::size_t>(s - 1)] = static_cast<double>(dn(z, a, kappa) / low);
  }
  return weights;
}

double optimal_deviation(int n_s, double lambda_min, double lambda_max) {
  check(n_s, lambda_min, lambda_max);
  if (lambda_min == lambda_max) return 0;
  return static_cast<double>(Transformed(n_s * minus_log_nome(lambda_min, lambda_max)).deviation);
}

}  // namespace plaq
