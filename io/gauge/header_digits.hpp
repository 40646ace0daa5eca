// How near a number of a header is to what its writer computed.
#pragma once

#include <string_view>

namespace plaq {

// Writers round to some single precision, whatever digits they give.
inline constexpr double header_tolerance = 1e-6;

// Half a unit of the last digit of a decimal number ("0.71587" is within 5e-6), at least header_tolerance.
double tolerance_of_digits(std::string_view number);

}  // namespace plaq
