// Keyword arguments as settings: each is a key of a schema, with its type, range and messages.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "core/system/wording.hpp"
#include "settings/schema/settings.hpp"

namespace plaq::python {

// Values may be bool, int, float, str, os.PathLike, sequences of these, and arrays and scalars of numpy;
// None: the key is not given. A value of another type is an Error(job_file) that names the key, and
// so is a key that is given twice.
class Keywords {
 public:
  // Keys of one table.
  Keywords& add(const std::string& table, const nanobind::dict& keys);
  // Keyword arguments: each goes to the first of these tables of the schema that has it; one that none has
  // goes to that with the nearest name, for read() to complain of. A dict is a table:
  // multigrid = {"vectors": [24]}, smearing = {...}.
  Keywords& add(const settings::Schema& schema, const std::vector<std::string>& tables,
                const nanobind::dict& keys);

  const std::vector<settings::RawEntry>& entries() const { return entries_; }
  // Checks all keys. Throws Error(job_file), which lists every mistake. `call` stands
  // for the name of a file: "Clover()".
  settings::Settings read(const settings::Schema& schema, const std::string& call) const {
    return {schema, entries_, call};
  }

 private:
  std::vector<settings::RawEntry> entries_;
};

// Keyword arguments of a function whose schema has its name, each a key of one of the schema's tables. Throws
// as Keywords::read().
settings::Settings keyword_settings(const settings::Schema& schema, const nanobind::dict& keys);

// A whole job file as TOML: values that are dicts are tables, the others are keys at its top.
std::string toml_of_job(const nanobind::dict& job);

// A key of the command line's --set: "table.key=value".
std::string override_of(const std::string& key, nanobind::handle value);

/// Messages of calls from Python, where keys of job files are arguments: "argument 'kappa'"; keys of tables
/// that are dicts "key 'steps' of smearing".
const Wording& call_wording();

/// Name of the argument that is a dict of a table's keys; empty: its keys are arguments themselves.
std::string_view dict_of(std::string_view table);

}  // namespace plaq::python
