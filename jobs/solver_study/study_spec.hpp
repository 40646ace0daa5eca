// What a solver study is asked for, [study] with the masses of [action].
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jobs/dirac/action_keys.hpp"
#include "jobs/dirac/solver_spec.hpp"
#include "jobs/results/results.hpp"
#include "jobs/schema/job_file.hpp"
#include "kernels/quark/sources.hpp"

namespace plaq::jobs {

// One solver of the study by its name, with what the keys of [study] say for all. Throws Error(job_file).
SolverSpec studied_solver(const JobFile& job, const std::string& name);

struct StudySpec {
  explicit StudySpec(const JobFile& job);

  int batches() const { return sources / batch; }
  std::vector<std::string> names() const;  // of the solvers
  Attributes attributes() const;

  std::vector<ActionParameters> masses;
  bool by_kappa = false;       // so the job names them,
  std::vector<double> labels;  // with these numbers
  std::vector<SolverSpec> solvers;
  std::size_t baseline = 0;  // in solvers
  Noise noise = Noise::z4;
  std::uint64_t seed = 0;
  int sources = 1, batch = 1, repeats = 1;
};

}  // namespace plaq::jobs
