#include "jobs/schema/job_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/system/error.hpp"

namespace plaq::jobs {
namespace {

using List = std::vector<std::int64_t>;

std::array<int, 4> to_four(const List& list) {
  require(list.size() == 4, "a job key read with four() is not a list of 4");
  std::array<int, 4> result{};
  std::transform(list.begin(), list.end(), result.begin(), [](auto x) { return static_cast<int>(x); });
  return result;
}

}  // namespace

template <class T>
const T& JobFile::value(std::string_view table, std::string_view key) const {
  const auto at = values_.find({std::string(table), std::string(key)});
  const T* found = at == values_.end() ? nullptr : std::get_if<T>(&at->second);
  if (!found)
    throw Error(ErrorKind::internal,
                fmt::format("internal error: job key [{}] {} was read as what it is not, "
                            "or without asking whether it is there",
                            table, key));
  return *found;
}

bool JobFile::has(std::string_view table, std::string_view key) const {
  require(schema_->find(table, key) != nullptr, "a job key that the schema does not have was asked for");
  return values_.contains({std::string(table), std::string(key)});
}

bool JobFile::flag(std::string_view table, std::string_view key) const { return value<bool>(table, key); }
std::int64_t JobFile::integer(std::string_view table, std::string_view key) const {
  return value<std::int64_t>(table, key);
}
double JobFile::real(std::string_view table, std::string_view key) const { return value<double>(table, key); }
const std::string& JobFile::string(std::string_view table, std::string_view key) const {
  return value<std::string>(table, key);
}
const List& JobFile::integers(std::string_view table, std::string_view key) const {
  return value<List>(table, key);
}
const std::vector<double>& JobFile::reals(std::string_view table, std::string_view key) const {
  return value<std::vector<double>>(table, key);
}
const std::vector<std::string>& JobFile::strings(std::string_view table, std::string_view key) const {
  return value<std::vector<std::string>>(table, key);
}
std::array<int, 4> JobFile::four(std::string_view table, std::string_view key) const {
  return to_four(integers(table, key));
}
bool JobFile::lists(std::string_view table, std::string_view key, std::string_view element) const {
  const auto& list = strings(table, key);
  return std::find(list.begin(), list.end(), element) != list.end();
}

std::optional<std::int64_t> JobFile::optional_integer(std::string_view table, std::string_view key) const {
  return has(table, key) ? std::optional(integer(table, key)) : std::nullopt;
}
std::optional<double> JobFile::optional_real(std::string_view table, std::string_view key) const {
  return has(table, key) ? std::optional(real(table, key)) : std::nullopt;
}
std::optional<std::string> JobFile::optional_string(std::string_view table, std::string_view key) const {
  return has(table, key) ? std::optional(string(table, key)) : std::nullopt;
}
std::optional<std::array<int, 4>> JobFile::optional_four(std::string_view table, std::string_view key) const {
  return has(table, key) ? std::optional(four(table, key)) : std::nullopt;
}

std::string JobFile::canonical_text() const {
  return text_of([](const KeyName&) { return true; });
}

std::string JobFile::physics_text() const {
  return text_of([](const KeyName& name) {
    if (name.table == "output") return name.key != "overwrite" && name.key != "checkpoint_minutes";
    return name.table != "comms" && name.table != "run" && name.table != "slurm";
  });
}

std::string JobFile::text_of(bool (*wanted)(const KeyName&)) const {
  std::string text;
  for (const Table& table : schema_->tables) {
    std::string keys;
    for (const Key& key : table.keys)
      if (const auto at = values_.find({table.name, key.name});
          at != values_.end() && wanted({table.name, key.name}))
        keys += fmt::format("{} = {}\n", key.name, toml_text(at->second));
    if (keys.empty()) continue;
    if (!table.name.empty()) text += fmt::format("\n[{}]\n", table.name);
    text += keys;
  }
  return text;
}

}  // namespace plaq::jobs
