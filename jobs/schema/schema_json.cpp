// Schemas in JSON. One job type: {"job", "meaning", "tables", "rules"}. All: {"jobs": [...]}, each whole.
#include <cmath>
#include <nlohmann/json.hpp>

#include "jobs/schema/show_schema.hpp"

namespace plaq::jobs {
namespace {

using Json = nlohmann::ordered_json;

// Names of the values of Type.
constexpr const char* type_names[] = {"flag", "integer", "real", "string", "integers", "reals", "strings"};

Json to_json(const Value& value) {
  return std::visit([](const auto& x) { return Json(x); }, value);
}

// Limits that do not exist are absent.
Json to_json(const Key& key) {
  Json out = {{"name", key.name},
              {"type", type_names[static_cast<std::size_t>(key.type)]},
              {"required", key.required}};
  out["default"] = key.fallback ? to_json(*key.fallback) : Json();
  if (!key.left_out.empty()) out["left_out"] = key.left_out;
  out["example"] = key.example_text();
  if (std::isfinite(key.range.low)) out[key.range.low_excluded ? "greater_than" : "minimum"] = key.range.low;
  if (std::isfinite(key.range.high)) out[key.range.high_excluded ? "less_than" : "maximum"] = key.range.high;
  if (key.multiple_of != 1) out["multiple_of"] = key.multiple_of;
  if (key.length > 0) out["length"] = key.length;
  if (!key.may_be_empty) out["may_be_empty"] = false;
  if (!key.choices.empty()) out["choices"] = key.choices;
  out["meaning"] = key.meaning;
  return out;
}

Json to_json(const Schema& schema) {
  Json out = {{"job", schema.job}, {"meaning", schema.meaning}};
  out["tables"] = Json::array();
  for (const Table& table : schema.tables) {
    Json entry = {{"name", table.name}, {"meaning", table.meaning}};
    entry["keys"] = Json::array();
    for (const Key& key : table.keys) entry["keys"].push_back(to_json(key));
    out["tables"].push_back(std::move(entry));
  }
  out["rules"] = Json::array();
  for (const Rule& rule : schema.rules) {
    Json keys = Json::array();
    for (const KeyName& key : rule.keys) keys.push_back({{"table", key.table}, {"key", key.key}});
    out["rules"].push_back({{"keys", std::move(keys)}, {"text", rule.text}});
  }
  return out;
}

}  // namespace

std::string schema_json(const std::string& job) {
  if (!job.empty()) return to_json(schema_named(job)).dump(2) + '\n';
  Json jobs = Json::array();
  for (const JobType& type : job_types()) jobs.push_back(to_json(type.schema()));
  return Json{{"jobs", std::move(jobs)}}.dump(2) + '\n';
}

}  // namespace plaq::jobs
