// The schemas as text for users and programs: plaq schema.
#pragma once

#include <string>
#include <vector>

#include "jobs/schema/job_types.hpp"

namespace plaq::jobs {

// All functions: an empty `job` means all job types, with what is common to them once. Lines of the text have
// at most 80 characters.
std::string schema_text(const std::string& job);
// docs/job-files/index.md of an empty `job`, else the page of a job type in docs/job-files.
std::string schema_markdown(const std::string& job);
std::string schema_json(const std::string& job);
// A job file with every key and its meaning; optional keys are commented out and show their default.
std::string schema_example(const std::string& job);

// Throws a usage error with the nearest name.
const Schema& schema_named(const std::string& job);

// Keys and rules that all job types have (equal but for the example), and what each has of its own.
struct SchemaParts {
  Schema common;  // job and meaning are empty
  std::vector<Schema> jobs;
};
SchemaParts schema_parts();

// "solver.precision, solver.tolerance: In single ..."
std::string rule_text(const Rule& rule);

}  // namespace plaq::jobs
