// One result of many: results of one job on different gauge fields become what one run on all of them writes,
// byte for byte. Serial.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jobs/results/hdf5_image.hpp"

namespace plaq::jobs {

// Column of the rung of a campaign's ladder of fallback settings that gave each row: 0 is the job file. Rows
// of a task with a ladder have this column; joined results have it where any rung is above 0.
inline constexpr const char* rung_column = "/configurations/rung";

struct JoinOptions {
  // The rung of each file whose rows do not say it; empty: 0.
  std::vector<std::int64_t> rungs = {};
  bool always_with_rungs = false;  // the column also where all rungs are 0
  // Advice in the error of two files with the same links.
  std::string advice = "leave one of the files out";
};

// The rows of `files` in this order. What has no axis "configuration" must be the same in all. Rows of one
// rung are of one job; those of different rungs may differ in keys of [solver] and [multigrid] and in
// attributes of groups, and the first file of the lowest rung stands for all. Throws Error(input_file):
// a file that is no result or damaged, results of different jobs or layouts, a gauge field that two of them
// have, by whatever names. Warns of fields that may be one, and of one that is twice in a file.
Hdf5Objects joined_rows(const std::vector<std::string>& files, const JoinOptions& options = {});

}  // namespace plaq::jobs
