// A job file whose every key has been checked against the schema of its job type.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "jobs/schema/schema.hpp"

namespace plaq::jobs {

class JobFile {
 public:
  // "table.key=value", the last of a key counts; "table.key=" takes the key out of the file.
  using Overrides = std::vector<std::string>;

  // Read and check everything. Throws job_file errors that list every mistake of the file, each with its
  // line; input_file errors when the file cannot be read; usage errors for an override that is none.
  static JobFile read(const std::string& path, const Overrides& overrides = {});
  // The same from text; `file` is its name in messages. For ranks that got the text from rank 0.
  static JobFile parse(std::string_view text, const std::string& file, const Overrides& overrides = {});
  // By a schema that outlives it, of no job type.
  static JobFile parse_as(const Schema& schema, std::string_view text, const std::string& file);
  static std::string read_text(const std::string& path);

  const Schema& schema() const { return *schema_; }
  const std::string& type() const { return schema_->job; }  // "generate", "measure", ...
  const std::string& file() const { return file_; }

  // True if [output] file and its journal belong to the caller, like the working files of a campaign. A file that cannot be
  // continued is then removed (jobs/results/resume.hpp). No key sets this.
  bool owns_output() const { return owns_output_; }
  void set_owns_output() { owns_output_ = true; }

  // The struct with the values of the keys that are bound to its members (jobs/schema/field.hpp), whichever
  // tables they are in. A key that is absent leaves its member as it was. A struct that this job type binds
  // no key to is an internal error. JobFile: all of it.
  template <class Keys>
  Keys get() const {
    if constexpr (std::is_same_v<Keys, JobFile>) {
      return *this;
    } else {
      Keys keys{};
      fill(typeid(Keys), &keys);
      return keys;
    }
  }

  // The same of the keys in one table alone.
  template <class Keys>
  Keys get(std::string_view table) const {
    Keys keys{};
    fill(typeid(Keys), &keys, table);
    return keys;
  }

  // The effective job as TOML: every key with its value, defaults filled in, in the order of the schema.
  // Equal jobs give equal text, and the text parses to the same job.
  std::string canonical_text() const;
  // The same without the keys that change no result (Key::physics).
  std::string physics_text() const;
  // And without a table.
  std::string physics_text_without(std::string_view table) const;

 private:
  friend class JobChecker;
  JobFile() = default;
  void fill(std::type_index type, void* keys, std::optional<std::string_view> of_table = {}) const;
  std::string text_of(bool all, std::optional<std::string_view> without = {}) const;

  const Schema* schema_ = nullptr;
  std::string file_;
  std::map<std::pair<std::string, std::string>, Value> values_;
  bool owns_output_ = false;
};

template <class... Keys>
Rule::Rule(std::initializer_list<const char*> k, std::string_view t,
           void (*of_keys)(Problems&, const Keys&...))
    : Rule(k, t,
           [of_keys](Problems& problems, const JobFile& job) { of_keys(problems, job.get<Keys>()...); }) {}

}  // namespace plaq::jobs
