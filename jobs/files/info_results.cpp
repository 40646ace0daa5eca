#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "jobs/common/terminal_text.hpp"
#include "jobs/files/info_report.hpp"
#include "jobs/files/result_values.hpp"
#include "jobs/results/result_file.hpp"

namespace plaq::jobs {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Attribute& attribute) {
  struct Visitor {
    std::string operator()(const std::string& x) const { return x; }
    std::string operator()(std::int64_t x) const { return fmt::format("{}", x); }
    std::string operator()(double x) const { return fmt::format("{}", x); }
    std::string operator()(const std::vector<std::string>& x) const {
      return fmt::format("{}", fmt::join(x, "; "));
    }
    std::string operator()(const std::vector<std::int64_t>& x) const {
      return fmt::format("{}", fmt::join(x, " "));
    }
    std::string operator()(const std::vector<double>& x) const {
      return fmt::format("{}", fmt::join(x, " "));
    }
  };
  return std::visit(Visitor{}, attribute);
}

void print_line(std::string_view name, std::string_view text) { print_safely("{:<20} {}\n", name, text); }

// "wilson, kappa 0.152" of the attributes that say it.
std::string words_of(const Attributes& attributes, std::initializer_list<const char*> names) {
  std::string words;
  for (const std::string name : names)
    if (const auto* found = find_attribute(attributes, name)) {
      const bool plain = name == "type" || name == "action" || name == "gauge";
      words += (words.empty() ? "" : ", ") + (plain ? "" : name + " ") + text_of(*found);
    }
  return words;
}

void print_fields(const std::vector<StoredObject>& objects) {
  std::vector<std::string> files;
  std::size_t saved = 0, stale = 0;
  const bool is_history = std::any_of(objects.begin(), objects.end(), [](const StoredObject& object) {
    return object.path == "/configurations" && find_attribute(object.attributes, "file_names") != nullptr;
  });
  for (const auto& object : objects) {
    if (object.path.starts_with("/gauge/"))
      if (const auto* file = find_attribute(object.attributes, "file")) files.push_back(text_of(*file));
    if (find_attribute(object.attributes, "stated_checksum")) ++stale;
    const bool counts = object.path == "/configurations/sweep" || object.path == "/configurations/trajectory";
    if (is_history && counts && object.extents.size() == 1) saved = object.extents[0];
  }
  if (!files.empty())
    print_line("gauge fields", fmt::format("{}: {}{}", files.size(), files.front(),
                                           files.size() > 1 ? " to " + files.back() : ""));
  if (stale > 0)
    print_line("stale checksums", fmt::format("{}: the field states another one than its links have", stale));
  if (saved > 0) print_line("gauge fields", fmt::format("{} were saved", saved));
}

// Prints the head: file, job, version and gauge fields.
void print_head(const std::string& file, const StoredResults& results) {
  const auto& root = results.objects.front().attributes;
  print_line("file", file);
  print_line("result of", fmt::format("{}, plaq {}", text_of(*find_attribute(root, "job_type")),
                                      text_of(*find_attribute(root, "plaq_version"))));
  std::string action = words_of(root, {"action", "beta"}), fixing;
  for (const auto& object : results.objects) {
    if (object.path == "/action")
      action =
          words_of(object.attributes,
                   find_attribute(object.attributes, "kappa")
                       ? std::initializer_list<const char*>{"type", "kappa", "clover_spatial", "twisted_mass"}
                       : std::initializer_list<const char*>{"type", "mass", "clover_spatial", "n_s"});
    if (object.path == "/fixing") fixing = words_of(object.attributes, {"gauge", "theta"});
  }
  if (!action.empty()) print_line("action", action);
  if (!fixing.empty()) print_line("gauge", fixing);
  if (const auto* sites = find_attribute<std::vector<std::int64_t>>(root, "extents"))
    print_line("lattice", fmt::format("{}", fmt::join(*sites, "x")));
  print_fields(results.objects);
}

// Columns of text, as wide as what is in them; empty ones are left out.
void print_columns(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (std::size_t i = 1; i < rows.size(); ++i)
    for (std::size_t k = 0; k < widths.size(); ++k) widths[k] = std::max(widths[k], rows[i][k].size());
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t k = 0; k < widths.size(); ++k)
      if (widths[k] > 0) line += fmt::format("{:<{}}  ", row[k], std::max(widths[k], rows.front()[k].size()));
    line.erase(line.find_last_not_of(' ') + 1);
    print_safely("{}\n", line);
  }
}

