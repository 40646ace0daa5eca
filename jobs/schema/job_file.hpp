// A job file: settings of a job type, read from TOML.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "settings/schema/field.hpp"
#include "settings/schema/settings.hpp"

namespace plaq::jobs {

using namespace settings;  // tables, keys, rules and settings under their own names in jobs

class JobFile : public Settings {
 public:
  // "table.key=value", the last of a key counts; "table.key=" takes the key out of the file.
  using Overrides = std::vector<std::string>;

  // Read and check everything. Throws job_file errors that list every mistake of the file, each with its
  // line; input_file errors when the file cannot be read; usage errors for an override that is none.
  static JobFile read(const std::string& path, const Overrides& overrides = {});
  // Reads a text whose name in messages is `file`, for ranks that got it from rank 0.
  static JobFile parse(std::string_view text, const std::string& file, const Overrides& overrides = {});
  // By a schema that outlives it, of no job type.
  static JobFile parse_as(const Schema& schema, std::string_view text, const std::string& file);
  static std::string read_text(const std::string& path);

  const std::string& type() const { return schema().job; }  // "generate", "measure", ...
  const std::string& file() const { return origin(); }

  // True if [output] file and its journal belong to the caller, like the working files of a campaign. A file
  // that cannot be continued is then removed (jobs/results/resume.hpp). No key sets this.
  bool owns_output() const { return owns_output_; }
  void set_owns_output() { owns_output_ = true; }

  // The effective job as TOML: every key with its value, defaults filled in, in the order of the schema.
  // Equal jobs give equal text, and the text parses to the same job.
  std::string canonical_text() const;
  // Leaves out the keys that change no result (Key::physics).
  std::string physics_text() const;
  // And without a table.
  std::string physics_text_without(std::string_view table) const;

 private:
  using Settings::Settings;
  std::string text_of(bool all, std::optional<std::string_view> without = {}) const;

  bool owns_output_ = false;
};

// Two jobs by their texts (JobFile::physics_text).
struct JobDifference {
  KeyName key;
  std::string first, second;  // values as in a job file; empty: the key is absent
};

// In the order of the first, then keys that the second alone has.
std::vector<JobDifference> compare_jobs(const std::string& first, const std::string& second);

}  // namespace plaq::jobs
