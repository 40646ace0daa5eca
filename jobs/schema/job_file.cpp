#include "jobs/schema/job_file.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"

namespace plaq::jobs {

void JobFile::fill(std::type_index type, void* keys, std::optional<std::string_view> of_table) const {
  bool bound = false;
  for (const Table& table : schema_->tables)
    for (const Key& key : table.keys) {
      if (of_table && table.name != *of_table) continue;
      if (key.member.keys != type) continue;
      bound = true;
      const auto at = values_.find({table.name, key.name});
      if (at != values_.end()) key.member.set(keys, at->second);
    }
  require(bound, "keys that a job of this type does not have were asked for");
}

std::string JobFile::canonical_text() const { return text_of(true); }
std::string JobFile::physics_text() const { return text_of(false); }
std::string JobFile::physics_text_without(std::string_view table) const { return text_of(false, table); }

std::string JobFile::text_of(bool all, std::optional<std::string_view> without) const {
  std::string text;
  for (const Table& table : schema_->tables) {
    if (without && table.name == *without) continue;
    std::string keys;
    for (const Key& key : table.keys)
      if (const auto at = values_.find({table.name, key.name}); at != values_.end() && (all || key.physics))
        keys += fmt::format("{} = {}\n", key.name, toml_text(at->second));
    if (keys.empty()) continue;
    if (!table.name.empty()) text += fmt::format("\n[{}]\n", table.name);
    text += keys;
  }
  return text;
}

}  // namespace plaq::jobs
