#include "io/gauge/header_digits.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace plaq {

double tolerance_of_digits(std::string_view number) {
  const auto exponent_at = std::min(number.find_first_of("eEdD"), number.size());
  int exponent = 0;
  if (exponent_at < number.size()) {
    std::string_view digits = number.substr(exponent_at + 1);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  }
  const std::string_view mantissa = number.substr(0, exponent_at);
  const auto point = mantissa.find('.');
  int decimals = 0;
  if (point != std::string_view::npos)
    decimals = static_cast<int>(std::count_if(mantissa.begin() + static_cast<std::ptrdiff_t>(point),
                                              mantissa.end(), [](char c) { return c >= '0' && c <= '9'; }));
  // A little more, as 0.715875 is no binary number.
  return std::max(header_tolerance, 0.5000001 * std::pow(10.0, exponent - decimals));
}

}  // namespace plaq
