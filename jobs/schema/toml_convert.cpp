// Values of a file as values of a key.
#include "jobs/schema/toml_reader.hpp"

namespace plaq::jobs {
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

}  // namespace

std::string found_text(Type type, const RawEntry& entry) {
  const auto* elements = std::get_if<std::vector<RawValue>>(&entry.value.value);
  if (!is_list(type) || !elements) return entry.value.kind;
  for (const RawValue& element : *elements) {
    constexpr int any_line = 1;  // an override takes all for strings, but not in a list
    if (!convert(element_of(type), {{}, element, {}, any_line, {}}))
      return entry.value.kind + " with " + element.kind;
  }
  return entry.value.kind;
}

std::optional<Value> convert(Type type, const RawEntry& entry) {
  const RawValue& raw = entry.value;
  const bool is_override = entry.line == 0,
             is_list = std::holds_alternative<std::vector<RawValue>>(raw.value);
  switch (type) {
    case Type::flag:
      return one<bool>(raw);
    case Type::integer:
      return one<std::int64_t>(raw);
    case Type::real:
      return one<double>(raw);
    case Type::string:
      if (is_override && !std::holds_alternative<std::string>(raw.value)) return Value(entry.text);
      return one<std::string>(raw);
    case Type::integers:
      return list<std::int64_t>(raw);
    case Type::reals:
      return list<double>(raw);
    case Type::strings:
      if (is_list) return list<std::string>(raw);
      if (const auto x = convert(Type::string, entry))
        return Value(std::vector<std::string>{std::get<std::string>(*x)});
      return {};
  }
  return {};
}

}  // namespace plaq::jobs
