// Location of data and precision of its numbers, known at run time.
#pragma once

#include <cstdint>
#include <string_view>

namespace plaq {

/// Memory in which data is: that of the host or that of a GPU.
enum class Location { host, device };
/// Precision in which numbers are stored. half: 16-bit fixed point (core/field/fixed16.hpp), a storage only;
/// kernels compute in single. quarter: 8-bit fixed point (core/field/fixed8.hpp), a storage of matrices that
/// are multiplied as integers, and of nothing else.
enum class Precision { single_precision, double_precision, half_precision, quarter_precision };

/// A number of half precision; what its bits mean and all that is done with it: core/field/fixed16.hpp.
struct Fixed16 {
  std::uint16_t bits;  ///< the stored integer
};
/// Storage of quarter precision: core/field/fixed8.hpp.
struct Fixed8 {
  std::int8_t integer;  ///< the stored integer
};

/// Bytes of a stored real number.
constexpr int bytes_of(Precision p) {
  switch (p) {
    case Precision::quarter_precision:
      return 1;
    case Precision::half_precision:
      return 2;
    case Precision::single_precision:
      return 4;
    default:
      return 8;
  }
}
/// The precision itself, or half precision in place of quarter precision.
constexpr Precision at_least_half(Precision p) {
  return p == Precision::quarter_precision ? Precision::half_precision : p;
}
/// "host" or "gpu".
constexpr std::string_view name_of(Location l) { return l == Location::host ? "host" : "gpu"; }
/// "double", "single", "half" or "quarter".
constexpr std::string_view name_of(Precision p) {
  switch (p) {
    case Precision::quarter_precision:
      return "quarter";
    case Precision::half_precision:
      return "half";
    case Precision::single_precision:
      return "single";
    default:
      return "double";
  }
}

/// Precision whose stored numbers have the type S.
template <class S>
inline constexpr Precision precision_of = sizeof(S) == 1   ? Precision::quarter_precision
                                          : sizeof(S) == 2 ? Precision::half_precision
                                          : sizeof(S) == 4 ? Precision::single_precision
                                                           : Precision::double_precision;

}  // namespace plaq