void print_values(const ResultValues& found) {
  std::vector<std::vector<std::string>> rows = {{"", "value", "unit", "tau_int"}};
  for (const auto& one : found.values)
    rows.push_back({fmt::format("{:<19}", one.name), one.written, one.unit, one.tau});
  print_safely("\n");
  if (rows.size() > 1) print_columns(rows);
  if (rows.size() > 1 && !found.facts.empty()) print_safely("\n");
  std::size_t width = 20;
  for (const auto& [name, fact] : found.facts) width = std::max(width, name.size());
  for (const auto& [name, fact] : found.facts)
    if (name != "gauge") print_safely("{:<{}} {}\n", name, width, fact);  // which the head has
  for (const auto& note : found.notes) print_safely("note: {}\n", note);
  if (found.values.empty() && found.facts.empty() && found.notes.empty())
    print_safely("note: no values with errors; plaq plot draws what there is\n");
}

// Every dataset with its attributes, and the job file.
void print_objects(const StoredResults& results) {
  const auto& objects = results.objects;
  const StoredObject& root = objects.front();
  for (const auto& object : objects) {
    const bool is_root = &object == &root;
    if (object.dataset)
      print_safely("\n{}  {} [{}]\n", object.path, object.type, fmt::join(object.extents, " x "));
    else if (!is_root)
      print_safely("\n{}\n", object.path);
    for (const auto& [name, value] : object.attributes)
      if (!is_root || (name != "job" && name != "job_type" && name != "plaq_version"))
        print_safely("{}{:<14} {}\n", is_root ? "" : "    ", name, text_of(value));
  }
  if (const auto* job = find_attribute(root.attributes, "job"))
    print_safely("\nThe job file:\n\n{}", text_of(*job));
}

void print_text(const InfoOptions& options, const StoredResults& results) {
  print_head(options.file, results);
  print_values(values_of_results(options.file));
  if (options.all) {
    print_safely("\n");
    print_objects(results);
  }
  print_safely("\nverified: {} bytes with CRC-32 {:08x}{}\n", results.trailer.bytes, results.trailer.crc,
               options.all ? "" : "; --all shows datasets, attributes and the job file");
}

Json values_to_json(const ResultValues& found) {
  Json out = {{"by", found.analysed ? "plaq analyse" : "plain means"}, {"values", Json::array()}};
  for (const auto& one : found.values)
    out["values"].push_back({{"name", one.name},
                             {"value", one.value},
                             {"error", std::isfinite(one.error) ? Json(one.error) : Json()},
                             {"written", one.written},
                             {"unit", one.unit},
                             {"tau_int", one.tau}});
  out["facts"] = Json::object();
  for (const auto& [name, fact] : found.facts) out["facts"][name] = fact;
  out["notes"] = found.notes;
  return out;
}

Json to_json(const std::string& file, const StoredResults& results) {
  const auto& objects = results.objects;
  Json out = {{"file", file},
              {"format", "HDF5"},
              {"verified", true},
              {"crc32", fmt::format("{:08x}", results.trailer.crc)}};
  const auto put = [](Json& to, const StoredObject& object) {
    for (const auto& [name, value] : object.attributes)
      std::visit([&, &key = name](const auto& x) { to[key] = x; }, value);
  };
  put(out, objects.front());
  out["results"] = values_to_json(values_of_results(file));
  out["objects"] = Json::array();
  for (const auto& object : objects) {
    if (&object == &objects.front()) continue;
    Json entry = {{"path", object.path}, {"kind", object.dataset ? "dataset" : "group"}};
    if (object.dataset) {
      entry["type"] = object.type;
      entry["extents"] = object.extents;
    }
    entry["attributes"] = Json::object();
    put(entry["attributes"], object);
    out["objects"].push_back(entry);
  }
  return out;
}

}  // namespace

void show_results(const InfoOptions& options) {
  const StoredResults results = read_result_file(options.file);
  if (options.json)
    print_safely("{}\n", to_json(options.file, results).dump(2, ' ', false, Json::error_handler_t::replace));
  else
    print_text(options, results);
}

}  // namespace plaq::jobs
