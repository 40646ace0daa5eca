#include "settings/schema/filled_settings.hpp"

#include <algorithm>

#include "core/system/error.hpp"
#include "core/system/wording.hpp"

namespace plaq::settings {
namespace {

// Messages for those who wrote no job file.
class ProgramWording final : public Wording {
 public:
  explicit ProgramWording(std::string first) : first_(std::move(first)) {}
  std::string key(std::string_view table, std::string_view key) const override {
    const std::string name(key);
    return "setting '" + (table == first_ ? name : std::string(table) + "." + name) + "'";
  }
  std::string place(std::string_view) const override { return {}; }
  bool has_lines() const override { return false; }

 private:
  std::string first_;
};

RawValue raw(const Value& value) {
  return std::visit(
      []<class T>(const T& x) -> RawValue {
        if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
          return {x};
        } else {
          std::vector<RawValue> elements;
          for (const auto& element : x) elements.push_back({element});
          return {std::move(elements)};
        }
      },
      value);
}

std::vector<RawEntry> entries_of(const Schema& schema, const std::vector<FilledStruct>& structs) {
  std::vector<RawEntry> entries;
  for (const Table& table : schema.tables)
    for (const Key& key : table.keys)
      for (const FilledStruct& filled : structs) {
        if (filled.type != key.member.keys) continue;
        RawEntry entry;
        entry.name = {table.name, key.name};
        entry.line = static_cast<int>(entries.size()) + 1;
        if (const auto value = key.member.get(filled.members)) {
          entry.value = raw(*value);
          entries.push_back(std::move(entry));
        }
      }
  return entries;
}

}  // namespace

void expect_valid(const Schema& schema, std::string_view call, const std::vector<FilledStruct>& structs) {
  const ProgramWording words(schema.tables.front().name);
  const WordingScope scope(words);
  try {
    Settings(schema, entries_of(schema, structs), std::string(call));
  } catch (const Error& error) {
    throw Error(error.kind() == ErrorKind::job_file ? ErrorKind::usage : error.kind(), error.what());
  }
}

}  // namespace plaq::settings
