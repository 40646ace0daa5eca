#include "dynamics/rational/power_product.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/system/error.hpp"

namespace plaq {

PowerProduct::PowerProduct(std::vector<PowerFactor> factors) : factors_(std::move(factors)) {
  if (factors_.empty())
    throw Error(ErrorKind::job_file,
                "a product of powers (x + m^2)^p has no factor: give at least one power");
  for (const auto& [power, mass2] : factors_) {
    if (!(std::isfinite(power) && power != 0))
      throw Error(ErrorKind::job_file,
                  fmt::format("power {} of x + {}: it must be finite and not 0", power, mass2));
    if (!(std::isfinite(mass2) && mass2 >= 0))
      throw Error(ErrorKind::job_file,
                  fmt::format("m^2 = {} in (x + m^2)^{}: it must be finite and not negative", mass2, power));
  }
}

double PowerProduct::operator()(double x) const {
  double f = 1;
  for (const auto& [power, mass2] : factors_) f *= std::pow(x + mass2, power);
  return f;
}

PowerProduct PowerProduct::inverse() const {
  std::vector<PowerFactor> factors = factors_;
  for (PowerFactor& factor : factors) factor.power = -factor.power;
  return PowerProduct(std::move(factors));
}

std::string PowerProduct::text() const {
  std::string all;
  for (const auto& [power, mass2] : factors_) {
    if (!all.empty()) all += ' ';
    all += mass2 == 0 ? fmt::format("x^{:.6g}", power) : fmt::format("(x + {:.6g})^{:.6g}", mass2, power);
  }
  return all;
}

}  // namespace plaq
