// What one application of an operator, one iteration of a method or one sweep does on a process grid that need not be
// there, as a dry run finds it (core/system/tape.hpp).
#pragma once

#include "jobs/study/subjects.hpp"
#include "quarks/multigrid/multigrid_options.hpp"

namespace plaq::jobs {

struct RatedPart {
  Extents global{}, grid{1, 1, 1, 1};
  std::uint32_t forced = 0;  // bit mu: exchanges faces with itself
  int ranks() const { return grid[0] * grid[1] * grid[2] * grid[3]; }
};

// `key`: of subjects(). On GPUs, so many on a node. Serial; no other dry run may be going on.
Tape::Section rated_tape(const ActionPtr& parameters, std::string_view key, const StudyStorage& storage,
                         int right_hand_sides, const RatedPart& part, int ranks_per_node,
                         const MultigridOptions& multigrid = {});

}  // namespace plaq::jobs
