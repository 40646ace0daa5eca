// The job types: what a job file of each may say, and what runs it. A new one is declared here, and has a
// line in job_types().
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "jobs/schema/schema.hpp"

namespace plaq::jobs {

struct JobType {
  const char* name;           // value of the key `job`
  const Schema& (*schema)();  // built once
  int (*run)(const JobFile&);
  void (*write_scripts)(const JobFile&, const std::string& directory) = nullptr;  // serial
};
std::span<const JobType> job_types();
std::vector<std::string> job_type_names();
const JobType* find_job_type(std::string_view name);  // null for an unknown one

const Schema& eigenvectors_schema();
const Schema& gaugefix_schema();
const Schema& generate_schema();
const Schema& kernel_study_schema();
const Schema& measure_schema();
const Schema& multigrid_setup_schema();
const Schema& propagator_schema();
const Schema& scaling_schema();
const Schema& solver_study_schema();
int run_eigenvectors(const JobFile& job);
int run_gaugefix(const JobFile& job);
int run_generate(const JobFile& job);
int run_kernel_study(const JobFile& job);
int run_measure(const JobFile& job);
int run_multigrid_setup(const JobFile& job);
int run_propagator(const JobFile& job);
int run_scaling(const JobFile& job);
int run_solver_study(const JobFile& job);
void write_scaling_scripts(const JobFile& job, const std::string& directory);

// Name of a field saved by a generate job: PREFIX.NNNNNN.FORMAT, `sweep` counting compound sweeps.
std::string configuration_name(const std::string& prefix, std::int64_t sweep, const std::string& format);

}  // namespace plaq::jobs
