// plaq schema: nothing of a schema is lost, and the pages of docs/job-files are what it prints.
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "jobs/common/terminal_text.hpp"
#include "jobs/program/command_line.hpp"
#include "jobs/schema/job_file.hpp"
#include "jobs/schema/show_schema.hpp"
#include "tests/jobs/schema/job_file_helpers.hpp"

namespace plaq::jobs::test {
namespace {

using Json = nlohmann::json;

std::string contents(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The test runs in the source directory.
TEST(Schema, PagesAreWhatTheProgramPrints) {
  EXPECT_TRUE(contents("docs/job-files/index.md") == schema_markdown(""))
      << "docs/job-files/index.md is not what the program prints. Run:\n"
         "  plaq schema --markdown > docs/job-files/index.md";
  for (const auto& job : job_type_names()) {
    const std::string page = "docs/job-files/" + job + ".md";
    EXPECT_TRUE(contents(page) == schema_markdown(job))
        << page << " is not what the program prints. Run:\n  plaq schema " << job << " --markdown > " << page;
  }
}

TEST(Schema, KeysAndRulesHaveSentences) {
  for (const auto& job : job_type_names()) {
    const Schema& schema = schema_named(job);
    EXPECT_TRUE(schema.meaning.ends_with('.')) << job;
    for (const Table& table : schema.tables) {
      EXPECT_TRUE(table.meaning.ends_with('.')) << job << " " << table.name;
      for (const Key& key : table.keys)
        EXPECT_TRUE(key.meaning.ends_with('.')) << job << " " << table.name << "." << key.name;
    }
    for (const Rule& rule : schema.rules) {
      EXPECT_TRUE(rule.text.ends_with('.')) << job << ": " << rule_text(rule);
      for (const KeyName& key : rule.keys) EXPECT_NE(schema.find(key.table, key.key), nullptr) << key.key;
    }
  }
}

TEST(Schema, PartsAddUpToTheWhole) {
  const SchemaParts parts = schema_parts();
  ASSERT_EQ(parts.jobs.size(), job_types().size());
  EXPECT_NE(parts.common.find("run", "threads"), nullptr);
  EXPECT_NE(parts.common.find("output", "overwrite"), nullptr);
  EXPECT_EQ(parts.common.find("output", "file"), nullptr);
  for (const Schema& own : parts.jobs) {
    const Schema& schema = schema_named(own.job);
    EXPECT_EQ(own.rules.size() + parts.common.rules.size(), schema.rules.size()) << own.job;
    for (const Table& table : schema.tables)
      for (const Key& key : table.keys)
        EXPECT_NE(own.find(table.name, key.name) == nullptr,
                  parts.common.find(table.name, key.name) == nullptr)
            << own.job << " " << table.name << "." << key.name;
  }
}

TEST(Schema, TextHasAllKeysInEightyColumns) {
  const auto check = [](const std::string& text, const std::string& job) {
    for (const auto& line : lines_of(text)) EXPECT_LE(line.size(), 80u) << line;
    for (const Table& table : schema_named(job).tables)
      for (const Key& key : table.keys) expect_holds(text, "\n  " + key.name + "  ");
  };
  for (const auto& job : job_type_names()) {
    check(schema_text(job), job);
    check(schema_text(""), job);
  }
  expect_holds(schema_text("generate"), "\n  beta                real, 0 to 1000; needed, for example 6.0\n");
  expect_holds(schema_text("propagator"), "In single precision the tolerance");
}

TEST(Schema, JsonIsComplete) {
  const Json all = Json::parse(schema_json(""));
  ASSERT_EQ(all["jobs"].size(), job_types().size());
  for (const Json& job : all["jobs"]) {
    const auto name = job["job"].get<std::string>();
    const Schema& schema = schema_named(name);
    EXPECT_EQ(job, Json::parse(schema_json(schema.job)));
    ASSERT_EQ(job["tables"].size(), schema.tables.size());
    EXPECT_EQ(job["rules"].size(), schema.rules.size());
    for (std::size_t t = 0; t < schema.tables.size(); ++t)
      EXPECT_EQ(job["tables"][t]["keys"].size(), schema.tables[t].keys.size());
  }
  const Json propagator = Json::parse(schema_json("propagator"));
  Json keys;
  for (const Json& table : propagator["tables"])
    if (table["name"] == "solver")
      for (const Json& key : table["keys"]) keys[key["name"].get<std::string>()] = key;
  EXPECT_EQ(keys["preconditioning"]["default"], "even-odd");
  EXPECT_EQ(keys["precision"]["choices"], Json({"double", "single"}));
  EXPECT_EQ(keys["tolerance"]["greater_than"], 0.0);
  EXPECT_EQ(keys["max_iterations"]["minimum"], 1.0);
  EXPECT_EQ(keys["max_iterations"]["type"], "integer");
}

TEST(Schema, ExampleIsAJob) {
  for (const auto& type : job_type_names()) {
    const std::string text = schema_example(type);
    const JobFile job = JobFile::parse(text, "example.toml");
    EXPECT_EQ(job.type(), type);
    // Every key is there, and what is commented out is the default.
    for (const Table& table : schema_named(type).tables) {
      const std::string head = "\n[" + table.name + "]\n";
      const auto begin = table.name.empty() ? 0 : text.find(head) + head.size() - 1;
      const std::string lines = text.substr(begin, text.find("\n[", begin) - begin);
      for (const Key& key : table.keys) {
        const std::string out = "\n#" + key.name + " = ", in = "\n" + key.name + " = ";
        const bool active = lines.find(in) != std::string::npos;
        EXPECT_NE(active, lines.find(out) != std::string::npos) << type << " " << key.name;
      }
    }
    std::string defaults;
    std::string table;
    for (const auto& line : lines_of(text)) {
      EXPECT_LE(line.size(), 80u) << line;
      if (line.starts_with("[")) table = line.substr(1, line.find(']') - 1);
      const std::string name = line.substr(0, line.find(" = "));
      const bool key_line = line.starts_with("#") && !line.starts_with("# ");
      const bool has_default = key_line && schema_named(type).find(table, name.substr(1))->fallback;
      defaults += (has_default ? line.substr(1) : line) + '\n';
    }
    EXPECT_NE(defaults, text);
    EXPECT_EQ(JobFile::parse(defaults, "example.toml").canonical_text(), job.canonical_text());
  }
}

TEST(Schema, CommandLine) {
  const auto parse = [](std::vector<const char*> words) {
    words.insert(words.begin(), "plaq");
    return parse_command_line(static_cast<int>(words.size()), words.data());
  };
  EXPECT_EQ(std::get<SchemaOptions>(parse({"schema"})).job, "");
  EXPECT_TRUE(std::get<SchemaOptions>(parse({"schema", "measure", "--json"})).json);
  EXPECT_TRUE(std::get<SchemaOptions>(parse({"schema", "measure", "--example"})).example);
  message_of(ErrorKind::usage, [&] { parse({"schema", "--json", "--markdown"}); });
  expect_holds(message_of(ErrorKind::usage, [&] { parse({"schema", "--example"}); }), "JOBTYPE is missing");
  expect_holds(message_of(ErrorKind::usage, [&] { parse({"shcema"}); }), "did you mean 'schema'?");
  expect_holds(message_of(ErrorKind::usage,
                          [&] {
                            text_of(SchemaOptions{"propogator", false, true, false});
                          }),
               "unknown job type 'propogator'; did you mean 'propagator'?");
}

TEST(Wrap, BreaksAtSpaces) {
  EXPECT_EQ(wrapped("one two three", "> ", 10), "> one two\n> three\n");
  EXPECT_EQ(wrapped("one two three", "> ", 9), "> one two\n> three\n");
  EXPECT_EQ(wrapped("one two three", "> ", 8), "> one\n> two\n> three\n");
  EXPECT_EQ(wrapped("toolongaword a", "", 4), "toolongaword\na\n");
  EXPECT_EQ(wrapped("a\n\nb", "", 4), "a\n\nb\n");
}

}  // namespace
}  // namespace plaq::jobs::test
