// Values that are given for keys, before their keys are known: by a job file, by its
// overrides, or by a call from Python.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "settings/schema/schema.hpp"

namespace plaq::settings {

/// A value of any type that a key may have, or something else that no key takes.
struct RawValue {
  struct Other {
    std::string kind;  // in words: "a date or time"
  };
  std::variant<Other, bool, std::int64_t, double, std::string, std::vector<RawValue>> value;

  /// The value in words: "the integer 3", "a list", ...
  std::string kind() const;
};

/// One value and the key that it is given for.
struct RawEntry {
  KeyName name;  // a table within a table has a dotted name
  RawValue value;
  std::string place;  // "FILE:LINE:COLUMN" or "--set NAME"; empty: the origin of the settings
  int line = 0;       // messages are in this order; 0: after all others
  std::optional<std::string>
      typed;              // of an override: the text that was typed, which a key of strings takes as it is
  bool is_table = false;  // only the head of a table, without a key
};

/// The value as one of this type; none if it has another. An integer serves as a
/// real, a string as a list of one.
std::optional<Value> convert(Type type, const RawEntry& entry);

/// Says in words what stands where a value of this type is expected; of a list also
/// the first element of another type.
std::string found_text(Type type, const RawEntry& entry);

/// The value as a job file has it (value_text() in settings/schema/key.hpp); `Other` has no such text.
std::string value_text(const RawValue& raw);

}  // namespace plaq::settings
