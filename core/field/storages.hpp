// Storages of vectors and links: the lists that job files, options and tables share.
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/system/location.hpp"

namespace plaq {

/// Precisions of vectors and links.
inline constexpr Precision all_precisions[] = {Precision::double_precision, Precision::single_precision,
                                               Precision::half_precision};
inline constexpr int all_reconstructions[] = {18, 12, 8};  ///< reals of a stored link

/// Precision with this name; none if there is no such one in all_precisions.
inline std::optional<Precision> precision_named(std::string_view name) {
  const auto found = std::find_if(std::begin(all_precisions), std::end(all_precisions),
                                  [&](Precision p) { return name_of(p) == name; });
  if (found == std::end(all_precisions)) return std::nullopt;
  return *found;
}

/// Names of all_precisions in their order.
inline std::vector<std::string> precision_names() {
  std::vector<std::string> names;
  for (const Precision p : all_precisions) names.emplace_back(name_of(p));
  return names;
}

/// Precision of links, and their reconstruction, the number of stored reals: 18, or 12 or 8 of SU(3)
/// (core/field/reconstruction.hpp).
struct LinkStorage {
  /// Double precision with 18 reals unless stated.
  LinkStorage(Precision p = Precision::double_precision, int r = 18) : precision(p), reconstruction(r) {}
  Precision precision;  ///< of each number
  int reconstruction;   ///< 18, 12 or 8

  bool operator==(const LinkStorage&) const = default;
};

}  // namespace plaq
