#include "io/lime/json_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <sstream>

#include "core/system/error.hpp"
#include "io/lime/scidac_xml.hpp"

namespace plaq {
namespace {

constexpr std::size_t most_numbers = 1 << 30;

}  // namespace

std::string JsonTextWriter::text() const {
  std::string lines;
  for (const auto& [key, value] : json_.items())
    lines += fmt::format("{}\n  {}: {}", lines.empty() ? "" : ",", nlohmann::ordered_json(key).dump(),
                         value.dump());
  return "{" + lines + "\n}\n";
}

void JsonTextWriter::operator()(const char* key, const std::vector<HeaderEntry>& entries) {
  json_[key] = nlohmann::ordered_json::object();
  for (const auto& entry : entries) json_[key][entry.key] = entry.value;
}

JsonTextReader::JsonTextReader(std::string_view text, std::string place, std::string_view contents)
    : place_(std::move(place)) {
  json_ = Json::parse(text, nullptr, false);
  if (!json_.is_object()) fail(fmt::format("expected the text of {}, as JSON, found another", contents));
}

void JsonTextReader::operator()(const char* key, int& value, int least, int most) {
  value = integer(key, member(json_, key), least, most);
}

void JsonTextReader::operator()(const char* key, std::array<int, 4>& values, int least, int most) {
  read_four(key, member(json_, key), values, least, most);
}

void JsonTextReader::operator()(const char* key, std::uint64_t& value) {
  const Json& found = member(json_, key);
  if (!found.is_number_unsigned()) fail(key, "a whole number of 64 bits");
  value = found.get<std::uint64_t>();
}

void JsonTextReader::operator()(const char* key, double& value) { value = number(key, member(json_, key)); }

void JsonTextReader::operator()(const char* key, bool& value) {
  const Json& found = member(json_, key);
  if (!found.is_boolean()) fail(key, "true or false");
  value = found.get<bool>();
}

void JsonTextReader::operator()(const char* key, std::string& value) {
  value = line(key, member(json_, key));
}

void JsonTextReader::operator()(const char* key, std::vector<double>& values) {
  values.clear();
  for (const Json& value : list(key, most_numbers)) values.push_back(number(key, value));
}

void JsonTextReader::operator()(const char* key, Precision& value) {
  const std::string found = line(key, member(json_, key));
  for (const auto precision : {Precision::half_precision, Precision::single_precision})
    if (found == name_of(precision)) {
      value = precision;
      return;
    }
  fail(key, "half or single");
}

void JsonTextReader::operator()(const char* key, LinkChecksum& value) {
  const std::string found = line(key, member(json_, key));
  value.kind = ChecksumKind::scidac;
  std::istringstream(found) >> std::hex >> value.a >> value.b;
  if (found != value.text()) fail(key, "two sums of eight hexadecimal digits");
}

void JsonTextReader::operator()(const char* key, std::vector<HeaderEntry>& entries) {
  const Json& found = member(json_, key);
  if (!found.is_object()) fail(key, "keys and values");
  entries.clear();
  for (const auto& [name, value] : found.items()) entries.push_back({name, line(key, value)});
}

void JsonTextReader::constant(const char* key, const char* value) {
  if (line(key, member(json_, key)) != value) fail(key, value);
}

void JsonTextReader::fail(const std::string& what) const {
  throw Error(ErrorKind::input_file, fmt::format("{}: {}", place_, what));
}

void JsonTextReader::fail(const char* key, std::string_view expected) const {
  fail(fmt::format("'{}': expected {}, found another", key, expected));
}

const JsonTextReader::Json& JsonTextReader::member(const Json& object, const char* key) const {
  const auto found = object.find(key);
  if (found == object.end()) fail(fmt::format("expected the key '{}', found none", key));
  return *found;
}

const JsonTextReader::Json& JsonTextReader::list(const char* key, std::size_t most) const {
  const Json& found = member(json_, key);
  if (!found.is_array() || found.size() > most) fail(key, fmt::format("a list of at most {}", most));
  return found;
}

int JsonTextReader::integer(const char* key, const Json& value, int least, int most) const {
  if (!value.is_number_integer() || value < least || value > most)
    fail(key, fmt::format("whole numbers from {} to {}", least, most));
  return value.get<int>();
}

void JsonTextReader::read_four(const char* key, const Json& found, std::array<int, 4>& values, int least,
                               int most) const {
  if (!found.is_array() || found.size() != values.size()) fail(key, "four numbers");
  for (std::size_t mu = 0; mu < values.size(); ++mu) values[mu] = integer(key, found[mu], least, most);
}

double JsonTextReader::number(const char* key, const Json& value) const {
  if (!value.is_number() || !std::isfinite(value.get<double>())) fail(key, "a finite number");
  return value.get<double>();
}

std::string JsonTextReader::line(const char* key, const Json& value) const {
  if (!value.is_string() || !is_plain_utf8(value.get_ref<const std::string&>())) fail(key, "text");
  return value.get<std::string>();
}

}  // namespace plaq
