// Description of a job file: every key with its type, default, range and meaning. Checking a job file, the
// text of its effective form, the documentation and the structs that code reads (jobs/schema/field.hpp) all
// come from here. Tables and keys keep their order.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <typeindex>
#include <utility>
#include <variant>
#include <vector>

namespace plaq::jobs {

class JobFile;

enum class Type { flag, integer, real, string, integers, reals, strings };
constexpr bool is_list(Type type) { return type >= Type::integers; }
constexpr Type element_of(Type list) { return static_cast<Type>(static_cast<int>(list) - 3); }

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

// Where the value of a key goes.
struct MemberOfKeys {
  std::type_index keys = typeid(void);  // the struct that has it
  std::ptrdiff_t offset = 0;            // in the struct
  // Sets a member, or null: none. False where a number is beyond its type.
  bool (*store)(void* member, const Value&, const void* elements) = nullptr;
  std::shared_ptr<const void> elements;  // what `store` needs to know of names
  bool holds(const Value& value) const { return store(nullptr, value, elements.get()); }
  void set(void* of_keys, const Value& value) const {
    store(static_cast<char*>(of_keys) + offset, value, elements.get());
  }
};

// One key, made by field() or choice(). Without a default it is required when need() was called and optional
// otherwise.
struct Key {
  Key();
  ~Key();  // these are long: not inline
  Key(const Key&);
  Key& operator=(const Key&);

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
  bool may_repeat = false;           // for lists of choices
  bool many_lines = false;           // for strings, which have no control characters otherwise
  std::vector<std::string> choices;  // for strings; a list then holds each at most once
  // What is wrong with a string, or with one of a list; null: no more is asked of it.
  std::optional<std::string> (*fault)(const std::string& text) = nullptr;
  bool physics = true;  // decides results, and so whether a job is the same as an earlier one

  MemberOfKeys member;

  Key& need(std::string_view text) { return such_as(text).without("").set(required, true); }
  Key& otherwise(Value value) { return set(fallback, std::move(value)); }  // the default
  Key& such_as(std::string_view text) { return set(example, std::string(text)); }
  Key& without(std::string_view text) { return set(left_out, std::string(text)).set(fallback, std::nullopt); }
  Key& means(std::string_view text) { return set(meaning, std::string(text)); }
  Key& not_physics() { return set(physics, false); }
  Key& show() { return set(in_example, true); }
  Key& within(double low, double high) { return set(range, Range{low, high}); }
  Key& at_least(double low) { return set(range.low, low); }
  Key& between(double low, double high) { return set(range, Range{low, high, true, true}); }  // both excluded
  Key& even() { return set(multiple_of, 2); }
  Key& not_empty() { return set(may_be_empty, false); }
  Key& one_of(std::vector<std::string> names) { return set(choices, std::move(names)); }
  Key& with_repeats() { return set(may_repeat, true); }
  Key& checked_by(std::optional<std::string> (*find)(const std::string&)) { return set(fault, find); }
  Key& of_many_lines() { return set(many_lines, true); }

  std::string type_text() const;     // "list of 4 integers", "\"hot\" or \"cold\"", ...
  std::string values_text() const;   // the same with the range: "integer, 0 to 1000"
  std::string range_text() const;    // "0 to 1000", "at least 0"; empty when everything is allowed
  std::string default_text() const;  // "needed", the value, what left_out says, or empty
  std::string example_text() const;  // the example, else the default, else something of the right type

 private:
  template <class Member, class To>
  Key& set(Member& member, To&& to) {
    member = std::forward<To>(to);
    return *this;
  }
};

struct Table {
  std::string name;  // empty: the top of the file
  std::string meaning;
  std::vector<Key> keys;
  const Key* find(std::string_view key) const;
};
Table not_physics(Table table);  // none of its keys is

// One list of several.
template <class T>
std::vector<T> joined(std::initializer_list<std::vector<T>> lists) {
  std::vector<T> all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

struct KeyName {
  KeyName() = default;
  KeyName(std::string t, std::string k) : table(std::move(t)), key(std::move(k)) {}
  KeyName(const char* dotted);  // "table.key"
  std::string table, key;
  bool operator==(const KeyName&) const = default;
};

struct Problem {
  KeyName where;  // whose line is named
  std::string message;
};

// What rules find.
struct Problems {
  std::vector<Problem> found;
  // "'key' in [table]: " and what is wrong with it; "missing key 'key' in [table]: " and what it would say.
  void add(const KeyName& key, std::string_view what);
  void missing(const KeyName& key, std::string_view what);
  // Of a list that has an element more than once: the least of these.
  template <class T>
  void add_twice(const KeyName& key, std::vector<T> list) {
    std::sort(list.begin(), list.end());
    const auto twice = std::adjacent_find(list.begin(), list.end());
    if (twice != list.end()) add(key, fmt::format("{} is listed twice", *twice));
  }
};

// A condition on several keys; runs only when each of `keys` is absent or good on its own.
struct Rule {
  using Check = std::function<void(Problems&, const JobFile&)>;
  Rule(std::initializer_list<const char*> k, std::string_view t, Check c);
  // Reads structs with members that keys are bound to, or the JobFile itself (jobs/schema/job_file.hpp). Keys
  // that are absent or bad leave them as they are initialised.
  template <class... Keys>
  Rule(std::initializer_list<const char*> k, std::string_view t, void (*of_keys)(Problems&, const Keys&...));

  std::vector<KeyName> keys;
  std::string text;  // one sentence
  Check check;
};

struct Schema {
  std::string job;      // value of the key `job`
  std::string meaning;  // one sentence
  std::vector<Table> tables;
  std::vector<Rule> rules;
  const Table* find(std::string_view table) const;
  const Key* find(std::string_view table, std::string_view key) const;
};

// What is wrong with a value of the right type: range, length, choices, too large for its member. Nothing
// when it is good.
std::optional<std::string> find_fault(const Key& key, const Value& value);

// The value as the right-hand side of a TOML key. Reals come back to the same bits.
std::string toml_text(const Value& value);

}  // namespace plaq::jobs
