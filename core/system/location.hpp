// Where data is and how its numbers are stored, asked at run time.
#pragma once

#include <cstdint>
#include <string_view>

namespace plaq {

enum class Location { host, device };
// half: 16-bit fixed point (core/field/fixed16.hpp), a storage only; kernels compute in single.
enum class Precision { single_precision, double_precision, half_precision };

// A number of half precision; what its bits mean and all that is done with it: core/field/fixed16.hpp.
struct Fixed16 {
  std::uint16_t bits;
};

constexpr int bytes_of(Precision p) {
  return p == Precision::half_precision ? 2 : p == Precision::single_precision ? 4 : 8;
}
constexpr std::string_view name_of(Location l) { return l == Location::host ? "host" : "gpu"; }
constexpr std::string_view name_of(Precision p) {
  return p == Precision::half_precision ? "half" : p == Precision::single_precision ? "single" : "double";
}

template <class S>
inline constexpr Precision precision_of = sizeof(S) == 2   ? Precision::half_precision
                                          : sizeof(S) == 4 ? Precision::single_precision
                                                           : Precision::double_precision;

}  // namespace plaq
