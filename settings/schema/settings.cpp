#include "settings/schema/settings.hpp"

#include "core/system/error.hpp"

namespace plaq::settings {

void Settings::fill(std::type_index type, void* members, std::optional<std::string_view> of_table) const {
  bool bound = false;
  for (const Table& table : schema_->tables)
    for (const Key& key : table.keys) {
      if (of_table && table.name != *of_table) continue;
      if (key.member.keys != type) continue;
      bound = true;
      if (const Value* value = find({table.name, key.name})) key.member.set(members, *value);
    }
  require(bound, "keys that a job of this type does not have were asked for");
}

const Value* Settings::find(const KeyName& key) const {
  const auto at = values_.find({key.table, key.key});
  return at == values_.end() ? nullptr : &at->second;
}

}  // namespace plaq::settings
