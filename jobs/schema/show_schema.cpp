#include "jobs/schema/show_schema.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/system/error.hpp"
#include "core/system/wording.hpp"
#include "jobs/common/commands.hpp"
#include "jobs/common/terminal_text.hpp"

namespace plaq::jobs {
namespace {

// Keys say the same in two job types: examples may differ.
bool same(const Key& a, const Key& b) {
  return a.name == b.name && a.type == b.type && a.meaning == b.meaning && a.required == b.required &&
         a.fallback == b.fallback && a.left_out == b.left_out && a.range == b.range &&
         a.multiple_of == b.multiple_of && a.length == b.length && a.may_be_empty == b.may_be_empty &&
         a.many_lines == b.many_lines && a.choices == b.choices;
}

bool same(const Rule& a, const Rule& b) { return a.keys == b.keys && a.text == b.text; }

template <class Has>
bool in_all(Has&& has) {
  const auto types = job_types();
  return std::all_of(types.begin(), types.end(), [&](const JobType& type) { return has(type.schema()); });
}

bool in_all(const Table& table, const Key& key) {
  return in_all([&](const Schema& schema) {
    const Key* other = schema.find(table.name, key.name);
    return other && same(*other, key);
  });
}

bool in_all(const Rule& rule) {
  return in_all([&](const Schema& schema) {
    return std::any_of(schema.rules.begin(), schema.rules.end(),
                       [&](const Rule& r) { return same(r, rule); });
  });
}

Schema part_of(const Schema& schema, bool common) {
  Schema part;
  for (const Table& table : schema.tables) {
    Table kept{table.name, table.meaning, {}};
    for (const Key& key : table.keys)
      if (in_all(table, key) == common) kept.keys.push_back(key);
    // A table that jobs share in part only means something else in each.
    if (common && kept.keys.size() < table.keys.size()) kept.meaning.clear();
    if (!kept.keys.empty()) part.tables.push_back(std::move(kept));
  }
  for (const Rule& rule : schema.rules)
    if (in_all(rule) == common) part.rules.push_back(rule);
  return part;
}

std::string head(const Table& table) {
  if (table.name.empty()) return table.meaning;
  return fmt::format("[{}]{}{}", table.name, table.meaning.empty() ? "" : "  ", table.meaning);
}

std::size_t longest_name(const Schema& schema) {
  std::size_t longest = 0;
  for (const Table& table : schema.tables)
    for (const Key& key : table.keys) longest = std::max(longest, key.name.size());
  return longest;
}

std::string default_sentence(const Key& key) {
  if (key.required) return fmt::format("; needed, for example {}", key.example_text());
  if (key.fallback) return fmt::format("; default {}", key.default_text());
  if (!key.left_out.empty()) return fmt::format("; left out: {}", key.left_out);
  return "; may be left out";
}

std::string tables_text(const Schema& schema) {
  const std::size_t column = longest_name(schema) + 4;
  const std::string before(column, ' ');
  std::string text;
  for (const Table& table : schema.tables) {
    text += wrapped(head(table)) + '\n';
    for (const Key& key : table.keys) {
      std::string lines = wrapped(key.values_text() + default_sentence(key), before);
      lines.replace(2, key.name.size(), key.name);
      text += lines + wrapped(key.meaning, before);
    }
    text += '\n';
  }
  if (schema.rules.empty()) return text;
  text += "Rules, besides the range of each key:\n\n";
  for (const Rule& rule : schema.rules) {
    std::string lines = wrapped(rule_text(rule), "    ");
    lines[2] = '-';
    text += lines;
  }
  return text + '\n';
}

std::string title(const Schema& schema) { return wrapped(fmt::format("{}: {}", schema.job, schema.meaning)); }

}  // namespace

std::string rule_text(const Rule& rule) {
  std::string names;
  for (const KeyName& key : rule.keys)
    names += fmt::format("{}{}.{}", names.empty() ? "" : ", ", key.table, key.key);
  return fmt::format("{}: {}", names, rule.text);
}

SchemaParts schema_parts() {
  SchemaParts parts;
  for (const JobType& type : job_types()) {
    Schema own = part_of(type.schema(), false);
    own.job = type.name;
    own.meaning = type.schema().meaning;
    parts.jobs.push_back(std::move(own));
  }
  parts.common = part_of(job_types().front().schema(), true);
  return parts;
}

const Schema& schema_named(const std::string& job) {
  if (const JobType* type = find_job_type(job)) return type->schema();
  throw Error(ErrorKind::usage,
              fmt::format("schema: unknown job type '{}'; {}", job, nearest_hint(job, job_type_names())));
}

std::string schema_text(const std::string& job) {
  if (!job.empty()) {
    const Schema& schema = schema_named(job);
    return title(schema) + '\n' + tables_text(schema);
  }
  const SchemaParts parts = schema_parts();
  std::string text = "Job types:\n\n";
  std::size_t longest = 0;
  for (const Schema& schema : parts.jobs) longest = std::max(longest, schema.job.size());
  for (const Schema& schema : parts.jobs) {
    std::string lines = wrapped(schema.meaning, std::string(longest + 4, ' '));
    text += lines.replace(2, schema.job.size(), schema.job);
  }
  text += "\nKeys of all job types:\n\n" + tables_text(parts.common);
  for (const Schema& schema : parts.jobs) text += title(schema) + '\n' + tables_text(schema);
  return text;
}

std::string text_of(const SchemaOptions& options) {
  if (options.example) return schema_example(options.job);
  if (options.json) return schema_json(options.job);
  return options.markdown ? schema_markdown(options.job) : schema_text(options.job);
}

}  // namespace plaq::jobs
