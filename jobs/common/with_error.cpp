#include "jobs/common/with_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace plaq::jobs {
namespace {

int power_of_ten(double number) { return static_cast<int>(std::floor(std::log10(number))); }

std::string fixed(double value, double error) {
  int digits = 1 - power_of_ten(error);
  if (std::round(error * std::pow(10.0, digits)) == 100) --digits;  // 0.0996 is 0.10
  digits = std::min(digits, 12);
  const int places = std::max(digits, 0);
  if (digits <= 0 || error >= 1) return fmt::format("{:.{}f}({:.{}f})", value, places, error, places);
  return fmt::format("{:.{}f}({:.0f})", value, places, std::round(error * std::pow(10.0, digits)));
}

}  // namespace

std::string with_error(double value, double error) {
  if (!std::isfinite(value)) return "nan";
  if (!std::isfinite(error) || error <= 0) return fmt::format("{:.8g}{}", value, error == 0 ? "(0)" : "(?)");
  const int power = power_of_ten(std::max(std::abs(value), error));
  if (power >= -4 && power < 6) return fixed(value, error);
  const double unit = std::pow(10.0, power);
  return fmt::format("{}e{:+03d}", fixed(value / unit, error / unit), power);
}

}  // namespace plaq::jobs
