// Report of a profiler over all ranks: a table, and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

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

// Profile of the lattices of multigrid: JSON of a rank, and a table of all ranks'.
// OCCASION."LEVEL LATTICE".PART = {times, seconds}: occasions are "setup" and "solve", level 0 is the finest,
// and parts are those of Cycle::run. "coarse solve" on a lattice has what the lattices below it take inside,
// "cycle" all its parts.
nlohmann::json levels_json(Profiler& profiler);
// Text of merged levels, each number as {most, mean} over ranks. Empty if there are none.
std::string levels_text(const nlohmann::json& levels);

}  // namespace plaq::jobs
