// Descriptions in plaq's own files, as JSON: a line for each key. Numbers come back as they were,
// to the bit. A file's members are visited by one function, with a writer or a reader. Serial.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/system/location.hpp"
#include "io/gauge/gauge_file_info.hpp"
#include "io/gauge/link_checksum.hpp"

namespace plaq {

// Both go through the members in the same order.
class JsonTextWriter {
 public:
  std::string text() const;

  template <class T, class... Range>
  void operator()(const char* key, const T& value, Range...) {
    json_[key] = value;
  }
  void operator()(const char* key, Precision value) { json_[key] = name_of(value); }
  void operator()(const char* key, const LinkChecksum& value) { json_[key] = value.text(); }
  void operator()(const char* key, const std::vector<HeaderEntry>& entries);
  void constant(const char* key, const char* value) { json_[key] = value; }
  // Absent where it is false, or 0.
  template <class T>
  void optional(const char* key, const T& value) {
    if (value != T()) (*this)(key, value);
  }

 protected:
  nlohmann::ordered_json json_ = nlohmann::ordered_json::object();
};

class JsonTextReader {
 public:
  // Errors begin with `place`. Throws Error(input_file) unless `text` is an object: `contents`, for the
  // message. So do all members, which name the key.
  JsonTextReader(std::string_view text, std::string place, std::string_view contents);

  void operator()(const char* key, int& value, int least, int most);
  void operator()(const char* key, std::array<int, 4>& values, int least, int most);
  void operator()(const char* key, std::uint64_t& value);
  void operator()(const char* key, double& value);
  void operator()(const char* key, bool& value);
  void operator()(const char* key, std::string& value);
  void operator()(const char* key, std::vector<double>& values);
  void operator()(const char* key, Precision& value);  // half or single
  void operator()(const char* key, LinkChecksum& value);
  void operator()(const char* key, std::vector<HeaderEntry>& entries);
  void constant(const char* key, const char* value);
  template <class T>
  void optional(const char* key, T& value) {
    value = T();
    if (json_.contains(key)) (*this)(key, value);
  }

  [[noreturn]] void fail(const char* key, std::string_view expected) const;

 protected:
  using Json = nlohmann::ordered_json;
  [[noreturn]] void fail(const std::string& what) const;
  const Json& member(const Json& object, const char* key) const;
  const Json& list(const char* key, std::size_t most) const;
  int integer(const char* key, const Json& value, int least, int most) const;
  void read_four(const char* key, const Json& found, std::array<int, 4>& values, int least, int most) const;
  double number(const char* key, const Json& value) const;
  std::string line(const char* key, const Json& value) const;

  std::string place_;
  Json json_;
};

}  // namespace plaq
