// Settings: values of keys, each checked against a schema; and attributes that results have of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "settings/schema/raw_value.hpp"
#include "settings/schema/schema.hpp"

namespace plaq::settings {

// Attributes: named values by which results say of which settings they are.
using Attribute = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>,
                               std::vector<double>, std::vector<std::string>>;
using Attributes = std::vector<std::pair<std::string, Attribute>>;

/// Appends attributes to others.
inline void add(Attributes& to, const Attributes& more) { to.insert(to.end(), more.begin(), more.end()); }

class Settings {
 public:
  /// Checks all entries against a schema that outlives the settings, and takes defaults for keys that are not
  /// given. Throws Error(job_file), which lists every mistake.
  /// @param origin  where the entries are from, for messages: the name of a
  ///   file, or a call such as "Clover()"
  Settings(const Schema& schema, const std::vector<RawEntry>& entries, std::string origin);

  const Schema& schema() const { return *schema_; }
  const std::string& origin() const { return origin_; }

  /// The struct with the values of the keys that are bound to its members (settings/schema/field.hpp), in
  /// whichever tables they are. A key without a value leaves its member as it was. A struct that no key of
  /// the schema is bound to is an internal error. `Settings` stands for all values.
  template <class Struct>
  Struct get() const {
    if constexpr (std::is_same_v<Struct, Settings>) {
      return *this;
    } else {
      Struct filled{};
      fill(typeid(Struct), &filled);
      return filled;
    }
  }

  /// Takes the keys of one table alone.
  template <class Struct>
  Struct get(std::string_view table) const {
    Struct filled{};
    fill(typeid(Struct), &filled, table);
    return filled;
  }

  /// The value of a key, or null if it has none.
  const Value* find(const KeyName& key) const;

 private:
  friend class SettingsChecker;
  void fill(std::type_index type, void* members, std::optional<std::string_view> of_table = {}) const;

  const Schema* schema_;
  std::string origin_;
  std::map<std::pair<std::string, std::string>, Value> values_;  // by table and key
};

template <class... Keys>
Rule::Rule(std::initializer_list<const char*> k, std::string_view t,
           void (*of_keys)(Problems&, const Keys&...))
    : Rule(k, t, [of_keys](Problems& problems, const Settings& settings) {
        of_keys(problems, settings.get<Keys>()...);
      }) {}

}  // namespace plaq::settings
