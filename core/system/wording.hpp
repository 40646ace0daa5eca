// Words of messages for keys of job files, and hints at mistyped names. A call from Python has arguments in
// their place.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plaq {

class Wording {
 public:
  virtual ~Wording() = default;
  /// "key 'steps' in [smearing]"; an empty table is the top of the file.
  virtual std::string key(std::string_view table, std::string_view key) const;
  /// " in [smearing]": where a setting is.
  virtual std::string place(std::string_view table) const;
  /// "overwrite = true in [output]"; `value` as a job file has it.
  virtual std::string setting(std::string_view table, std::string_view key, std::string_view value) const;
  /// A value, or the name of a type, as a reader writes it.
  virtual std::string value(std::string_view text) const { return std::string(text); }
  /// False where mistakes have no line.
  virtual bool has_lines() const { return true; }

  /// The key without its noun: "'steps' in [smearing]".
  std::string label(std::string_view table, std::string_view key) const;
};

/// Wording of the messages that are made now, on any thread; at first that of job files.
const Wording& wording();
const Wording& job_file_wording();

/// Changes the wording while it lives. `wording` outlives it.
class WordingScope {
 public:
  explicit WordingScope(const Wording& wording);
  ~WordingScope();
  WordingScope(const WordingScope&) = delete;
  WordingScope& operator=(const WordingScope&) = delete;

 private:
  const Wording* before_;
};

// Typing mistakes in names: number of letters to insert, delete, replace or swap with their neighbour to get
// from `a` to `b` (optimal string alignment; bytes; upper and lower case differ).
int edit_distance(std::string_view a, std::string_view b);

// The name with the smallest distance, the first of equals; empty when there are none.
std::string nearest_name(std::string_view wanted, const std::vector<std::string>& names);

// "did you mean 'x'?" when the nearest name is close, else "there are 'x', 'y' and 'z'"; empty without names.
std::string nearest_hint(std::string_view wanted, const std::vector<std::string>& names);

}  // namespace plaq
