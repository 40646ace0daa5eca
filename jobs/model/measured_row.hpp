// A row of results of benchmarks (jobs/rates/row.hpp), read back.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "core/system/location.hpp"

namespace plaq::jobs {

struct MeasuredRow {
  std::string target, transport, where;
  std::optional<Precision> precision;
  int reconstruction = 0, right_hand_sides = 1, ranks = 1, nodes = 1;
  double seconds = 0, bytes = 0, share = 0, memory_limit = 0;
  std::map<std::string, double> numbers;
  // 0 where there is none.
  double number(const std::string& key) const;
};

// Throws nlohmann::json::exception for what is no row.
MeasuredRow measured_row(const nlohmann::json& json);

}  // namespace plaq::jobs
