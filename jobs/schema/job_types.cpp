// The list of job types.
#include "jobs/schema/job_types.hpp"

namespace plaq::jobs {

// Each is defined in the folder of its name.
extern const JobType generate_job, hmc_job, gaugefix_job, measure_job, gluon_job, multigrid_setup_job,
    eigenvectors_job, laplacian_modes_job, perambulators_job, elementals_job, propagator_job, contract_job,
    loops_job, vertices_job, study_job;

std::span<const JobType> job_types() {
  static const JobType types[] = {
      generate_job,        hmc_job,          gaugefix_job,        measure_job,       gluon_job,
      multigrid_setup_job, eigenvectors_job, laplacian_modes_job, perambulators_job, elementals_job,
      propagator_job,      contract_job,     loops_job,           vertices_job,      study_job};
  return types;
}

std::vector<std::string> job_type_names() {
  std::vector<std::string> names;
  for (const JobType& type : job_types()) names.emplace_back(type.name);
  return names;
}

std::string_view replacement_of(std::string_view name) {
  if (name == "kernel_study")
    return "[study] has lattices (24x24x24x8, ...) for [rates] temporal_extents and [lattice] extents, "
           "targets for operators, "
           "methods and accuracy, storages, right_hand_sides, iterations, samples, epsilons, and "
           "memory_limit for bandwidth";
  if (name == "scaling")
    return "[scaling] is [study], with lattices for strong, local_lattices for weak, and targets for "
           "operators and methods";
  if (name == "solver_study")
    return "[study] keeps its keys, with samples for repeats, right_hand_sides for batch, targets = [], and "
           "the baseline as the "
           "first of solvers; [lattice] goes";
  return {};
}

const JobType* find_job_type(std::string_view name) {
  for (const JobType& type : job_types())
    if (type.name == name) return &type;
  return nullptr;
}

}  // namespace plaq::jobs
