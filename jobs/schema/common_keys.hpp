// What the tables say that all job types, or most of them, share, beside those of settings/lattice.
#pragma once

#include <string>
#include <vector>

#include "jobs/schema/use_settings.hpp"
#include "settings/lattice/lattice_tables.hpp"

namespace plaq::jobs {

// How the links of a file are read is GaugeReadOptions.
struct GaugeFilesKeys {
  std::vector<std::string> files;
  std::string numbering;  // of NumberPattern; empty: headers say trajectories
};

struct OutputKeys {
  std::string file;  // of the results; generate has none
  bool overwrite = false;
};

Table top_table(const std::string& job);
Table gauge_files_table(const std::string& order);  // [gauge] of jobs that read many, in the order "of ..."
Key antiperiodic_key();                             // of [gauge], for jobs that read fields
Key accept_checksums_key();                         // the same
// [output] of results in one file: what they are, an example of its name, and keys beside it.
Table output_table(const std::string& results, const std::string& example, const std::vector<Key>& more = {});
Key overwrite_key();
std::vector<Rule> common_rules();  // on [lattice], [comms] and [slurm]

}  // namespace plaq::jobs
