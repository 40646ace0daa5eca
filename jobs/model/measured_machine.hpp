// Constants of a machine as benchmarks measured them.
#pragma once

#include <string>
#include <vector>

#include "jobs/model/machine_model.hpp"

namespace plaq::jobs {

// Replaces the constants of `machine` by those in a file that `plaq bench NAME --json` wrote: of network
// (links, sums, and the launch where none is known), of wilson_hop, wilson_operator and krylov on one rank
// (shares), and the memory bandwidth of any. Links are those of `transport` ("auto": the one that a run would
// choose among those that were measured). Returns what was taken, for users; what a file does not hold stays
// as it was. Throws Error(input_file) for a file that cannot be read or is no such result, or holds nothing
// of use.
std::vector<std::string> take_measurements(MachineModel& machine, const std::string& file,
                                           const std::string& transport = "auto");
// Takes measurements from their text; `file` for messages.
std::vector<std::string> take_measurements_text(MachineModel& machine, const std::string& text,
                                                const std::string& file,
                                                const std::string& transport = "auto");

// A machine of which nothing is known beside what files say: one node of any size, shares 1, launches cost
// nothing.
MachineModel unknown_machine();

}  // namespace plaq::jobs
