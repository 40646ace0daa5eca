// One result of many: results of one job on different gauge fields become what one run on all of them writes, byte for
// byte. Serial.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "jobs/results/hdf5_image.hpp"

namespace plaq::jobs {

struct JoinOptions {
  // Results that another solver made than the others: keys of [solver] and [multigrid] may differ, and attributes of
  // groups. Those of files[reference] stand for all.
  bool solvers_may_differ = false;
  std::size_t reference = 0;
  // Columns beside: "/configurations/NAME" and a number for each file.
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> columns = {};
  // What to do where two files have the same links.
  std::string advice = "leave one of the files out";
};

// The rows of `files` in this order. What has no axis "configuration" must be the same in all. Throws Error(input_file):
// a file that is no result or damaged, results of different jobs or layouts, a gauge field that two of them have, by whatever
// names. Warns of fields that may be one, and of one that is twice in a file.
Hdf5Objects joined_rows(const std::vector<std::string>& files, const JoinOptions& options = {});

}  // namespace plaq::jobs
