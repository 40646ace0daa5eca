// Propagators of a propagator job as files of their own: FIELD.sK.prop.h5 or FIELD.sK.prop.lime, FIELD the
// name of the gauge file and K the number of the source; of many masses FIELD.QUARK.sK.prop.h5, QUARK as in
// names_of_masses().
#pragma once

#include <string>
#include <vector>

#include "core/field/field.hpp"
#include "io/propagator/propagator_file.hpp"
#include "jobs/dirac/action_keys.hpp"
#include "jobs/propagator/quark_source.hpp"
#include "jobs/run/ensemble.hpp"
#include "jobs/run/job_context.hpp"
#include "jobs/run/loaded_gauge.hpp"

namespace plaq::jobs {

// Their names, source by source for each gauge file; none where the job does not ask for them. Throws
// Error(job_file) where two propagators would have one name. Serial.
std::vector<std::string> propagator_names(const JobFile& job, const std::vector<std::string>& gauge_files,
                                          int sources);
// On rank 0. The same errors; and Error(output_file) where a file is there and must not be replaced (it may
// when `ours`: an earlier run of this job made it).
void check_propagator_outputs(const JobFile& job, const std::vector<std::string>& gauge_files, int sources,
                              bool ours);
bool writes_propagators(const JobFile& job);
// Serial. True where the job does not ask for them.
bool has_propagator(const JobFile& job, const std::string& gauge_file, int source);
// Collective. Those of every mass. Nothing where the job does not ask for it. The text is the job, but
// for [output], with PropagatorNote.
void write_propagators_of(const JobContext& context, const std::vector<Field>& quarks,
                          const LoadedGauge& gauge, int source, const Extents& position);

// What the job reads and writes, for resuming it; asked whether it is complete, throws Error(output_file) where
// a propagator is missing. All of these must outlive it.
JobFiles files_of_propagators(const JobFile& job, const EnsembleInput& input, const QuarkSources& sources);

}  // namespace plaq::jobs
