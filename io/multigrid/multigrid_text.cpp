#include "io/multigrid/multigrid_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/system/error.hpp"
#include "io/gauge/links_size.hpp"
#include "io/lime/scidac_xml.hpp"

namespace plaq {
namespace {

using Json = nlohmann::ordered_json;

constexpr int most_vectors = 1 << 12, most_levels = 64, most_count = 1 << 30;

// Both go through the members in the same order.
class Writer {
 public:
  std::string text() const {
    std::string lines;
    for (const auto& [key, value] : json_.items())
      lines += fmt::format("{}\n  {}: {}", lines.empty() ? "" : ",", Json(key).dump(), value.dump());
    return "{" + lines + "\n}\n";
  }

  template <class T, class... Range>
  void operator()(const char* key, const T& value, Range...) {
    json_[key] = value;
  }
  void operator()(const char* key, Precision value) { json_[key] = name_of(value); }
  void operator()(const char* key, const LinkChecksum& value) { json_[key] = value.text(); }
  void operator()(const char* key, const std::vector<MultigridLevelInfo>& levels) {
    json_[key] = Json::array();
    for (const auto& level : levels)
      json_[key].push_back({{"block", level.block},
                            {"vectors", level.vectors},
                            {"smoothing_steps", level.smoothing_steps},
                            {"coarse_tolerance", level.coarse_tolerance},
                            {"coarse_iterations", level.coarse_iterations}});
  }
  void operator()(const char* key, const std::vector<HeaderEntry>& entries) {
    json_[key] = Json::object();
    for (const auto& entry : entries) json_[key][entry.key] = entry.value;
  }
  void constant(const char* key, const char* value) { json_[key] = value; }

 private:
  Json json_ = Json::object();
};

class Reader {
 public:
  Reader(std::string_view text, std::string place) : place_(std::move(place)) {
    json_ = Json::parse(text, nullptr, false);
    if (!json_.is_object()) fail("expected the text of a multigrid setup, as JSON, found another");
  }

