// What a profiler found, over all ranks: a table, and JSON.
#pragma once

#include <string>

#include "comms/communicator/communicator.hpp"
#include "core/system/profiler.hpp"

namespace plaq::jobs {

// Collective; all queues have been waited for. `seconds`: what this rank's times are a share of. Prints the
// table on rank 0, and writes JSON to `file` where that is not empty:
//   seconds, ranks, operators.NAME = {applications, seconds.STEP, median_microseconds.STEP,
//   bytes_sent.TRANSPORT, gigabytes_per_second}, solves = {count, seconds, operators},
//   levels as levels_json() has them,
// each number as {most, mean} over ranks. gigabytes_per_second: what left the rank, from the first packing to
// the last face that came; 0 where nothing did.
void report_profile(const Communicator& comm, Profiler& profiler, double seconds, const std::string& file);

}  // namespace plaq::jobs
