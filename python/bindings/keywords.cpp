#include "python/bindings/keywords.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/system/error.hpp"
#include "jobs/common/nearest.hpp"

namespace nb = nanobind;

namespace plaq::python {
namespace {

bool is_list(nb::handle value) {
  return nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value) ||
         (nb::hasattr(value, "tolist") && nb::hasattr(value, "ndim") &&
          nb::cast<int>(value.attr("ndim")) > 0);
}

// A right-hand side of TOML.
std::string text_of(const std::string& key, nb::handle value) {
  if (is_list(value)) {
    std::string list;
    for (nb::handle element : nb::list(value)) list += (list.empty() ? "" : ", ") + text_of(key, element);
    return "[" + list + "]";
  }
  if (nb::isinstance<nb::str>(value)) return jobs::toml_text(nb::cast<std::string>(value));
  if (nb::isinstance<nb::bool_>(value)) return jobs::toml_text(nb::cast<bool>(value));
  if (nb::hasattr(value, "__index__")) return jobs::toml_text(nb::cast<std::int64_t>(nb::int_(value)));
  if (nb::hasattr(value, "__float__")) return jobs::toml_text(nb::cast<double>(nb::float_(value)));
  if (nb::hasattr(value, "__fspath__")) return text_of(key, value.attr("__fspath__")());
  throw Error(ErrorKind::job_file,
              fmt::format("{}: expected a number, a string, True, False or a list of these, found {}", key,
                          nb::cast<std::string>(nb::str(nb::handle(value.type())))));
}

std::string lines_of(const nb::dict& keys) {
  std::string lines;
  for (const auto& [name, value] : keys)
    if (!value.is_none()) {
      const auto key = nb::cast<std::string>(name);
      lines += fmt::format("{} = {}\n", key, text_of(key, value));
    }
  return lines;
}

const std::string& table_with(const jobs::Schema& schema, const std::string& key) {
  std::vector<std::string> known;
  for (const jobs::Table& table : schema.tables) {
    if (table.find(key) != nullptr) return table.name;
    for (const jobs::Key& one : table.keys) known.push_back(one.name);
  }
  throw Error(ErrorKind::job_file,
              fmt::format("{}: unknown keyword '{}'; {}", schema.job, key, jobs::nearest_hint(key, known)));
}

}  // namespace

Keywords& Keywords::add(const std::string& table, const nb::dict& keys) {
  const auto at =
      std::find_if(tables_.begin(), tables_.end(), [&](const auto& t) { return t.first == table; });
  if (at == tables_.end())
    tables_.emplace_back(table, lines_of(keys));
  else
    at->second += lines_of(keys);
  return *this;
}

Keywords& Keywords::add(const jobs::Schema& schema, const nb::dict& keys) {
  for (const auto& [name, value] : keys) {
    const auto key = nb::cast<std::string>(name);
    if (nb::isinstance<nb::dict>(value)) {
      add(key, nb::cast<nb::dict>(value));
    } else {
      nb::dict one;
      one[name] = value;
      add(table_with(schema, key), one);
    }
  }
  return *this;
}

std::string Keywords::toml() const {
  std::string text;
  for (const auto& [name, lines] : tables_)
    if (name.empty()) text = lines + text;
  for (const auto& [name, lines] : tables_)
    if (!name.empty()) text += fmt::format("[{}]\n{}", name, lines);
  return text;
}

jobs::JobFile Keywords::read(const jobs::Schema& schema, const std::string& what) const {
  return jobs::JobFile::parse_as(schema, toml(), what);
}

std::string toml_of_job(const nb::dict& job) {
  Keywords keywords;
  nb::dict top;
  for (const auto& [name, value] : job)
    if (nb::isinstance<nb::dict>(value))
      keywords.add(nb::cast<std::string>(name), nb::cast<nb::dict>(value));
    else
      top[name] = value;
  return keywords.add("", top).toml();
}

std::string override_of(const std::string& key, nb::handle value) {
  return key + "=" + (value.is_none() ? std::string() : text_of(key, value));
}

}  // namespace plaq::python
