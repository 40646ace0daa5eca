#include "io/tuning/tuning_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "core/system/error.hpp"

namespace plaq {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_name = "plaq tuning";
constexpr std::string_view directions = "xyzt";
constexpr int most_extent = 1 << 16, most_batch = 1 << 16, most_block = 1024, most_width = 256;
constexpr std::size_t most_characters = 256;
constexpr double most_microseconds = 1e12;

// One entry a key and machine.
auto identity(const TuneEntry& e) {
  return std::tie(e.device, e.driver, e.build, e.kernel, e.storage, e.local, e.partitioned, e.batch);
}
struct Before {
  bool operator()(const TuneEntry& a, const TuneEntry& b) const { return identity(a) < identity(b); }
};

[[noreturn]] void wrong(const std::string& what) { throw Error(ErrorKind::input_file, what); }

const Json& member(const Json& object, const char* name) {
  const auto at = object.find(name);
  if (at == object.end()) wrong(fmt::format("'{}' is missing", name));
  return *at;
}

std::string text(const Json& object, const char* name) {
  const Json& value = member(object, name);
  if (!value.is_string()) wrong(fmt::format("'{}' is no text", name));
  const auto& found = value.get_ref<const std::string&>();
  const auto control = [](char c) { return static_cast<unsigned char>(c) < ' '; };
  if (found.empty() || found.size() > most_characters || std::any_of(found.begin(), found.end(), control))
    wrong(fmt::format("'{}' is not a line of 1 to {} characters", name, most_characters));
  return found;
}

int integer(const Json& value, const char* name, int least, int most) {
  if (!value.is_number_integer() || value < least || value > most)
    wrong(fmt::format("'{}' is no whole number from {} to {}", name, least, most));
  return value.get<int>();
}

double microseconds(const Json& object, const char* name, bool may_be_zero) {
  const Json& value = member(object, name);
  const double found = value.is_number() ? value.get<double>() : -1;
  if (!(found > 0 || (may_be_zero && found == 0)) || !(found <= most_microseconds))
    wrong(fmt::format("'{}' is no time in microseconds", name));
  return found;
}

Extents extents(const Json& value) {
  Extents local{};
  if (!value.is_array() || value.size() != local.size()) wrong("'local' is not four numbers");
  for (std::size_t mu = 0; mu < local.size(); ++mu) local[mu] = integer(value[mu], "local", 1, most_extent);
  return local;
}

std::uint32_t direction_bits(const Json& value) {
  if (!value.is_string()) wrong("'partitioned' is no text");
  std::uint32_t bits = 0;
  for (const char c : value.get_ref<const std::string&>()) {
    const auto mu = directions.find(c);
    if (mu == directions.npos || bits >> mu != 0) wrong("'partitioned' is not some of xyzt in this order");
    bits |= 1u << mu;
  }
  return bits;
}

BoxRows box(const Json& value) {
  if (!value.is_array() || value.size() != 3) wrong("'box' is not three numbers");
  return {integer(value[0], "box", 1, most_block), integer(value[1], "box", 1, most_block),
          integer(value[2], "box", 1, most_block)};
}

Launch launch(const Json& value) {
  if (!value.is_object()) wrong("'launch' is no object");
  Launch found;
  for (const auto& [name, number] : value.items()) {
    if (name == "block") {
      found.block = integer(number, "block", 1, most_block);
    } else if (name == "width") {
      found.width = integer(number, "width", 1, most_width);
    } else if (name == "held") {
      if (!number.is_boolean()) wrong("'held' is neither true nor false");
      found.held = number.get<bool>();
    } else if (name == "tiles") {
      if (!number.is_boolean()) wrong("'tiles' is neither true nor false");
      found.tiles = number.get<bool>();
    } else if (name == "box") {
      found.box = box(number);
    } else {
      wrong(fmt::format("'launch' has '{}', which plaq does not know", name));
    }
  }
  return found;
}

std::string date(const Json& object) {
  constexpr std::string_view like = "0000-00-00T00:00:00Z";
  const std::string found = text(object, "date");
  const auto fits = [](char c, char pattern) { return pattern == '0' ? c >= '0' && c <= '9' : c == pattern; };
  if (!std::equal(found.begin(), found.end(), like.begin(), like.end(), fits))
    wrong("'date' is not like 2026-01-31T23:59:59Z");
  return found;
}

TuneEntry entry(const Json& line) {
  constexpr std::size_t members = 12;
  if (!line.is_object()) wrong("not a JSON object: cut off or damaged");
  TuneEntry e;
  e.kernel = text(line, "kernel");
  e.storage = text(line, "storage");
  e.local = extents(member(line, "local"));
  e.partitioned = direction_bits(member(line, "partitioned"));
  e.batch = integer(member(line, "batch"), "batch", 1, most_batch);
  e.launch = launch(member(line, "launch"));
  e.microseconds = microseconds(line, "us", false);
  e.default_microseconds = microseconds(line, "default_us", true);
  e.device = text(line, "device");
  e.driver = text(line, "driver");
  e.build = text(line, "build");
  e.date = date(line);
  if (line.size() != members) wrong("it has members that plaq does not know");
  return e;
}

Json to_json(const TuneEntry& e) {
  std::string partitioned;
  for (std::size_t mu = 0; mu < directions.size(); ++mu)
    if ((e.partitioned >> mu) & 1u) partitioned += directions[mu];
  Json launch = Json::object();
  if (e.launch.block != 0) launch["block"] = e.launch.block;
  if (e.launch.width != 0) launch["width"] = e.launch.width;
  if (e.launch.held) launch["held"] = true;
  if (e.launch.tiles) launch["tiles"] = true;
  if (e.launch.box != BoxRows{}) launch["box"] = {e.launch.box.y, e.launch.box.z, e.launch.box.t};
  return {{"kernel", e.kernel},   {"storage", e.storage},
          {"local", e.local},     {"partitioned", partitioned},
          {"batch", e.batch},     {"launch", launch},
          {"us", e.microseconds}, {"default_us", e.default_microseconds},
          {"device", e.device},   {"driver", e.driver},
          {"build", e.build},     {"date", e.date}};
}

// Throws what is wrong with a line behind the first.
void read_entry(std::string_view line, std::set<TuneEntry, Before>& entries) {
  if (!entries.insert(entry(Json::parse(line, nullptr, false))).second) wrong("the same entry twice");
}

// The version, 0 if it is no tuning file.
int version_of(std::string_view line) {
  const Json head = Json::parse(line, nullptr, false);
  if (!head.is_object() || !head.contains("format") || head["format"] != format_name) return 0;
  const auto version = head.find("version");
  return version != head.end() && version->is_number_unsigned() && *version >= 1
             ? static_cast<int>(std::min<std::uint64_t>(version->get<std::uint64_t>(), 1 << 30))
             : 0;
}

}  // namespace

