// Where times were measured: attributes that decide them beside the job.
#pragma once

#include <string>
#include <vector>

#include "jobs/results/result_file.hpp"

namespace plaq::jobs {

// "location = host; ranks = 2; ": of more attributes in the same order it is the beginning.
std::string fingerprint_of(const Attributes& machine);
// True if a result file has them in /machine.
bool has_machine(const std::vector<StoredObject>& found, const Attributes& machine);
// What differs, "threads_per_rank is 1 there and 2 here": empty where nothing does, or there is no /machine.
std::string machine_difference(const std::vector<StoredObject>& found, const Attributes& machine);

}  // namespace plaq::jobs
