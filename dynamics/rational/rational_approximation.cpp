#include "dynamics/rational/rational_approximation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/system/error.hpp"
#include "dynamics/rational/remez.hpp"
#include "dynamics/rational/zolotarev.hpp"

namespace plaq {
namespace {

std::string name_of(const PowerProduct& f, SpectralRange range) {
  return fmt::format("rational approximation of {} on [{:.6g}, {:.6g}]", f.text(), range.low, range.high);
}

void check_range(const PowerProduct& f, SpectralRange range) {
  if (!(range.low > 0 && range.low < range.high && std::isfinite(range.high)))
    throw Error(ErrorKind::job_file,
                name_of(f, range) + ": 0 < low < high must hold, and high must be finite");
}

// r of x^(-1/2) makes (1 - delta^2)/r of x^(1/2), with the same delta.
RationalApproximation zolotarev_root(SpectralRange range, int degree) {
  const RationalApproximation z = zolotarev(range, degree);
  const double scale = (1 - z.delta) * (1 + z.delta) / z.function.amplitude();
  return {RationalFunction(scale, z.function.mu2(), z.function.nu2()), PowerProduct(0.5), range, z.delta};
}

// Errors of functions by Remez' algorithm while a degree is searched for are within this of the best ones.
constexpr double loose = 1e-2, tight = 1e-15;

RationalApproximation best(const PowerProduct& f, SpectralRange range, int degree, double tolerance = tight) {
  const bool single = f.factors().size() == 1 && f.factors()[0].mass2 == 0;
  if (single && f.factors()[0].power == -0.5) return zolotarev(range, degree);
  if (single && f.factors()[0].power == 0.5) return zolotarev_root(range, degree);
  return remez(f, range, degree, tolerance);
}

// The degree for an error `wanted`, if degree n has the error `delta`: errors fall like 4 exp(-c (2n + 1)).
int extrapolated(int n, double delta, double wanted) {
  const double degree = (std::log(4 / wanted) / std::log(4 / delta) * (2 * n + 1) - 1) / 2;
  return static_cast<int>(std::ceil(std::min(degree, 2.0 * n + 2)));
}

}  // namespace

RationalApproximation RationalApproximation::inverse() const {
  return {function.inverse(), target.inverse(), range, delta / (1 - delta)};
}

RationalApproximation approximate(const PowerProduct& f, SpectralRange range, int degree) {
  check_range(f, range);
  if (degree < 1 || degree > most_degree)
    throw Error(ErrorKind::job_file,
                fmt::format("{}: degree {} must be from 1 to {}", name_of(f, range), degree, most_degree));
  RationalApproximation r = best(f, range, degree);
  if (r.delta < least_delta)
    throw Error(
        ErrorKind::job_file,
        fmt::format("{}: degree {} has delta = {:.2g}, and coefficients in double precision keep {:.2g} at "
                    "best: lower the degree",
                    name_of(f, range), degree, r.delta, least_delta));
  return r;
}

RationalApproximation approximate_within(const PowerProduct& f, SpectralRange range, double wanted) {
  check_range(f, range);
  if (!(wanted >= least_delta && wanted < 1))
    throw Error(
        ErrorKind::job_file,
        fmt::format("{}: delta = {:.6g} must be below 1 and at least {:.2g}, which coefficients in double "
                    "precision keep",
                    name_of(f, range), wanted, least_delta));
  int too_low = 0, enough = most_degree + 1, n = 1;
  while (too_low + 1 < enough) {
    RationalApproximation r = best(f, range, n, loose);
    if (r.delta > wanted && r.delta <= wanted * (1 + loose)) r = best(f, range, n);
    const int next = extrapolated(n, r.delta, wanted);
    if (r.delta <= wanted)
      enough = n;
    else
      too_low = n;
    n = std::max(too_low + 1, std::min(next, enough - 1));
  }
  if (enough > most_degree)
    throw Error(ErrorKind::job_file,
                fmt::format("{}: delta = {:.6g} needs a degree above {}: choose a larger delta "
                            "or a narrower range",
                            name_of(f, range), wanted, most_degree));
  return best(f, range, enough);
}

}  // namespace plaq
