#include "settings/schema/raw_value.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"

namespace plaq::settings {
namespace {

template <class T>
std::optional<T> scalar(const RawValue& raw) {
  if (const T* x = std::get_if<T>(&raw.value)) return *x;
  return {};
}

template <>
std::optional<double> scalar<double>(const RawValue& raw) {
  if (const auto* x = std::get_if<std::int64_t>(&raw.value)) return static_cast<double>(*x);
  if (const auto* x = std::get_if<double>(&raw.value)) return *x;
  return {};
}

template <class T>
std::optional<Value> one(const RawValue& raw) {
  if (const auto x = scalar<T>(raw)) return Value(*x);
  return {};
}

template <class T>
std::optional<Value> list(const RawValue& raw) {
  const auto* elements = std::get_if<std::vector<RawValue>>(&raw.value);
  if (!elements) return {};
  std::vector<T> result;
  for (const RawValue& element : *elements) {
    const auto x = scalar<T>(element);
    if (!x) return {};
    result.push_back(*x);
  }
  return Value(result);
}

std::optional<Value> convert(Type type, const RawValue& raw) {
  switch (type) {
    case Type::flag:
      return one<bool>(raw);
    case Type::integer:
      return one<std::int64_t>(raw);
    case Type::real:
      return one<double>(raw);
    case Type::string:
      return one<std::string>(raw);
    case Type::integers:
      return list<std::int64_t>(raw);
    case Type::reals:
      return list<double>(raw);
    case Type::strings:
      if (const auto x = scalar<std::string>(raw)) return Value(std::vector<std::string>{*x});
      return list<std::string>(raw);
  }
  return {};
}

}  // namespace

std::string RawValue::kind() const {
  if (std::holds_alternative<bool>(value)) return "true or false";
  if (const auto* x = std::get_if<std::int64_t>(&value)) return fmt::format("the integer {}", *x);
  if (const auto* x = std::get_if<double>(&value)) return "the real " + value_text(Value(*x));
  if (std::holds_alternative<std::string>(value)) return "a string";
  if (const auto* other = std::get_if<Other>(&value)) return other->kind;
  return "a list";
}

std::optional<Value> convert(Type type, const RawEntry& entry) {
  const auto found = convert(type, entry.value);
  if (found || !entry.typed) return found;
  const bool is_list = std::holds_alternative<std::vector<RawValue>>(entry.value.value);
  if (type == Type::string) return Value(*entry.typed);
  if (type == Type::strings && !is_list) return Value(std::vector<std::string>{*entry.typed});
  return {};
}

std::string found_text(Type type, const RawEntry& entry) {
  const std::string kind = entry.value.kind();
  const auto* elements = std::get_if<std::vector<RawValue>>(&entry.value.value);
  if (!is_list(type) || !elements) return kind;
  for (const RawValue& element : *elements)
    if (!convert(element_of(type), element)) return kind + " with " + element.kind();
  return kind;
}

std::string value_text(const RawValue& raw) {
  if (const auto* elements = std::get_if<std::vector<RawValue>>(&raw.value)) {
    std::string list;
    for (const RawValue& element : *elements) list += (list.empty() ? "" : ", ") + value_text(element);
    return "[" + list + "]";
  }
  for (const Type type : {Type::flag, Type::integer, Type::real, Type::string})
    if (const auto value = convert(type, raw)) return value_text(*value);
  throw Error(ErrorKind::internal, "a job file has no text for " + raw.kind());
}

}  // namespace plaq::settings
