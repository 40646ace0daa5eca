// Keys of job files as Python's keyword arguments: checked by the schema that job files are checked by.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "jobs/schema/job_file.hpp"

namespace plaq::python {

// The tables of a job file. Values may be bool, int, float, str, lists and tuples of these, and arrays and scalars of
// numpy; None: the key is not given.
class Keywords {
 public:
  // A table with these keys. A table may be given in parts.
  Keywords& add(const std::string& table, const nanobind::dict& keys);
  // Each key goes to the first of the schema's tables that has it. A value that is a dict is a table: multigrid =
  // {"vectors": [24]}. Throws Error(job_file) for a key that none has.
  Keywords& add(const jobs::Schema& schema, const nanobind::dict& keys);

  std::string toml() const;
  // Checked whole. Throws Error(job_file), which lists every mistake; `what` stands for the name of the file.
  jobs::JobFile read(const jobs::Schema& schema, const std::string& what) const;

 private:
  std::vector<std::pair<std::string, std::string>> tables_;  // name, lines
};

// Of a whole job file: values that are dicts are tables, the others keys at its top.
std::string toml_of_job(const nanobind::dict& job);

// A key of the command line's --set: "table.key=value".
std::string override_of(const std::string& key, nanobind::handle value);

}  // namespace plaq::python
