// Keys of job files as Python's keyword arguments: checked by the schema that job files are checked by.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <utility>
#include <vector>

#include "jobs/schema/job_file.hpp"

namespace plaq::python {

// The tables of a job file. Values may be bool, int, float, str, os.PathLike, sequences of these, and arrays and scalars of
// numpy; None: the key is not given. What is none of these is an Error(job_file) that names the key.
class Keywords {
 public:
  // A table with these keys. A table may be given in parts.
  Keywords& add(const std::string& table, const nanobind::dict& keys);
  // Keyword arguments: each goes to the first of these tables of the schema that has it; one that none has goes to that with
  // the nearest name, for read() to complain of. A dict is a table: multigrid = {"vectors": [24]}, smearing = {...}.
  Keywords& add(const jobs::Schema& schema, const std::vector<std::string>& tables,
                const nanobind::dict& keys);

  std::string toml() const;
  // Checked whole. Throws Error(job_file), which lists every mistake; `call`, as "Clover()", stands for the name of the file.
  jobs::JobFile read(const jobs::Schema& schema, const std::string& call) const;

 private:
  std::vector<std::pair<std::string, std::string>> tables_;  // name, lines
};

// Of a whole job file: values that are dicts are tables, the others keys at its top.
std::string toml_of_job(const nanobind::dict& job);

// A key of the command line's --set: "table.key=value".
std::string override_of(const std::string& key, nanobind::handle value);

}  // namespace plaq::python
