// TOML text as a flat list of entries with their places. The one user of toml++.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "jobs/schema/schema.hpp"

namespace plaq::jobs {

// A value before it meets its key.
struct RawValue {
  std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<RawValue>> value;
  std::string kind;  // what it is, in words: "an integer", "a date", "a table", ...
};

struct RawEntry {
  KeyName name;  // a table inside a table has a dotted name; `key` empty: the head of a table
  RawValue value;
  std::string place;  // "FILE:LINE:COLUMN" or "--set NAME"
  int line = 0;       // from 1; 0: from an override
  std::string text;   // of an override: the value as typed
};

// Throws job_file errors with file, line and column when the text is not TOML.
std::vector<RawEntry> read_toml(std::string_view text, const std::string& file);

// "table.key=value": the value is read as TOML, and what is not TOML is taken as a string; may be empty.
// Throws a usage error when there is no name or no '='.
RawEntry read_override(std::string_view text);

// What stands where a value of this type should, in words; of a list the first element that does not belong.
std::string found_text(Type type, const RawEntry& entry);

// The value as one of the key's type. An integer serves as a real, one string as a list of one.
std::optional<Value> convert(Type type, const RawEntry& entry);

}  // namespace plaq::jobs
