// Storage of the links of a Dirac operator.
#pragma once

#include "core/system/location.hpp"

namespace plaq {

/// Precision of links, and the number of reals that each is stored as: 18, or 12 or 8
/// of SU(3) (core/field/link_reals.hpp).
struct LinkStorage {
  LinkStorage(Precision p = Precision::double_precision, int r = 18) : precision(p), reals(r) {}
  Precision precision;
  int reals;

  bool operator==(const LinkStorage&) const = default;
};

}  // namespace plaq
