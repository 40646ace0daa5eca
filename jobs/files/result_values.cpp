#include "jobs/files/result_values.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "jobs/common/terminal_text.hpp"
#include "jobs/python/python_package.hpp"
#include "jobs/results/result_file.hpp"

namespace plaq::jobs {
namespace {

using Values = nlohmann::json;
constexpr double none = std::numeric_limits<double>::quiet_NaN();

ResultValues from_json(const Values& found) {
  ResultValues made{true, {}, {}, found.at("notes").get<std::vector<std::string>>()};
  for (const auto& one : found.at("values"))
    made.values.push_back({one.at("name"), one.at("value"),
                           one.at("error").is_null() ? none : one.at("error").get<double>(),
                           one.at("written"), one.at("unit"), one.at("tau_int")});
  for (const auto& one : found.at("facts")) made.facts.emplace_back(one.at(0), one.at(1));
  return made;
}

std::optional<ResultValues> by_python(const std::string& path) {
  const auto printed = brief_values(path);
  if (!printed) return std::nullopt;
  try {
    return from_json(Values::parse(*printed));
  } catch (const Values::exception&) {  // a Python that prints something else
    return std::nullopt;
  }
}

// True if a dataset has one number for each configuration. Of `generate` these are the saved fields: its
// history has the thermalisation in it.
bool is_series(const StoredObject& object) {
  if (!object.dataset || object.extents.size() != 1 || object.extents[0] == 0 || !object.values) return false;
  if (!std::holds_alternative<std::vector<double>>(*object.values) || object.path.starts_with("/history/"))
    return false;
  const auto* names = find_attribute<std::vector<std::string>>(object.attributes, "axes");
  return names && names->size() == 1 && (names->front() == "configuration" || names->front() == "row");
}

ResultValue mean_of(const std::string& name, const std::vector<double>& rows) {
  const auto count = static_cast<double>(rows.size());
  double sum = 0, squares = 0;
  for (const double x : rows) sum += x;
  const double mean = sum / count;
  for (const double x : rows) squares += (x - mean) * (x - mean);
  const double error = rows.size() > 1 ? std::sqrt(squares / (count * (count - 1))) : none;
  return {name, mean, error, with_error(mean, error), {}, {}};
}

}  // namespace

ResultValues plain_means(const std::string& path) {
  ResultValues made;
  for (const auto& object : read_result_file(path, StoredValues::read).objects) {
    if (!is_series(object)) continue;
    auto one = mean_of(object.path.substr(1), std::get<std::vector<double>>(*object.values));
    if (const auto* unit = find_attribute<std::string>(object.attributes, "units"); unit && *unit != "1")
      one.unit = *unit;
    if (std::isfinite(one.value)) made.values.push_back(std::move(one));
  }
  made.notes.emplace_back(
      made.values.empty()
          ? "no values: Python 3 with h5py and numpy makes them"
          : "plain means over configurations, errors without autocorrelations: with Python 3, h5py and "
            "numpy there are those of plaq analyse");
  return made;
}

ResultValues values_of_results(const std::string& path) {
  if (auto found = by_python(path)) return *found;
  return plain_means(path);
}

}  // namespace plaq::jobs