TuningText parse_tuning(const std::string& name, std::string_view text) {
  using State = TuningText::State;
  std::set<TuneEntry, Before> entries;
  int number = 0;
  const auto refused = [&](State state, const std::string& why) {
    return TuningText{state, {}, fmt::format("{}:{}: {}", name, number, why)};
  };
  if (text.size() > most_tuning_bytes) return refused(State::foreign, "larger than any tuning file of plaq");
  while (!text.empty()) {
    ++number;
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    if (number == 1) {
      const int version = version_of(line);
      if (version == 0) return refused(State::foreign, "not a tuning file of plaq");
      if (version > tuning_version)
        return refused(State::newer,
                       fmt::format("version {}, but this plaq reads version {}", version, tuning_version));
    }
    if (end == text.npos) return refused(State::damaged, "the line is cut off");
    if (number == 1) continue;
    if (entries.size() == most_tuning_entries) return refused(State::damaged, "too many entries");
    try {
      read_entry(line, entries);
    } catch (const Error& error) {
      return refused(State::damaged, error.what());
    }
  }
  return {State::good, {entries.begin(), entries.end()}, {}};
}

std::string tuning_text(std::span<const TuneEntry> entries) {
  const auto line = [](const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
  };
  std::string text = line({{"format", format_name}, {"version", tuning_version}});
  for (const TuneEntry& one : entries) text += line(to_json(one));
  return text;
}

bool same_case(const TuneEntry& a, const TuneEntry& b) { return identity(a) == identity(b); }

std::vector<TuneEntry> merge_tuning(std::vector<TuneEntry> theirs, std::span<const TuneEntry> ours) {
  std::set<TuneEntry, Before> all(ours.begin(), ours.end());
  all.insert(theirs.begin(), theirs.end());
  std::vector<TuneEntry> merged(all.begin(), all.end());
  if (merged.size() > most_tuning_entries) {
    std::stable_sort(merged.begin(), merged.end(),
                     [](const auto& a, const auto& b) { return a.date > b.date; });
    merged.resize(most_tuning_entries);
    std::sort(merged.begin(), merged.end(), Before());
  }
  return merged;
}

}  // namespace plaq
