#include "jobs/model/measured_row.hpp"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/field/storages.hpp"

namespace plaq::jobs {

double MeasuredRow::number(const std::string& key) const {
  const auto found = numbers.find(key);
  return found == numbers.end() ? 0 : found->second;
}

MeasuredRow measured_row(const nlohmann::json& j) {
  MeasuredRow row;
  row.target = j.at("target").get<std::string>();
  row.transport = j.value("transport", "");
  row.where = j.value("where", "");
  const std::string storage = j.value("storage", "");  // "half 12", "half"
  const auto space = storage.find(' ');
  row.precision = precision_named(storage.substr(0, space));
  if (space != std::string::npos) row.reconstruction = std::atoi(storage.c_str() + space);
  row.right_hand_sides = j.value("right_hand_sides", 1);
  row.ranks = j.value("ranks", 1);
  row.nodes = j.value("nodes", 1);
  row.seconds = j.value("seconds", 0.0);
  row.bytes = j.value("bytes", 0.0);
  row.share = j.value("share", 0.0);
  row.memory_limit = j.value("memory_limit", 0.0);
  if (const auto numbers = j.find("numbers"); numbers != j.end())
    for (const auto& [key, value] : numbers->items()) row.numbers[key] = value.get<double>();
  return row;
}

}  // namespace plaq::jobs
