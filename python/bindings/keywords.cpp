#include "python/bindings/keywords.hpp"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/system/error.hpp"
#include "core/system/wording.hpp"
#include "python/bindings/arguments.hpp"
#include "settings/toml/toml.hpp"

namespace nb = nanobind;

namespace plaq::python {
namespace {

// numpy's letter for the type of an array or scalar; 0: it is none.
char kind_of(nb::handle value) {
  if (!nb::hasattr(value, "dtype") || !nb::hasattr(value, "tolist")) return 0;
  const std::string kind = nb::str(value.attr("dtype").attr("kind")).c_str();
  return kind.empty() ? '\0' : kind.front();
}

bool is_list(nb::handle value) {
  if (kind_of(value) != 0) return nb::hasattr(value, "ndim") && !value.attr("ndim").equal(nb::int_(0));
  return PySequence_Check(value.ptr()) != 0 && !nb::isinstance<nb::str>(value) &&
         !nb::isinstance<nb::bytes>(value) && !nb::isinstance<nb::dict>(value);
}

[[noreturn]] void refuse(const std::string& table, const std::string& key, std::string_view wanted,
                         nb::handle found) {
  throw Error(ErrorKind::job_file, fmt::format("{}: expected {}, found {}", wording().label(table, key),
                                               wanted, found_text(found)));
}

settings::RawValue value_of(const std::string& table, const std::string& key, nb::handle value) {
  if (is_list(value)) {
    std::vector<settings::RawValue> elements;
    for (nb::handle element : nb::list(value)) elements.push_back(value_of(table, key, element));
    return {std::move(elements)};
  }
  if (nb::hasattr(value, "__fspath__")) return {path_of(value, key)};
  if (nb::isinstance<nb::str>(value)) {
    Py_ssize_t size = 0;
    const char* text = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
    if (text == nullptr) {
      PyErr_Clear();
      refuse(table, key, "text that is UTF-8", value);
    }
    return {std::string(text, static_cast<std::size_t>(size))};
  }
  const char kind = kind_of(value);
  if (nb::isinstance<nb::bool_>(value) || kind == 'b') return {PyObject_IsTrue(value.ptr()) == 1};
  if (PyIndex_Check(value.ptr()) != 0 && kind != 'f')
    return {integer_of(value, key, "an integer of at most 64 bits")};
  if (nb::hasattr(value, "__float__") && kind != 'c') {
    const double number = PyFloat_AsDouble(value.ptr());
    if (PyErr_Occurred() == nullptr) return {number};
    PyErr_Clear();
  }
  refuse(table, key, "a number, a string, a path, True, False or a list of these", value);
}

std::string name_of_key(nb::handle name) {
  return argument_as<std::string>(name, "keys", "names that are strings");
}

const std::string& table_with(const settings::Schema& schema, const std::vector<std::string>& tables,
                              const std::string& key) {
  const auto with = [&](const std::string& name) {
    return std::find_if(tables.begin(), tables.end(),
                        [&](const std::string& table) { return schema.find(table, name) != nullptr; });
  };
  if (const auto at = with(key); at != tables.end()) return *at;
  std::vector<std::string> known;
  for (const std::string& table : tables)
    if (dict_of(table).empty())
      for (const settings::Key& one : schema.find(table)->keys) known.push_back(one.name);
  return *with(nearest_name(key, known));
}

}  // namespace

Keywords& Keywords::add(const std::string& table, const nb::dict& keys) {
  for (const auto& [name, value] : keys) {
    if (value.is_none()) continue;
    const settings::KeyName key(table, name_of_key(name));
    if (std::any_of(entries_.begin(), entries_.end(), [&](const auto& one) { return one.name == key; }))
      throw Error(ErrorKind::job_file, fmt::format("{}: given twice", wording().label(table, key.key)));
    settings::RawEntry entry;
    entry.name = key;
    entry.value = value_of(table, key.key, value);
    entry.line = static_cast<int>(entries_.size()) + 1;
    entries_.push_back(std::move(entry));
  }
  return *this;
}

Keywords& Keywords::add(const settings::Schema& schema, const std::vector<std::string>& tables,
                        const nb::dict& keys) {
  for (const auto& [name, value] : keys) {
    const std::string key = name_of_key(name);
    const auto dict =
        std::find_if(tables.begin(), tables.end(), [&](const auto& t) { return dict_of(t) == key; });
    if (dict != tables.end()) {
      if (value.is_none()) continue;
      if (!nb::isinstance<nb::dict>(value)) refuse("", key, "a dict of keys", value);
      add(*dict, nb::cast<nb::dict>(value));
    } else {
      nb::dict one;
      one[name] = value;
      add(table_with(schema, tables, key), one);
    }
  }
  return *this;
}

std::string toml_of_job(const nb::dict& job) {
  Keywords keywords;
  std::vector<settings::RawEntry> heads;
  for (const auto& [name, value] : job) {
    const std::string key = name_of_key(name);
    if (nb::isinstance<nb::dict>(value)) {
      keywords.add(key, nb::cast<nb::dict>(value));
      heads.emplace_back().name.table = key;
      heads.back().is_table = true;
    } else {
      nb::dict top;
      top[name] = value;
      keywords.add("", top);
    }
  }
  heads.insert(heads.end(), keywords.entries().begin(), keywords.entries().end());
  return settings::toml_text(heads);
}

std::string override_of(const std::string& key, nb::handle value) {
  const auto dot = key.rfind('.');
  const std::string table = dot == std::string::npos ? "" : key.substr(0, dot), name = key.substr(dot + 1);
  return key + "=" + (value.is_none() ? std::string() : settings::value_text(value_of(table, name, value)));
}

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> dicts = {{
    {"action_smearing", "smearing"},
    {"multigrid", "multigrid"},
    {"annealing", "annealing"},
    {"stochastic", "stochastic"},
    {"overrelaxation", "overrelaxation"},
    {"dilution", "dilution"},
}};

class CallWording final : public Wording {
 public:
  std::string key(std::string_view table, std::string_view key) const override {
    const auto dict = dict_of(table);
    return dict.empty() ? fmt::format("argument '{}'", key) : fmt::format("key '{}' of {}", key, dict);
  }
  std::string place(std::string_view table) const override {
    const auto dict = dict_of(table);
    return dict.empty() ? std::string() : fmt::format(" of {}", dict);
  }
  std::string setting(std::string_view table, std::string_view key, std::string_view value) const override {
    if (key == "antiperiodic") return "antiperiodic = True";  // of two words in job files
    return fmt::format("{} = {}{}", key, this->value(value), place(table));
  }
  std::string value(std::string_view text) const override {
    if (text == "true") return "True";
    if (text == "false") return "False";
    if (text == "true or false") return "True or False";
    return std::string(text);
  }
  bool has_lines() const override { return false; }
};

}  // namespace

std::string_view dict_of(std::string_view table) {
  for (const auto& [name, dict] : dicts)
    if (name == table) return dict;
  return {};
}

const Wording& call_wording() {
  static const CallWording of_calls;
  return of_calls;
}

settings::Settings keyword_settings(const settings::Schema& schema, const nb::dict& keys) {
  std::vector<std::string> tables;
  for (const settings::Table& table : schema.tables) tables.push_back(table.name);
  return Keywords().add(schema, tables, keys).read(schema, schema.job + "()");
}

}  // namespace plaq::python
