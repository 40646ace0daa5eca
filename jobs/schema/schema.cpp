#include "jobs/schema/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace plaq::jobs {

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

Key& Key::need(std::string text) {
  required = true;
  return such_as(std::move(text));
}
Key& Key::otherwise(Value value) {
  fallback = std::move(value);
  return *this;
}
Key& Key::such_as(std::string text) {
  example = std::move(text);
  return *this;
}
Key& Key::without(std::string text) {
  left_out = std::move(text);
  return *this;
}
Key& Key::show() {
  in_example = true;
  return *this;
}
Key& Key::within(double low, double high) {
  range = {low, high, false, false};
  return *this;
}
Key& Key::at_least(double low) {
  range.low = low;
  return *this;
}
Key& Key::between(double low, double high) {
  range = {low, high, true, true};
  return *this;
}
Key& Key::even() {
  multiple_of = 2;
  return *this;
}
Key& Key::of_length(std::size_t count) {
  length = count;
  return *this;
}
Key& Key::not_empty() {
  may_be_empty = false;
  return *this;
}
Key& Key::one_of(std::vector<std::string> names) {
  choices = std::move(names);
  return *this;
}

Key& Key::of_many_lines() {
  many_lines = true;
  return *this;
}

namespace key {
namespace {
Key make(Type type, std::string name, std::string meaning) {
  Key key;
  key.type = type;
  key.name = std::move(name);
  key.meaning = std::move(meaning);
  return key;
}
}  // namespace
Key flag(std::string name, std::string meaning) {
  return make(Type::flag, std::move(name), std::move(meaning));
}
Key integer(std::string name, std::string meaning) {
  return make(Type::integer, std::move(name), std::move(meaning));
}
Key real(std::string name, std::string meaning) {
  return make(Type::real, std::move(name), std::move(meaning));
}
Key string(std::string name, std::string meaning) {
  return make(Type::string, std::move(name), std::move(meaning));
}
Key integers(std::string name, std::string meaning) {
  return make(Type::integers, std::move(name), std::move(meaning));
}
Key reals(std::string name, std::string meaning) {
  return make(Type::reals, std::move(name), std::move(meaning));
}
Key strings(std::string name, std::string meaning) {
  return make(Type::strings, std::move(name), std::move(meaning));
}
}  // namespace key

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

}  // namespace plaq::jobs
