// The job types: what a job file of each may say, and what runs it. A new one is declared here, and has a
// line in job_types().
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/schema/schema.hpp"

namespace plaq::jobs {

struct JobType {
  const char* name;           // value of the key `job`
  const Schema& (*schema)();  // built once
  int (*run)(const JobFile&);
  void (*write_scripts)(const JobFile&, const std::string& directory) = nullptr;  // serial
  // The gauge field that the job writes of one that it reads, by their names; null: it writes none.
  std::string (*written_field)(const JobFile&, const std::string& gauge_file) = nullptr;
  // All files that it writes for one gauge field beside its results, and the key of the directory where most of them go;
  // null: none.
  std::vector<std::string> (*written_files)(const JobFile&, const std::string& gauge_file) = nullptr;
  const char* written_directory = nullptr;
};
std::span<const JobType> job_types();
std::vector<std::string> job_type_names();
const JobType* find_job_type(std::string_view name);  // null for an unknown one

const Schema& contract_schema();
const Schema& eigenvectors_schema();
const Schema& gaugefix_schema();
const Schema& generate_schema();
const Schema& gluon_schema();
const Schema& kernel_study_schema();
const Schema& loops_schema();
const Schema& measure_schema();
const Schema& multigrid_setup_schema();
const Schema& propagator_schema();
const Schema& scaling_schema();
const Schema& solver_study_schema();
int run_contract(const JobFile& job);
int run_eigenvectors(const JobFile& job);
int run_gaugefix(const JobFile& job);
int run_generate(const JobFile& job);
int run_gluon(const JobFile& job);
int run_kernel_study(const JobFile& job);
int run_loops(const JobFile& job);
int run_measure(const JobFile& job);
int run_multigrid_setup(const JobFile& job);
int run_propagator(const JobFile& job);
int run_scaling(const JobFile& job);
int run_solver_study(const JobFile& job);
std::string fixed_field(const JobFile& job, const std::string& gauge_file);
std::string smeared_file(const JobFile& job, const std::string& gauge_file);
std::vector<std::string> files_of_fixed_field(const JobFile& job, const std::string& gauge_file);
std::vector<std::string> files_of_loop_setups(const JobFile& job, const std::string& gauge_file);
std::vector<std::string> files_of_modes(const JobFile& job, const std::string& gauge_file);
std::vector<std::string> files_of_quark(const JobFile& job, const std::string& gauge_file);
std::vector<std::string> files_of_smeared_field(const JobFile& job, const std::string& gauge_file);
std::vector<std::string> files_of_setup(const JobFile& job, const std::string& gauge_file);
void write_scaling_scripts(const JobFile& job, const std::string& directory);

// Name of a field saved by a generate job: PREFIX.NNNNNN.FORMAT, `sweep` counting compound sweeps.
std::string configuration_name(const std::string& prefix, std::int64_t sweep, const std::string& format);

}  // namespace plaq::jobs
