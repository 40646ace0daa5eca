// The table [three_point] of three-point functions (observables/quark/three_point_settings.hpp).
#pragma once

#include <string>
#include <vector>

#include "observables/quark/three_point_settings.hpp"
#include "settings/schema/settings.hpp"

namespace plaq::settings {

struct ThreePointKeys {
  std::vector<std::string> insertions;
  int sink_time = 0;  // 0: not given
  bool smeared_sink = false;

  explicit operator bool() const { return !insertions.empty(); }
  /// Insertions and sink time as keys say them; at momentum 0.
  ThreePointSettings settings() const;
  /// True if an insertion is into the proton.
  bool has_nucleon() const;
};

Table three_point_table();

}  // namespace plaq::settings
