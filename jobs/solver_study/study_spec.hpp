// What a solver study is asked for, [study] with the masses of [action].
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "jobs/results/results.hpp"
#include "jobs/schema/job_file.hpp"
#include "kernels/quark/sources.hpp"
#include "quarks/solve/solver_settings.hpp"
#include "settings/action/action_keys.hpp"

namespace plaq::jobs {

struct StudyKeys {
  std::vector<std::string> solvers;
  std::string baseline;  // empty: the first of them
  int sources = 1;
  Noise noise = Noise::z4;
  std::int64_t seed = 1;
  std::optional<int> batch;
  int repeats = 1;
  bool errors = false;
  bool one_setup = false;  // of multigrid, at the first mass
  std::string deflation;   // directory of eigenvectors; empty: none
};
const Names<Noise>& noise_names();

// What the names of solvers do not say (parse_solver).
SolverSettings shared_spec(const Settings& job);

struct StudySpec {
  explicit StudySpec(const Settings& job);

  bool has_multigrid() const;
  int batches() const { return keys.sources / batch; }
  std::vector<std::string> names() const;  // of the solvers
  Attributes attributes() const;

  StudyKeys keys;
  std::vector<ActionPtr> masses;
  bool by_kappa = false;       // so the job names them,
  std::vector<double> labels;  // with these numbers
  std::vector<SolverSettings> solvers;
  std::size_t baseline = 0;  // in solvers
  int batch = 1;
};

/// The schema of solver_study jobs.
const Schema& solver_study_schema();

}  // namespace plaq::jobs
