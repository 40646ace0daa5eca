// Gauge fields that a job writes: keys of [output] that say how; and files that
// a job makes of each gauge field.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "io/gauge/gauge_file.hpp"
#include "jobs/results/resume.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

// format, precision, rows and byte_order, the members of GaugeWriteOptions;
// the rule that the format has them.
std::vector<Key> saved_field_keys();
Rule saved_field_rule();

// Name of a file that a job makes of a gauge field, without its ending: DIRECTORY/KIND.FIELD. FIELD is the
// name of the gauge file without the ending of its format.
std::string stem_of_made_file(const std::string& directory, const std::string& kind,
                              const std::string& gauge_file);

// The gauge field that a job makes of one, and all files, by the name of that one; empty: none.
using MadeField = std::function<std::string(const std::string& gauge_file)>;
using MadeFiles = std::function<std::vector<std::string>(const std::string& gauge_file)>;

// Takes what is made of others of these out of the names that patterns mean: a job may find there what it
// wrote before.
void leave_out_made_fields(const MadeField& made, std::vector<std::string>& gauge_files);
// Names of the files made of all gauge files. Throws Error(job_file) if two would have one name. Serial.
std::vector<std::string> names_of_made_files(const Settings& job, const MadeFiles& made,
                                             const std::vector<std::string>& gauge_files);
// Serial. Whether all of these are there.
bool are_there(const std::vector<std::string>& files);
// Throws Error(output_file) where one of them is there and must not be replaced. It may be if an earlier run
// of this job made it, `ours`, or the job says overwrite. On rank 0.
void check_made_files(const Settings& job, const std::vector<std::string>& names, bool ours);
// The job writes them, and is not complete without them. `meaning`: what they are, for users.
void add_made_files(JobFiles& files, const Settings& job, const std::vector<std::string>& names,
                    const std::string& meaning);

}  // namespace plaq::jobs
