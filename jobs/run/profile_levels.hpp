// What a profiler found of the lattices of multigrid: JSON of a rank, and a table of all ranks'.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/system/profiler.hpp"

namespace plaq::jobs {

// OCCASION."LEVEL LATTICE".PART = {times, seconds}: occasions are "setup" and "solve", level 0 is the finest,
// and parts are those of Cycle::run. "coarse solve" on a lattice has what the lattices below it
// take inside, "cycle" all its parts.
nlohmann::json levels_json(Profiler& profiler);
// Text of merged levels, each number as {most, mean} over ranks. Empty if there are none.
std::string levels_text(const nlohmann::json& levels);

}  // namespace plaq::jobs
