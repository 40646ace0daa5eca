// Numbers of the gauge fields of a job, for random numbers that are others on each field.
#pragma once

#include <map>
#include <string>

#include "jobs/run/ensemble.hpp"
#include "quarks/source/source_positions.hpp"

namespace plaq::jobs {

// By gauge file. In a dry run fields may be to come, and have the numbers 0. Throws Error(job_file) if the
// trajectory of a field is not known, or has more bits than random numbers take. The same on all ranks.
// @param what  what needs the numbers: "random sites of [source]"
std::map<std::string, FieldNumbers> numbers_of_fields(const JobFile& job, const EnsembleInput& input,
                                                      const std::string& what);

}  // namespace plaq::jobs
