// Values against their keys, and values and keys as text.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "settings/schema/key.hpp"

namespace plaq::settings {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        result += "\\\"";
        break;
      case '\\':
        result += "\\\\";
        break;
      case '\n':
        result += "\\n";
        break;
      case '\t':
        result += "\\t";
        break;
      case '\r':
        result += "\\r";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
          result += fmt::format("\\u{:04X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
        } else {
          result += c;
        }
    }
  }
  return result + '"';
}

std::string text_of(bool x) { return x ? "true" : "false"; }
std::string text_of(std::int64_t x) { return fmt::format("{}", x); }
std::string text_of(const std::string& x) { return quoted(x); }
std::string text_of(double x) {
  std::string text = fmt::format("{}", x);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}
template <class T>
std::string text_of(const std::vector<T>& list) {
  std::vector<std::string> texts;
  for (const T& x : list) texts.push_back(text_of(x));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

std::string choices_text(const std::vector<std::string>& choices) {
  std::string text;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (i > 0) text += i + 1 == choices.size() ? " or " : ", ";
    text += quoted(choices[i]);
  }
  return text;
}

using Fault = std::optional<std::string>;

Fault fault(const Key&, bool) { return {}; }

Fault fault(const Key& key, double x) {
  if (!std::isfinite(x)) return fmt::format("found {}, must be finite", x);
  if (!key.range.holds(x)) return fmt::format("found {}, must be {}", text_of(x), key.range_text());
  return {};
}

Fault fault(const Key& key, std::int64_t x) {
  if (!key.range.holds(static_cast<double>(x)))
    return fmt::format("found {}, must be {}", x, key.range_text());
  if (x % key.multiple_of != 0)
    return key.multiple_of == 2 ? fmt::format("found {}, must be even", x)
                                : fmt::format("found {}, must be a multiple of {}", x, key.multiple_of);
  return {};
}

Fault fault(const Key& key, const std::string& x) {
  if (x.empty()) return "must not be empty";
  const bool control = std::any_of(x.begin(), x.end(),
                                   [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
  if (control && (!key.many_lines || x.find('\0') != std::string::npos))
    return fmt::format("found {}, must not hold control characters", quoted(x));
  if (!key.choices.empty() && std::find(key.choices.begin(), key.choices.end(), x) == key.choices.end())
    return fmt::format("found {}, must be {}", quoted(x), choices_text(key.choices));
  if (key.fault != nullptr) return key.fault(x);
  return {};
}

template <class T>
Fault fault(const Key& key, const std::vector<T>& list) {
  if (key.length > 0 && list.size() != key.length)
    return fmt::format("found {} numbers, must be {}", list.size(), key.length);
  if (list.empty() && !key.may_be_empty) return "must not be empty";
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (const Fault found = fault(key, list[i])) return fmt::format("element {}: {}", i + 1, *found);
    if (!key.choices.empty() && !key.may_repeat && std::count(list.begin(), list.end(), list[i]) > 1)
      return fmt::format("{} is listed twice", text_of(list[i]));
  }
  return {};
}

}  // namespace

std::string value_text(const Value& value) {
  return std::visit([](const auto& x) { return text_of(x); }, value);
}

std::optional<std::string> find_fault(const Key& key, const Value& value) {
  const Fault found = std::visit([&](const auto& x) { return fault(key, x); }, value);
  return found ? found : key.member.fault(value);
}

std::string Key::type_text() const {
  const std::string count = length > 0 ? fmt::format("{} ", length) : "";
  switch (type) {
    case Type::flag:
      return "true or false";
    case Type::integer:
      return multiple_of == 2 ? "even integer" : "integer";
    case Type::real:
      return "real";
    case Type::string:
      return choices.empty() ? "string" : choices_text(choices);
    case Type::integers:
      return fmt::format("list of {}{}integers", count, multiple_of == 2 ? "even " : "");
    case Type::reals:
      return fmt::format("list of {}reals", count);
    case Type::strings:
      if (choices.empty()) return fmt::format("list of {}strings", count);
      return "list out of " + text_of(choices);
  }
  return {};
}

std::string Key::range_text() const {
  Range shown = range;
  constexpr double most = 9.2e18;  // all that fits a job file is no limit
  if (type == Type::integer && shown.high > most) shown.high = std::numeric_limits<double>::infinity();
  return shown.text();
}

std::string Key::values_text() const {
  std::string text = type_text();
  if (!may_be_empty) text += ", not empty";
  const std::string allowed = range_text();
  if (allowed.empty()) return text;
  const bool list = type == Type::integers || type == Type::reals;
  return fmt::format("{}, {}{}", text, list ? "each " : "", allowed);
}

std::string Key::default_text() const {
  if (required) return "needed";
  return fallback ? value_text(*fallback) : left_out;
}

std::string Key::example_text() const {
  if (!example.empty()) return example;
  if (fallback) return value_text(*fallback);
  constexpr const char* elements[] = {"true", "1", "1.0", "\"name\""};
  if (!is_list(type)) return choices.empty() ? elements[static_cast<int>(type)] : quoted(choices.front());
  if (!choices.empty()) return text_of(choices);
  const std::vector<std::string> list(std::max<std::size_t>(length, 1),
                                      elements[static_cast<int>(element_of(type))]);
  return fmt::format("[{}]", fmt::join(list, ", "));
}

}  // namespace plaq::settings
