#include "jobs/schema/job_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/system/error.hpp"
#include "core/system/wording.hpp"
#include "io/bytes/byte_source.hpp"
#include "jobs/schema/job_types.hpp"
#include "settings/toml/toml.hpp"

namespace plaq::jobs {
namespace {

// The schema of the job type that the key `job` names.
const Schema& choose_schema(const std::vector<RawEntry>& entries, const std::string& file) {
  const auto at = std::find_if(entries.begin(), entries.end(), [](const auto& e) {
    return e.name == KeyName{"", "job"};
  });
  const auto types = job_type_names();
  if (at == entries.end())
    throw Error(ErrorKind::job_file, fmt::format("{}: missing key 'job', the job type; write job = \"{}\"",
                                                 file, fmt::join(types, "\" or \"")));
  const auto name = convert(Type::string, *at);
  const JobType* type = name ? find_job_type(std::get<std::string>(*name)) : nullptr;
  if (type) return type->schema();
  if (const auto now = name ? replacement_of(std::get<std::string>(*name)) : std::string_view(); !now.empty())
    throw Error(ErrorKind::job_file, fmt::format("{}: job = \"{}\" is now job = \"study\": {}", at->place,
                                                 std::get<std::string>(*name), now));
  const std::string found = name ? fmt::format("\"{}\"; {}", std::get<std::string>(*name),
                                               nearest_hint(std::get<std::string>(*name), types))
                                 : at->value.kind();
  throw Error(ErrorKind::job_file, fmt::format("{}: job must be \"{}\", found {}", at->place,
                                               fmt::join(types, "\" or \""), found));
}

}  // namespace

JobFile JobFile::parse_as(const Schema& schema, std::string_view text, const std::string& file) {
  return {schema, read_toml(text, file), file};
}

JobFile JobFile::parse(std::string_view text, const std::string& file, const Overrides& overrides) {
  auto entries = read_toml(text, file);
  for (const std::string& override_text : overrides) {
    RawEntry entry = read_override(override_text);
    std::erase_if(entries, [&](const RawEntry& old) { return old.name == entry.name; });
    if (!entry.typed->empty()) entries.push_back(std::move(entry));
  }
  return {choose_schema(entries, file), entries, file};
}

std::string JobFile::read_text(const std::string& path) { return text_of_file(path, 1 << 20); }

JobFile JobFile::read(const std::string& path, const Overrides& overrides) {
  return parse(read_text(path), path, overrides);
}

std::string JobFile::canonical_text() const { return text_of(true); }
std::string JobFile::physics_text() const { return text_of(false); }
std::string JobFile::physics_text_without(std::string_view table) const { return text_of(false, table); }

std::string JobFile::text_of(bool all, std::optional<std::string_view> without) const {
  std::string text;
  for (const Table& table : schema().tables) {
    if (without && table.name == *without) continue;
    std::string keys;
    for (const Key& key : table.keys)
      if (const Value* value = find({table.name, key.name}); value != nullptr && (all || key.physics))
        keys += fmt::format("{} = {}\n", key.name, value_text(*value));
    if (keys.empty()) continue;
    if (!table.name.empty()) text += fmt::format("\n[{}]\n", table.name);
    text += keys;
  }
  return text;
}

}  // namespace plaq::jobs
