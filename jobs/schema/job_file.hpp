// A job file whose every key has been checked against the schema of its job type.
#pragma once

#include <array>
#include <cstdint>
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
  static std::string read_text(const std::string& path);

  const Schema& schema() const { return *schema_; }
  const std::string& type() const { return schema_->job; }  // "generate", "measure", ...
  const std::string& file() const { return file_; }

  // Has a value: from the file, an override or the default.
  bool has(std::string_view table, std::string_view key) const;

  // Values of required keys and keys with a default. Asking for a key that the schema does not have, of
  // another type, or an absent optional one is an internal error.
  bool flag(std::string_view table, std::string_view key) const;
  std::int64_t integer(std::string_view table, std::string_view key) const;
  double real(std::string_view table, std::string_view key) const;
  const std::string& string(std::string_view table, std::string_view key) const;
  const std::vector<std::int64_t>& integers(std::string_view table, std::string_view key) const;
  const std::vector<double>& reals(std::string_view table, std::string_view key) const;
  const std::vector<std::string>& strings(std::string_view table, std::string_view key) const;
  // A list of 4 integers, one a direction.
  std::array<int, 4> four(std::string_view table, std::string_view key) const;
  // Whether a list of strings holds `element`.
  bool lists(std::string_view table, std::string_view key, std::string_view element) const;

  // The same of optional keys.
  std::optional<std::int64_t> optional_integer(std::string_view table, std::string_view key) const;
  std::optional<double> optional_real(std::string_view table, std::string_view key) const;
  std::optional<std::string> optional_string(std::string_view table, std::string_view key) const;
  std::optional<std::array<int, 4>> optional_four(std::string_view table, std::string_view key) const;

  // The effective job as TOML: every key with its value, defaults filled in, in the order of the schema.
  // Equal jobs give equal text, and the text parses to the same job.
  std::string canonical_text() const;
  // The same without the keys that change no result: [comms], [run], [slurm], and overwrite and
  // checkpoint_minutes of [output].
  std::string physics_text() const;

 private:
  friend class JobChecker;
  JobFile() = default;
  std::string text_of(bool (*wanted)(const KeyName&)) const;
  template <class T>
  const T& value(std::string_view table, std::string_view key) const;

  const Schema* schema_ = nullptr;
  std::string file_;
  std::map<std::pair<std::string, std::string>, Value> values_;
};

}  // namespace plaq::jobs
