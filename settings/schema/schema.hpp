// Schema: tables of keys, and rules on several keys. Settings are checked against it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "settings/schema/key.hpp"

namespace plaq::settings {

class Settings;

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

/// Collects what rules find.
struct Problems {
  std::vector<Problem> found;
  // "'key' in [table]: " and what is wrong with it; "missing key 'key' in [table]: " and what it would say.
  void add(const KeyName& key, std::string_view what);
  void missing(const KeyName& key, std::string_view what);
  // Adds the least element that a list has more than once.
  template <class T>
  void add_twice(const KeyName& key, std::vector<T> list) {
    std::sort(list.begin(), list.end());
    const auto twice = std::adjacent_find(list.begin(), list.end());
    if (twice != list.end()) add(key, fmt::format("{} is listed twice", *twice));
  }
};

// A condition on several keys; runs only when each of `keys` is absent or good on its own.
struct Rule {
  using Check = std::function<void(Problems&, const Settings&)>;
  Rule(std::initializer_list<const char*> k, std::string_view t, Check c);
  // Reads structs with members that keys are bound to, or the Settings themselves
  // (settings/schema/settings.hpp). Keys that are absent or bad leave them as they are initialised.
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

}  // namespace plaq::settings
