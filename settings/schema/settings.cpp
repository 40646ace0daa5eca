#include "settings/schema/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/system/error.hpp"
#include "core/system/wording.hpp"

namespace plaq::settings {

void Settings::fill(std::type_index type, void* members, std::optional<std::string_view> of_table) const {
  bool bound = false;
  for (const Table& table : schema_->tables)
    for (const Key& key : table.keys) {
      if (of_table && table.name != *of_table) continue;
      if (key.member.keys != type) continue;
      bound = true;
      if (const Value* value = find({table.name, key.name})) key.member.set(members, *value);
    }
  require(bound, "keys that a job of this type does not have were asked for");
}

const Value* Settings::find(const KeyName& key) const {
  const auto at = values_.find({key.table, key.key});
  return at == values_.end() ? nullptr : &at->second;
}

// Checks entries against a schema. All mistakes are found before one error lists them.

namespace {

std::string without_stop(std::string sentence) {
  if (!sentence.empty() && sentence.back() == '.') sentence.pop_back();
  return sentence;
}

template <class Range>
std::vector<std::string> names_of(const Range& range) {
  std::vector<std::string> names;
  for (const auto& element : range)
    if (!element.name.empty()) names.push_back(element.name);
  return names;
}

}  // namespace

class SettingsChecker {
 public:
  SettingsChecker(Settings& settings, const std::vector<RawEntry>& entries)
      : settings_(settings), entries_(entries) {}

  void check() {
    for (const RawEntry& entry : entries_) take(entry);
    for (const Table& table : schema().tables)
      for (const Key& key : table.keys) complete(table, key);
    for (const Rule& rule : schema().rules) apply(rule);
    if (!mistakes_.empty()) complain();
  }

 private:
  struct Mistake {
    int order;  // line; overrides and missing keys after the lines of the file
    std::string place, text;
    std::string whole() const { return fmt::format("{}: {}", place, text); }
  };

  const Schema& schema() const { return settings_.schema(); }

  void blame(const RawEntry& entry, const std::string& text) {
    const std::string& place = entry.place.empty() ? settings_.origin() : entry.place;
    mistakes_.push_back({entry.line > 0 ? entry.line : after_file, place, text});
    bad_.push_back(entry.name);
  }

  void take(const RawEntry& entry) {
    const auto& [table_name, key_name] = entry.name;
    const Table* table = schema().find(table_name);
    if (!table) return unknown_table(entry);
    if (entry.is_table) return;
    const Key* key = table->find(key_name);
    if (!key) return unknown_key(entry, *table);
    const auto value = convert(key->type, entry);
    if (!value)
      return blame(
          entry,
          fmt::format("{}: found {}, expected {}; for example {} = {}", wording().label(table_name, key_name),
                      wording().value(found_text(key->type, entry)), wording().value(key->type_text()),
                      key_name, wording().value(key->example_text())));
    if (const auto fault = find_fault(*key, *value))
      return blame(entry, fmt::format("{}: {}", wording().label(table_name, key_name), *fault));
    settings_.values_[{table_name, key_name}] = *value;
  }

  void unknown_table(const RawEntry& entry) {
    const auto same = [&](const KeyName& name) { return name.table == entry.name.table; };
    if (std::any_of(bad_.begin(), bad_.end(), same)) return;  // once a table
    blame(entry, fmt::format("unknown table [{}] in a {} job; {}", entry.name.table, schema().job,
                             nearest_hint(entry.name.table, names_of(schema().tables))));
  }

  void unknown_key(const RawEntry& entry, const Table& table) {
    const std::string& key = entry.name.key;
    for (const Table& other : schema().tables)
      if (wording().has_lines() && other.find(key))
        return blame(entry, fmt::format("unknown {}; it belongs{}", wording().key(table.name, key),
                                        wording().place(other.name)));
    if (table.name.empty() && schema().find(key))
      return blame(entry, fmt::format("'{}' is a table; write [{}]", key, key));
    auto names = names_of(table.keys);
    if (table.name.empty()) {
      const auto tables = names_of(schema().tables);
      names.insert(names.end(), tables.begin(), tables.end());
    }
    blame(entry, fmt::format("unknown {}; {}", wording().key(table.name, key), nearest_hint(key, names)));
  }

  void complete(const Table& table, const Key& key) {
    const KeyName name{table.name, key.name};
    if (is_bad(name) || settings_.values_.contains({table.name, key.name})) return;
    if (key.fallback) {
      settings_.values_[{table.name, key.name}] = *key.fallback;
    } else if (key.required) {
      missing(name, fmt::format("missing {} ({}); for example {} = {}", wording().key(table.name, key.name),
                                without_stop(key.meaning), key.name, wording().value(key.example_text())));
    }
  }

  void missing(const KeyName& name, const std::string& text) {
    mistakes_.push_back({after_file + 1, settings_.origin(), text});
    bad_.push_back(name);
  }

  void apply(const Rule& rule) {
    if (std::any_of(rule.keys.begin(), rule.keys.end(), [&](const auto& key) { return is_bad(key); })) return;
    Problems problems;
    rule.check(problems, settings_);
    for (const Problem& problem : problems.found) {
      const auto at = std::find_if(entries_.begin(), entries_.end(),
                                   [&](const auto& entry) { return entry.name == problem.where; });
      at == entries_.end() ? missing(problem.where, problem.message) : blame(*at, problem.message);
    }
  }

  bool is_bad(const KeyName& name) const { return std::find(bad_.begin(), bad_.end(), name) != bad_.end(); }

  [[noreturn]] void complain() {
    std::stable_sort(mistakes_.begin(), mistakes_.end(),
                     [](const auto& a, const auto& b) { return a.order < b.order; });
    if (mistakes_.size() == 1) throw Error(ErrorKind::job_file, mistakes_.front().whole());
    std::string text = fmt::format("{}: {} mistakes", settings_.origin(), mistakes_.size());
    for (const Mistake& mistake : mistakes_)
      text += "\n  " + (wording().has_lines() ? mistake.whole() : mistake.text);
    throw Error(ErrorKind::job_file, text);
  }

  static constexpr int after_file = 1 << 30;
  Settings& settings_;
  const std::vector<RawEntry>& entries_;
  std::vector<Mistake> mistakes_;
  std::vector<KeyName> bad_;  // keys with a mistake of their own
};

Settings::Settings(const Schema& schema, const std::vector<RawEntry>& entries, std::string origin)
    : schema_(&schema), origin_(std::move(origin)) {
  SettingsChecker(*this, entries).check();
}

}  // namespace plaq::settings
