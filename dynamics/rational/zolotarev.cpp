#include "dynamics/rational/zolotarev.hpp"

#include <cmath>
#include <numbers>

#include "core/algebra/elliptic.hpp"
#include "core/system/error.hpp"

namespace plaq {
namespace {

using elliptic::Real;

// The modulus of [low, high], and the arguments z_j = pi v_j/(2 K).
struct Zolotarev {
  Real low, kappa, a;
  int order;  // 2n + 1
  Zolotarev(Real low_, Real high, int degree)
      : low(low_),
        kappa(std::sqrt(low / high)),
        a(elliptic::minus_log_nome(std::sqrt(low), std::sqrt(high))),
        order(2 * degree + 1) {
    require(degree >= 1 && low > 0 && low < high, "an approximation has a degree and a range");
  }
  Real z(int j) const { return j * std::numbers::pi_v<Real> / (2 * order); }
  Real square_of_sc(int j) const {
    const Real sc = elliptic::sc(z(j), a, kappa);
    return low * sc * sc;
  }
  Real extremum(int j) const {
    const Real dn = elliptic::dn(z(j), a, kappa);
    return low / (dn * dn);
  }
  Real delta() const { return elliptic::Transformed(order * a).deviation; }
};

}  // namespace

// The error at `low` is -delta, which determines A.
RationalApproximation zolotarev(SpectralRange range, int degree) {
  const Zolotarev z(range.low, range.high, degree);
  std::vector<double> nu2, mu2;
  Real amplitude = (1 - z.delta()) / std::sqrt(z.low);
  for (int i = 1; i <= degree; ++i) {
    const Real mu = z.square_of_sc(2 * i - 1), nu = z.square_of_sc(2 * i);
    amplitude *= (z.low + mu) / (z.low + nu);
    mu2.push_back(static_cast<double>(mu));
    nu2.push_back(static_cast<double>(nu));
  }
  return {RationalFunction(static_cast<double>(amplitude), nu2, mu2), PowerProduct(-0.5), range,
          static_cast<double>(z.delta())};
}

double zolotarev_delta(SpectralRange range, int degree) {
  return static_cast<double>(Zolotarev(range.low, range.high, degree).delta());
}

std::vector<long double> zolotarev_extrema(long double low, long double high, int degree) {
  const Zolotarev z(low, high, degree);
  std::vector<long double> x{low};
  for (int j = 1; j < z.order; ++j) x.push_back(z.extremum(j));
  x.push_back(high);
  return x;
}

}  // namespace plaq
