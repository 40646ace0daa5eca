// Where data is, asked at run time.
#pragma once

#include <string_view>

namespace plaq {

enum class Location { host, device };
enum class Precision { single_precision, double_precision };

constexpr int bytes_of(Precision p) { return p == Precision::single_precision ? 4 : 8; }
constexpr std::string_view name_of(Location l) { return l == Location::host ? "host" : "gpu"; }
constexpr std::string_view name_of(Precision p) {
  return p == Precision::single_precision ? "single" : "double";
}

template <class T>
inline constexpr Precision precision_of = sizeof(T) == 4 ? Precision::single_precision
                                                         : Precision::double_precision;

}  // namespace plaq
