// The job types: what a job file of each may say, and what runs it. The folder
// of a job type defines its JobType;
// jobs/schema/job_types.cpp lists them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

class JobFile;

struct JobType {
  const char* name;                // value of the key `job`
  const Schema& (*schema)();       // built once
  int (*run)(const JobFile& job);  // collective; returns the exit code
  // Writes the scripts of `plaq run --generate`. Null: one script runs the job. Serial.
  void (*write_scripts)(const JobFile& job, const std::string& directory) = nullptr;
  // The gauge field that the job writes of one that it reads, by their names; null: it writes none.
  std::string (*written_field)(const JobFile& job, const std::string& gauge_file) = nullptr;
  // All files that it writes for one gauge field beside its results, and the key of the
  // directory where most of them go;
  // null: none.
  std::vector<std::string> (*written_files)(const JobFile& job, const std::string& gauge_file) = nullptr;
  const char* written_directory = nullptr;
};
std::span<const JobType> job_types();
std::vector<std::string> job_type_names();
const JobType* find_job_type(std::string_view name);  // null for an unknown one
/// For a job type of earlier versions, which keys of [study] its keys became; empty for any other name.
std::string_view replacement_of(std::string_view name);

}  // namespace plaq::jobs
