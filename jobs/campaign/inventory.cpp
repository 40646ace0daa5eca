#include "jobs/campaign/inventory.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/system/error.hpp"
#include "io/bytes/byte_source.hpp"
#include "io/bytes/temporary_file.hpp"
#include "jobs/results/same_fields.hpp"

namespace plaq::jobs {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t least_for_outliers = 10;
// In standard deviations of a normal distribution, as the median absolute deviation has them.
constexpr double outlier = 8, deviation_of_mad = 1.4826;

struct Quantity {
  const char* name;
  double FieldRecord::*value;
};
constexpr Quantity quantities[] = {{"plaquette", &FieldRecord::plaquette},
                                   {"link trace", &FieldRecord::link_trace}};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void find_outliers(const std::vector<const FieldRecord*>& good, std::vector<std::string>& found) {
  if (good.size() < least_for_outliers) return;
  for (const Quantity& quantity : quantities) {
    std::vector<double> values, distances;
    for (const FieldRecord* field : good) values.push_back(field->*quantity.value);
    const double middle = median(values);
    for (const double value : values) distances.push_back(std::abs(value - middle));
    const double width = deviation_of_mad * median(distances);
    for (std::size_t i = 0; i < good.size(); ++i)
      if (distances[i] > outlier * width)
        found.push_back(fmt::format("{}: {} {:.8g} where the median is {:.8g}", good[i]->name, quantity.name,
                                    values[i], middle));
  }
}

// Steps that exceed the usual one of their chain.
void find_gaps(const std::vector<FieldRecord>& fields, std::vector<std::string>& found) {
  std::map<std::int64_t, std::vector<const FieldRecord*>> chains;
  for (const FieldRecord& field : fields)
    if (field.trajectory >= 0) chains[field.replica].push_back(&field);
  for (auto& [replica, chain] : chains) {
    std::sort(chain.begin(), chain.end(),
              [](const auto* a, const auto* b) { return a->trajectory < b->trajectory; });
    std::map<std::int64_t, int> steps;
    for (std::size_t i = 1; i < chain.size(); ++i) ++steps[chain[i]->trajectory - chain[i - 1]->trajectory];
    const auto usual = std::max_element(steps.begin(), steps.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
    for (std::size_t i = 1; i < chain.size(); ++i) {
      const std::int64_t step = chain[i]->trajectory - chain[i - 1]->trajectory;
      if (step <= usual->first) continue;
      found.push_back(fmt::format("{} to {}: a step of {} where {} is usual", chain[i - 1]->name,
                                  chain[i]->name, step, usual->first));
    }
  }
}

void find_duplicates(const std::vector<const FieldRecord*>& good, std::vector<std::string>& found) {
  if (good.empty()) return;
  std::vector<FieldSums> sums;
  for (const FieldRecord* field : good)
    sums.push_back({field->file, field->checksum == "none" ? std::string() : field->checksum,
                    field->plaquette, field->link_trace});
  double sites = 1;
  for (const int extent : good.front()->extents) sites *= extent;
  for (const SameFields& pair : find_same_fields(sums, sites))
    found.push_back(
        fmt::format("{} and {} have the same {}", good[pair.first]->name, good[pair.second]->name,
                    pair.likeness == Likeness::same ? "links" : "plaquette and link trace: one field?"));
}

std::string list_text(const char* title, const std::vector<std::string>& list) {
  constexpr std::size_t most = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, list.size()); ++i)
    text += fmt::format("  {:<11} {}\n", i == 0 ? title : "", list[i]);
  if (list.size() > most)
    text += fmt::format("  {:<11} and {} more: {}\n", "", list.size() - most, inventory_file);
  return text;
}

}  // namespace

FieldRecord record_of_file(const Configuration& configuration) {
  FieldRecord record;
  record.name = configuration.name;
  record.file = configuration.file;
  record.trajectory = configuration.numbers.trajectory.value_or(-1);
  record.replica = configuration.numbers.replica.value_or(-1);
  struct stat status {};
  if (::stat(configuration.file.c_str(), &status) == 0) {
    record.bytes = static_cast<std::uint64_t>(status.st_size);
    record.modified = status.st_mtim.tv_sec;
  }
  return record;
}

InventoryFindings findings_of(const std::vector<FieldRecord>& fields) {
  InventoryFindings findings;
  std::vector<const FieldRecord*> good;
  for (const FieldRecord& field : fields) {
    if (field.problem.empty())
      good.push_back(&field);
    else
      findings.bad.push_back(fmt::format("{}: {}", field.name, field.problem));
  }
  find_duplicates(good, findings.duplicates);
  find_gaps(fields, findings.gaps);
  find_outliers(good, findings.outliers);
  return findings;
}

