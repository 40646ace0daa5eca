// Parts of a propagator job: its schema, files of propagators, and results of its solves.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jobs/results/results.hpp"
#include "jobs/schema/job_file.hpp"
#include "quarks/solve/propagator_solver.hpp"
#include "settings/action/action_keys.hpp"

namespace plaq::jobs {

const Schema& propagator_schema();

// Propagators of a propagator job as files of their own: FIELD.sK.prop.h5 or FIELD.sK.prop.lime, FIELD the
// name of the gauge file and K the number of the source; of many masses FIELD.QUARK.sK.prop.h5, QUARK as in
// names_of_masses().
// Their names, source by source for each gauge file; none where the job does not ask for them. Throws
// Error(job_file) where two propagators would have one name. Serial.
std::vector<std::string> propagator_names(const Settings& job, const std::vector<std::string>& gauge_files,
                                          int sources);
bool writes_propagators(const Settings& job);
// Serial. True where the job does not ask for them.
bool has_propagator(const Settings& job, const std::string& gauge_file, int source);

// The rule between [approximation] (jobs/dirac/all_mode_average.hpp) and the other tables of the job.
Rule rule_of_approximations();

// Numbers of multigrid at one mass; 0 without multigrid.
struct MultigridNumbers {
  explicit MultigridNumbers(const DiracMultigrid* multigrid);
  SetupReport report;
  std::int64_t lattices = 0;  // coarse ones
};

// Results of the solves of a source: datasets /solves/NAME, of one mass, or of many with an axis for them.
// `reports`: of every mass, `multigrid` too, or none where the job has no multigrid. `many`: with the axis of
// masses. `with_slices`: with the residuals of time slices.
void add_solves(Results& results, const std::vector<ColumnReport>& reports,
                const std::vector<MultigridNumbers>& multigrid, bool many, bool with_slices);

}  // namespace plaq::jobs
