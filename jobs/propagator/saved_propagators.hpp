// Propagators of a propagator job as files of their own: FIELD.sK.prop.h5 or FIELD.sK.prop.lime, FIELD the
// name of the gauge file and K the number of the source; of many masses FIELD.QUARK.sK.prop.h5, QUARK as in
// names_of_masses().
#pragma once

#include <string>
#include <vector>

#include "jobs/schema/job_file.hpp"
#include "settings/action/action_keys.hpp"

namespace plaq::jobs {

// Their names, source by source for each gauge file; none where the job does not ask for them. Throws
// Error(job_file) where two propagators would have one name. Serial.
std::vector<std::string> propagator_names(const Settings& job, const std::vector<std::string>& gauge_files,
                                          int sources);
bool writes_propagators(const Settings& job);
// Serial. True where the job does not ask for them.
bool has_propagator(const Settings& job, const std::string& gauge_file, int source);

}  // namespace plaq::jobs