Json json_of(const FieldRecord& field) {
  Json json = {{"name", field.name}, {"file", field.file}};
  if (field.trajectory >= 0) json["trajectory"] = field.trajectory;
  if (field.replica >= 0) json["replica"] = field.replica;
  json["bytes"] = field.bytes;
  json["modified"] = field.modified;
  if (!field.problem.empty()) {
    json["problem"] = field.problem;
    return json;
  }
  json["format"] = field.format;
  json["extents"] = field.extents;
  json["checksum"] = field.checksum;
  if (!field.stated_checksum.empty()) json["stated_checksum"] = field.stated_checksum;
  json["plaquette"] = field.plaquette;
  json["plaquette_spatial"] = field.plaquette_spatial;
  json["plaquette_temporal"] = field.plaquette_temporal;
  json["link_trace"] = field.link_trace;
  json["polyakov_loop"] = field.polyakov_loop;
  json["unitarity_violation"] = field.unitarity_violation;
  return json;
}

FieldRecord field_record(const Json& json) {
  FieldRecord field;
  field.name = json.at("name");
  field.file = json.at("file");
  field.trajectory = json.value("trajectory", std::int64_t{-1});
  field.replica = json.value("replica", std::int64_t{-1});
  field.bytes = json.at("bytes");
  field.modified = json.at("modified");
  field.problem = json.value("problem", "");
  if (!field.problem.empty()) return field;
  field.format = json.at("format");
  field.extents = json.at("extents").get<std::vector<int>>();
  field.checksum = json.at("checksum");
  field.stated_checksum = json.value("stated_checksum", "");
  field.plaquette = json.at("plaquette");
  field.plaquette_spatial = json.at("plaquette_spatial");
  field.plaquette_temporal = json.at("plaquette_temporal");
  field.link_trace = json.at("link_trace");
  for (std::size_t i = 0; i < 2; ++i) field.polyakov_loop[i] = json.at("polyakov_loop").at(i);
  field.unitarity_violation = json.at("unitarity_violation");
  return field;
}

std::vector<FieldRecord> read_inventory() {
  if (!std::filesystem::exists(inventory_file)) return {};
  constexpr std::uint64_t most_bytes = 1 << 30;  // a thousand of each field
  try {
    std::vector<FieldRecord> fields;
    for (const Json& one : Json::parse(text_of_file(inventory_file, most_bytes)).at("fields"))
      fields.push_back(field_record(one));
    return fields;
  } catch (const nlohmann::ordered_json::exception& error) {
    throw Error(ErrorKind::input_file,
                fmt::format("{}: it is damaged ({}); delete it, and plaq campaign check makes it "
                            "again",
                            inventory_file, error.what()));
  }
}

void write_inventory(const std::vector<FieldRecord>& fields) {
  const InventoryFindings findings = findings_of(fields);
  Json json = {{"fields", Json::array()},
               {"bad", findings.bad},
               {"duplicates", findings.duplicates},
               {"gaps", findings.gaps},
               {"outliers", findings.outliers}};
  for (const FieldRecord& field : fields) json["fields"].push_back(json_of(field));
  write_atomically(inventory_file, json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n', true);
}

std::string text_of(const std::vector<FieldRecord>& fields, const InventoryFindings& findings) {
  std::vector<double> plaquettes;
  double worst = 0;
  std::map<std::string, int> lattices;
  for (const FieldRecord& field : fields) {
    if (!field.problem.empty()) continue;
    plaquettes.push_back(field.plaquette);
    worst = std::max(worst, field.unitarity_violation);
    ++lattices[fmt::format("{}, {}", fmt::join(field.extents, "x"), field.format)];
  }
  std::string text = fmt::format("{} gauge fields, {} of them good\n", fields.size(), plaquettes.size());
  for (const auto& [lattice, count] : lattices) text += fmt::format("  {:<11} {} fields\n", lattice, count);
  if (!plaquettes.empty()) {
    const auto [least, most] = std::minmax_element(plaquettes.begin(), plaquettes.end());
    text += fmt::format("  plaquette   {:.10f} to {:.10f}\n  unitarity   to {:.1e}\n", *least, *most, worst);
  }
  text += list_text("bad", findings.bad) + list_text("duplicates", findings.duplicates) +
          list_text("gaps", findings.gaps) + list_text("outliers", findings.outliers);
  return text + (findings.empty() ? "  no problem was found\n" : "");
}

}  // namespace plaq::jobs
