// Keys and tables of keys: each key with its type, default, range and meaning. The checks of values, their
// texts, the documentation and the structs that code reads (settings/schema/field.hpp) all come from here.
// Tables and keys keep their order.
#pragma once

#include <cstddef>
#include <cstdint>
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

namespace plaq::settings {

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

// The member of a struct that has the value of a key.
struct MemberOfKeys {
  std::type_index keys = typeid(void);  // the struct that has it
  std::ptrdiff_t offset = 0;            // in the struct
  // Sets a member; null: none. Returns what is wrong with the value, such as a
  // number beyond the member's type.
  std::optional<std::string> (*store)(void* member, const Value&, const void* elements) = nullptr;
  // The value of a member; none of an optional one without a value and of an empty string.
  std::optional<Value> (*load)(const void* member, const void* elements) = nullptr;
  std::shared_ptr<const void> elements;  // what these need to know of names
  std::optional<std::string> fault(const Value& value) const { return store(nullptr, value, elements.get()); }
  void set(void* of_keys, const Value& value) const {
    store(static_cast<char*>(of_keys) + offset, value, elements.get());
  }
  std::optional<Value> get(const void* of_keys) const {
    return load(static_cast<const char*>(of_keys) + offset, elements.get());
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
  // Says what is wrong with a string, or with one of a list; null: any string is good.
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

/// Says what is wrong with a value of the right type: its range, length or choice, or a number too large for
/// the member. None if the value is good.
std::optional<std::string> find_fault(const Key& key, const Value& value);

/// The value as a job file has it, on the right-hand side of a key. Reals come back to the same bits.
std::string value_text(const Value& value);

}  // namespace plaq::settings
