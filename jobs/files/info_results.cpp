#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "jobs/files/info_report.hpp"
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

void print_text(const std::string& file, const StoredResults& results) {
  const auto& objects = results.objects;
  const StoredObject& root = objects.front();
  fmt::print("file     {}\nformat   HDF5, results of plaq\njob      {}\nversion  {}\n", file,
             text_of(*find_attribute(root.attributes, "job_type")),
             text_of(*find_attribute(root.attributes, "plaq_version")));
  for (const auto& object : objects) {
    const bool is_root = &object == &root;
    if (object.dataset)
      fmt::print("\n{}  {} [{}]\n", object.path, object.type, fmt::join(object.extents, " x "));
    else if (!is_root)
      fmt::print("\n{}\n", object.path);
    for (const auto& [name, value] : object.attributes)
      if (!is_root || (name != "job" && name != "job_type" && name != "plaq_version"))
        fmt::print("{}{:<14} {}\n", is_root ? "" : "    ", name, text_of(value));
  }
  if (const auto* job = find_attribute(root.attributes, "job"))
    fmt::print("\nThe job file:\n\n{}", text_of(*job));
  fmt::print("\nverified: {} bytes with CRC-32 {:08x}\n", results.seal.bytes, results.seal.crc);
}

Json to_json(const std::string& file, const StoredResults& results) {
  const auto& objects = results.objects;
  Json out = {{"file", file},
              {"format", "HDF5"},
              {"verified", true},
              {"crc32", fmt::format("{:08x}", results.seal.crc)}};
  const auto put = [](Json& to, const StoredObject& object) {
    for (const auto& [name, value] : object.attributes)
      std::visit([&, &key = name](const auto& x) { to[key] = x; }, value);
  };
  put(out, objects.front());
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
    fmt::print("{}\n", to_json(options.file, results).dump(2, ' ', false, Json::error_handler_t::replace));
  else
    print_text(options.file, results);
}

}  // namespace plaq::jobs
