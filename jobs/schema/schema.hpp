// Description of a job file: every key with its type, default, range and meaning. Checking a job file, the
// text of its effective form and the documentation all come from here. Tables and keys keep their order.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace plaq::jobs {

class JobFile;

enum class Type { flag, integer, real, string, integers, reals, strings };

// Alternatives in the order of Type.
using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                           std::vector<double>, std::vector<std::string>>;

// Closed at both ends unless excluded. For lists it bounds every element.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_excluded = false, high_excluded = false;
  bool operator==(const Range&) const = default;
  bool holds(double x) const;
  std::string text() const;  // "at least 1", "2 to 4096", ...; empty when everything is allowed
};

// One key. Without a default it is required when need() was called and optional otherwise.
struct Key {
  std::string name;
  Type type = Type::flag;
  std::string meaning;  // one sentence, with the unit
  bool required = false;
  std::optional<Value> fallback;
  std::string example;      // right-hand side as in a job file
  std::string left_out;     // what it means that the key is not there, in a few words
  bool in_example = false;  // although not required by itself: another rule asks for it
  Range range;
  std::int64_t multiple_of = 1;      // for integers
  std::size_t length = 0;            // of a list; 0: any
  bool may_be_empty = true;          // for lists; a string is never empty
  bool many_lines = false;           // for strings, which have no control characters otherwise
  std::vector<std::string> choices;  // for strings; a list then holds each at most once

  Key& need(std::string example);
  Key& otherwise(Value fallback);  // the default
  Key& such_as(std::string example);
  Key& without(std::string meaning);  // sets left_out
  Key& show();                        // sets in_example
  Key& within(double low, double high);
  Key& at_least(double low);
  Key& between(double low, double high);  // both excluded
  Key& even();
  Key& of_length(std::size_t length);
  Key& not_empty();
  Key& one_of(std::vector<std::string> choices);
  Key& of_many_lines();

  std::string type_text() const;     // "list of 4 integers", "\"hot\" or \"cold\"", ...
  std::string values_text() const;   // the same with the range: "integer, 0 to 1000"
  std::string range_text() const;    // "0 to 1000", "at least 0"; empty when everything is allowed
  std::string default_text() const;  // "needed", the value, what left_out says, or empty
  std::string example_text() const;  // the example, else the default, else something of the right type
};

namespace key {
Key flag(std::string name, std::string meaning);
Key integer(std::string name, std::string meaning);
Key real(std::string name, std::string meaning);
Key string(std::string name, std::string meaning);
Key integers(std::string name, std::string meaning);
Key reals(std::string name, std::string meaning);
Key strings(std::string name, std::string meaning);
}  // namespace key

struct Table {
  std::string name;  // empty: the top of the file
  std::string meaning;
  std::vector<Key> keys;
  const Key* find(std::string_view key) const;
};

struct KeyName {
  std::string table, key;
  bool operator==(const KeyName&) const = default;
};

struct Problem {
  KeyName where;  // whose line is named
  std::string message;
};

// A condition on several keys; runs only when each of `keys` is absent or good on its own.
struct Rule {
  std::vector<KeyName> keys;
  std::string text;  // one sentence
  void (*check)(const JobFile&, std::vector<Problem>&);
};

struct Schema {
  std::string job;      // value of the key `job`
  std::string meaning;  // one sentence
  std::vector<Table> tables;
  std::vector<Rule> rules;
  const Table* find(std::string_view table) const;
  const Key* find(std::string_view table, std::string_view key) const;
};

// What is wrong with a value of the right type: range, length, choices. Nothing when it is good.
std::optional<std::string> find_fault(const Key& key, const Value& value);

// The value as the right-hand side of a TOML key. Reals come back to the same bits.
std::string toml_text(const Value& value);

}  // namespace plaq::jobs