  void operator()(const char* key, int& value, int least, int most) {
    value = integer(key, member(json_, key), least, most);
  }
  void operator()(const char* key, std::array<int, 4>& values, int least, int most) {
    read_four(key, member(json_, key), values, least, most);
  }
  void operator()(const char* key, std::uint64_t& value) {
    const Json& found = member(json_, key);
    if (!found.is_number_unsigned()) fail(key, "a whole number of 64 bits");
    value = found.get<std::uint64_t>();
  }
  void operator()(const char* key, double& value) { value = number(key, member(json_, key)); }
  void operator()(const char* key, bool& value) {
    const Json& found = member(json_, key);
    if (!found.is_boolean()) fail(key, "true or false");
    value = found.get<bool>();
  }
  void operator()(const char* key, std::string& value) { value = line(key, member(json_, key)); }
  void operator()(const char* key, std::vector<double>& values) {
    values.clear();
    for (const Json& value : list(key, most_count)) values.push_back(number(key, value));
  }
  void operator()(const char* key, Precision& value) {
    const std::string found = line(key, member(json_, key));
    for (const auto precision : {Precision::half_precision, Precision::single_precision})
      if (found == name_of(precision)) {
        value = precision;
        return;
      }
    fail(key, "half or single");
  }
  void operator()(const char* key, LinkChecksum& value) {
    const std::string found = line(key, member(json_, key));
    value.kind = ChecksumKind::scidac;
    std::istringstream(found) >> std::hex >> value.a >> value.b;
    if (found != value.text()) fail(key, "two sums of eight hexadecimal digits");
  }
  void operator()(const char* key, std::vector<MultigridLevelInfo>& levels) {
    levels.clear();
    for (const Json& found : list(key, most_levels)) {
      if (!found.is_object()) fail(key, "a list of blocks and vectors");
      MultigridLevelInfo& level = levels.emplace_back();
      read_four(key, member(found, "block"), level.block, 1, largest_extent);
      level.vectors = integer(key, member(found, "vectors"), 1, most_vectors);
      level.smoothing_steps = integer(key, member(found, "smoothing_steps"), 0, most_count);
      level.coarse_tolerance = number(key, member(found, "coarse_tolerance"));
      level.coarse_iterations = integer(key, member(found, "coarse_iterations"), 0, most_count);
    }
  }
  void operator()(const char* key, std::vector<HeaderEntry>& entries) {
    const Json& found = member(json_, key);
    if (!found.is_object()) fail(key, "keys and values");
    entries.clear();
    for (const auto& [name, value] : found.items()) entries.push_back({name, line(key, value)});
  }
  void constant(const char* key, const char* value) {
    if (line(key, member(json_, key)) != value) fail(key, value);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::input_file, fmt::format("{}: {}", place_, what));
  }
  [[noreturn]] void fail(const char* key, std::string_view expected) const {
    fail(fmt::format("'{}': expected {}, found another", key, expected));
  }
  const Json& member(const Json& object, const char* key) const {
    const auto found = object.find(key);
    if (found == object.end()) fail(fmt::format("expected the key '{}', found none", key));
    return *found;
  }
  const Json& list(const char* key, std::size_t most) const {
    const Json& found = member(json_, key);
    if (!found.is_array() || found.size() > most) fail(key, fmt::format("a list of at most {}", most));
    return found;
  }
  int integer(const char* key, const Json& value, int least, int most) const {
    if (!value.is_number_integer() || value < least || value > most)
      fail(key, fmt::format("whole numbers from {} to {}", least, most));
    return value.get<int>();
  }
  void read_four(const char* key, const Json& found, std::array<int, 4>& values, int least, int most) const {
    if (!found.is_array() || found.size() != values.size()) fail(key, "four numbers");
    for (std::size_t mu = 0; mu < values.size(); ++mu) values[mu] = integer(key, found[mu], least, most);
  }
  double number(const char* key, const Json& value) const {
    if (!value.is_number() || !std::isfinite(value.get<double>())) fail(key, "a finite number");
    return value.get<double>();
  }
  std::string line(const char* key, const Json& value) const {
    if (!value.is_string() || !is_plain_utf8(value.get_ref<const std::string&>())) fail(key, "text");
    return value.get<std::string>();
  }

  std::string place_;
  Json json_;
};

template <class Archive, class Info>
void visit_members(Archive& archive, Info& info) {
  auto& setup = info.setup;
  auto& action = setup.action;
  archive("plaq_version", setup.plaq_version);
  archive("lattice", info.extents, 1, largest_extent);
  archive.constant("sites", "even");
  archive("vectors", info.vectors, 1, most_vectors);
  archive("precision", info.precision);
  archive("levels", setup.levels);
  archive("mass", action.mass);
  archive("xi", action.xi);
  archive("nu", action.nu);
  archive("clover_spatial", action.clover.spatial);
  archive("clover_temporal", action.clover.temporal);
  archive("boundary", action.boundary, -1, 1);
  archive("links_checksum", setup.links);
  archive("seed", setup.seed);
  archive("filter_iterations", setup.filter_iterations, 0, most_count);
  archive("coarse_filter_iterations", setup.coarse_filter_iterations, 0, most_count);
  archive("omega", setup.omega);
  archive("rounds", setup.rounds, 0, most_count);
  archive("finished", setup.finished);
  archive("reductions", setup.reductions);
  archive("entries", setup.entries);
}

}  // namespace

std::string to_text(const MultigridFileInfo& info) {
  Writer writer;
  visit_members(writer, info);
  return writer.text();
}

MultigridFileInfo multigrid_info_from_text(std::string_view text, const std::string& place) {
  MultigridFileInfo info;
  Reader reader(text, place);
  visit_members(reader, info);
  return info;
}

}  // namespace plaq
