#include "settings/schema/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/system/wording.hpp"

namespace plaq::settings {

bool Range::holds(double x) const {
  return (low_excluded ? x > low : x >= low) && (high_excluded ? x < high : x <= high);
}

std::string Range::text() const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const bool below = low > -infinity, above = high < infinity;
  if (below && above && !low_excluded && !high_excluded) return fmt::format("{} to {}", low, high);
  std::string text;
  if (below) text += fmt::format("{} {}", low_excluded ? "greater than" : "at least", low);
  if (below && above) text += " and ";
  if (above) text += fmt::format("{} {}", high_excluded ? "less than" : "at most", high);
  return text;
}

Key::Key() = default;
Key::~Key() = default;
Key::Key(const Key&) = default;
Key& Key::operator=(const Key&) = default;

Table not_physics(Table table) {
  for (Key& key : table.keys) key.not_physics();
  return table;
}

KeyName::KeyName(const char* dotted) {
  const std::string_view name = dotted;
  table = name.substr(0, name.find('.'));
  key = name.substr(table.size() + 1);
}

Rule::Rule(std::initializer_list<const char*> k, std::string_view t, Check c)
    : keys(k.begin(), k.end()), text(t), check(std::move(c)) {}

void Problems::add(const KeyName& key, std::string_view what) {
  found.push_back({key, fmt::format("{}: {}", wording().label(key.table, key.key), what)});
}
void Problems::missing(const KeyName& key, std::string_view what) {
  found.push_back({key, fmt::format("missing {}: {}", wording().key(key.table, key.key), what)});
}

const Key* Table::find(std::string_view wanted) const {
  const auto at = std::find_if(keys.begin(), keys.end(), [&](const Key& key) { return key.name == wanted; });
  return at == keys.end() ? nullptr : &*at;
}

const Table* Schema::find(std::string_view wanted) const {
  const auto at =
      std::find_if(tables.begin(), tables.end(), [&](const Table& table) { return table.name == wanted; });
  return at == tables.end() ? nullptr : &*at;
}

const Key* Schema::find(std::string_view table, std::string_view key) const {
  const Table* found = find(table);
  return found ? found->find(key) : nullptr;
}

}  // namespace plaq::settings
