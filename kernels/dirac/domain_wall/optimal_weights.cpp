#include "kernels/dirac/domain_wall/domain_wall_parameters.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include "core/algebra/elliptic.hpp"
#include "core/system/error.hpp"

namespace plaq {
namespace {

using elliptic::Real;

void check(int n_s, double lambda_min, double lambda_max) {
  if (n_s < 1)
    throw Error(ErrorKind::job_file,
                "optimal weights for Ls = " + std::to_string(n_s) + ": Ls must be at least 1");
  if (!(lambda_min > 0 && lambda_min <= lambda_max && std::isfinite(lambda_max)))
    throw Error(ErrorKind::job_file, "optimal weights for |H_w| in [" + std::to_string(lambda_min) + ", " +
                                         std::to_string(lambda_max) +
                                         "]: 0 < lambda_min <= lambda_max must hold");
}

}  // namespace

std::vector<double> optimal_weights(int n_s, double lambda_min, double lambda_max) {
  check(n_s, lambda_min, lambda_max);
  std::vector<double> weights(static_cast<std::size_t>(n_s), 1 / lambda_min);
  if (lambda_min == lambda_max) return weights;
  const Real low = lambda_min, high = lambda_max, kappa = low / high;
  const Real a = elliptic::minus_log_nome(low, high);
  const elliptic::Transformed theta(n_s * a);
  // F(phi; sqrt(1 - L^2)) = sin(phi) R_F(cos^2, 1 - (1 - L^2) sin^2, 1); both without cancellation.
  const Real l = theta.l, cube = (1 + l) * (1 + l) * (1 + l);
  const Real sine2 = (1 + 3 * l) / cube, cosine2 = l * l * (3 + l) / cube;
  const Real f = std::sqrt(sine2) * elliptic::carlson_rf(cosine2, cosine2 + l * l * sine2);
  // z = pi v / (2 K')
  const Real first = f / (n_s * theta.theta3_squared);
  for (int s = 1; s <= n_s; ++s) {
    const int half = s / 2;
    const Real z = (s % 2 == 1 ? first : -first) + half * std::numbers::pi_v<Real> / n_s;
    weights[static_cast<std::size_t>(s - 1)] = static_cast<double>(elliptic::dn(z, a, kappa) / low);
  }
  return weights;
}

double optimal_deviation(int n_s, double lambda_min, double lambda_max) {
  check(n_s, lambda_min, lambda_max);
  if (lambda_min == lambda_max) return 0;
  return static_cast<double>(
      elliptic::Transformed(n_s * elliptic::minus_log_nome(lambda_min, lambda_max)).deviation);
}

}  // namespace plaq
