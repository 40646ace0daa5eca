// The tables [action] and [solver] of job files: their keys, the rules between them, and what they say.
#pragma once

#include <optional>
#include <string>

#include "jobs/dirac/action_keys.hpp"
#include "jobs/dirac/action_schema.hpp"
#include "jobs/dirac/setup_keys.hpp"
#include "jobs/results/results.hpp"
#include "jobs/schema/job_file.hpp"
#include "quarks/solve/solver_settings.hpp"

namespace plaq::jobs {

// The keys of [solver] beside those of SolverSettings, which has most of them.
struct SolverKeys {
  std::optional<SolverMethod> method;
  bool multigrid = false;
  std::string inner_precision = "auto";
  std::optional<int> columns;
  std::string deflation;  // directory of eigenvectors; empty: none
  std::optional<int> modes;
};

Table solver_table();
// On both, of all actions.
std::vector<Rule> dirac_rules(MassKeys masses = MassKeys::one);
// A warning where single precision may not reach the tolerance.
std::optional<std::string> doubt_of_tolerance(const JobFile& job);

// Where the solve runs decides what "auto" means: half inside on a GPU, single on the host, where 16 bits
// save nothing; and no scheme where that is not below the outer precision.
SolverSettings solver_settings(const JobFile& job, Location location);
/// The same, with multigrid setups for so many right-hand sides.
SolverSettings solver_settings(const JobFile& job, Location location, double right_hand_sides);

// Where that solver finds and keeps what is of one gauge field. Serial.
SetupPaths paths_of_solver(const JobFile& job, const std::vector<std::string>& gauge_files,
                           const std::string& gauge_file);

// Right-hand sides that are solved together: what the job says, else as many of `columns` as fit into a
// batch with N_s slices each; both divide `columns`.
int columns_at_once(const JobFile& job, int columns, int slices);

Attributes solver_attributes(const SolverSettings& spec);

}  // namespace plaq::jobs
