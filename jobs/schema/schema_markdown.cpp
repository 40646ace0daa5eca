// Schemas in Markdown: the pages of docs/job-files.
#include <fmt/format.h>

#include <algorithm>

#include "jobs/common/terminal_text.hpp"
#include "jobs/schema/show_schema.hpp"

namespace plaq::jobs {
namespace {

constexpr std::size_t page_width = 120;

constexpr const char* introduction =
    R"(A job file is a TOML file. It begins with the job type, for example `job = "generate"`, and tables of keys follow. `plaq run JOB.toml` checks the whole file before it allocates anything, and lists every mistake with its line. `plaq plan JOB.toml` checks the file too, and says what the job would need and write.

`--set table.key=value` replaces a key. `--set table.key=` removes a key. Both may be given many times: `plaq run propagator.toml --set solver.method=bicgstab --set output.file=bicgstab.h5`.

All quantities are in lattice units. The order of directions is x, y, z, t, and coordinates count from 0. File names are relative to the directory in which plaq is started.

The tables give the values and the default of each key. A job fails without a key that is "needed". The directory examples/ has job files that run. `plaq schema JOBTYPE` prints the keys of a job type on a terminal, and `plaq schema JOBTYPE --example` prints a job file with all keys.

`plaq schema --markdown` prints this page, and `plaq schema JOBTYPE --markdown` prints the page of a job type.
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

std::string default_text(const Key& key) {
  if (key.required) return "needed";
  if (key.fallback) return "default " + escaped(code(key.default_text()));
  return key.left_out.empty() ? "may be left out" : "left out: " + escaped(key.left_out);
}

// Values as they are written in a job file are code.
std::string values_text(const Key& key) {
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

std::string paragraph(const std::string& text) { return wrapped(text, {}, page_width) + '\n'; }

std::string rules_list(const std::vector<Rule>& rules) {
  if (rules.empty()) return {};
  std::string text = "## Rules\n\nplaq checks the range of each key, and these rules:\n\n";
  for (const Rule& rule : rules) {
    std::string names;
    for (const KeyName& key : rule.keys)
      names += fmt::format("{}`{}.{}`", names.empty() ? "" : ", ", key.table, key.key);
    std::string lines = wrapped(fmt::format("{}: {}", names, escaped(rule.text)), "  ", page_width);
    lines[0] = '-';
    text += lines;
  }
  return text + '\n';
}

// Two columns, so that a table fits a narrow screen. `common` may have further keys of the same table.
std::string tables(const Schema& schema, const Schema* common) {
  std::string text;
  for (const Table& table : schema.tables) {
    if (!table.name.empty()) text += fmt::format("## [{}]\n\n", table.name);
    if (!table.meaning.empty()) text += paragraph(escaped(table.meaning));
    text += "| key | meaning, values and default |\n|---|---|\n";
    for (const Key& key : table.keys)
      text += fmt::format("| {} | {}<br>{}; {} |\n", code(key.name), escaped(key.meaning), values_text(key),
                          default_text(key));
    text += '\n';
    if (common && common->find(table.name))
      text += fmt::format("Further keys of this table: [all job types](index.md#{}).\n\n", table.name);
  }
  return text + rules_list(schema.rules);
}

// Links to the tables of the page.
std::string contents(const Schema& schema) {
  std::string text;
  for (const Table& table : schema.tables)
    text += fmt::format("{}[`[{}]`](#{})", text.empty() ? "" : " · ", table.name, table.name);
  return paragraph(text);
}

std::string job_page(const Schema& own, const Schema& common) {
  std::string text = fmt::format("# {}\n\n{}", own.job, paragraph(escaped(own.meaning)));
  text +=
      paragraph(fmt::format("`job = \"{}\"`. Tables and keys of all job types are in [job files](index.md). "
                            "This page is printed by `plaq schema {} --markdown`.",
                            own.job, own.job));
  return text + contents(own) + tables(own, &common);
}

std::string index_page(const SchemaParts& parts) {
  std::string text = "# Job files\n\n" + wrapped(introduction, {}, page_width) +
                     "\n| job type | what it does |\n|---|---|\n";
  for (const Schema& schema : parts.jobs)
    text += fmt::format("| [{0}]({0}.md) | {1} |\n", schema.job, escaped(schema.meaning));
  text += "\nThe tables below are those of all job types.\n\n";
  return text + tables(parts.common, nullptr);
}

// One line break at the end.
std::string page(std::string text) {
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace

std::string schema_markdown(const std::string& job) {
  const SchemaParts parts = schema_parts();
  if (job.empty()) return page(index_page(parts));
  const std::string& name = schema_named(job).job;
  const auto own = std::find_if(parts.jobs.begin(), parts.jobs.end(),
                                [&](const Schema& schema) { return schema.job == name; });
  return page(job_page(*own, parts.common));
}

}  // namespace plaq::jobs
