// Schemas in Markdown: docs/job-files.md.
#include <fmt/format.h>

#include "jobs/common/wrap.hpp"
#include "jobs/schema/show_schema.hpp"

namespace plaq::jobs {
namespace {

constexpr std::size_t page_width = 120;

constexpr const char* introduction =
    R"(A job file is TOML: `job = "generate"`, `"measure"` or another job type, then tables of keys. `plaq run JOB.toml` checks all of it before anything is allocated, and lists every mistake with its line. `plaq plan JOB.toml` does the same, and says what the job would take and write.

`--set table.key=value` replaces a key, as often as wanted, and `--set table.key=` takes it out: `plaq run propagator.toml --set solver.method=bicgstab --set output.file=bicgstab.h5`.

All quantities are in lattice units. Directions are x, y, z, t, in this order, and coordinates count from 0. File names are relative to the directory in which plaq is started.

Default "needed": the job fails without the key. A dash: the key may be left out. The directory examples/ has job files that run, `plaq schema JOBTYPE --example` prints one with all keys, and `plaq schema JOBTYPE` this page for a terminal.

This page is what `plaq schema --markdown` prints.
)";

std::string escaped(std::string_view text) {
  std::string result;
  bool code = false;
  for (const char c : text) {
    if (c == '`') code = !code;
    // A cell ends at a bar even in code.
    if (c == '|' || (!code && (c == '*' || c == '<' || c == '>'))) result += '\\';
    result += c;
  }
  return result;
}

std::string code(const std::string& text) { return fmt::format("`{}`", text); }

std::string default_cell(const Key& key) {
  if (key.fallback) return escaped(code(key.default_text()));
  const std::string text = key.default_text();
  return text.empty() ? "-" : escaped(text);
}

// Values as they are written in a job file are code.
std::string values_cell(const Key& key) {
  std::string result;
  bool quoted = false;
  for (const char c : key.values_text()) {
    if (c == '"' && !quoted) result += '`';
    result += c;
    if (c == '"' && quoted) result += '`';
    if (c == '"') quoted = !quoted;
  }
  return escaped(result);
}

std::string tables(const Schema& schema) {
  std::string text;
  for (const Table& table : schema.tables) {
    if (!table.name.empty()) text += fmt::format("### [{}]\n\n", table.name);
    if (!table.meaning.empty()) text += wrapped(escaped(table.meaning), {}, page_width) + '\n';
    text += "| key | values | default | meaning |\n|---|---|---|---|\n";
    for (const Key& key : table.keys)
      text += fmt::format("| {} | {} | {} | {} |\n", code(key.name), values_cell(key), default_cell(key),
                          escaped(key.meaning));
    text += '\n';
  }
  if (schema.rules.empty()) return text;
  text += "Beside the range of each key:\n\n";
  for (const Rule& rule : schema.rules) {
    std::string lines = wrapped(escaped(rule_text(rule)), "  ", page_width);
    lines[0] = '-';
    text += lines;
  }
  return text + '\n';
}

std::string section(const Schema& schema) {
  return fmt::format("## {}\n\n{}\n{}", schema.job, wrapped(escaped(schema.meaning), {}, page_width),
                     tables(schema));
}

// One line break at the end.
std::string page(std::string text) {
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace

std::string schema_markdown(const std::string& job) {
  if (!job.empty()) return page(section(schema_named(job)));
  const SchemaParts parts = schema_parts();
  std::string text =
      "# Job files\n\n" + wrapped(introduction, {}, page_width) + "\n| job | what it does |\n|---|---|\n";
  for (const Schema& schema : parts.jobs)
    text += fmt::format("| {} | {} |\n", code('"' + schema.job + '"'), escaped(schema.meaning));
  text += "\n## All jobs\n\n" + tables(parts.common);
  for (const Schema& schema : parts.jobs) text += section(schema);
  return page(text);
}

}  // namespace plaq::jobs
