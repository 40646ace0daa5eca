// The list of job types.
#include "jobs/schema/job_types.hpp"

namespace plaq::jobs {

// Each is defined in the folder of its name.
extern const JobType generate_job, gaugefix_job, measure_job, gluon_job, multigrid_setup_job,
    eigenvectors_job, propagator_job, contract_job, loops_job, kernel_study_job, scaling_job,
    solver_study_job;

std::span<const JobType> job_types() {
  static const JobType types[] = {generate_job,        gaugefix_job,     measure_job,    gluon_job,
                                  multigrid_setup_job, eigenvectors_job, propagator_job, contract_job,
                                  loops_job,           kernel_study_job, scaling_job,    solver_study_job};
  return types;
}

std::vector<std::string> job_type_names() {
  std::vector<std::string> names;
  for (const JobType& type : job_types()) names.emplace_back(type.name);
  return names;
}

const JobType* find_job_type(std::string_view name) {
  for (const JobType& type : job_types())
    if (type.name == name) return &type;
  return nullptr;
}

}  // namespace plaq::jobs
