// Keys of the tables that all job types, or most of them, share, beside those of settings/lattice.
#pragma once

#include <string>
#include <vector>

#include "jobs/schema/job_file.hpp"
#include "kernels/quark/momentum.hpp"
#include "settings/lattice/lattice_tables.hpp"

namespace plaq::jobs {

// Files of [gauge]. Options to read their links are GaugeReadOptions.
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

/// Meaning of the key `max_momentum_squared`.
inline constexpr const char* job_momenta_meaning =
    "Largest n.n of the momenta 2 pi n / L. |n| is at most L/2 in each direction. n = -L/2 is left out "
    "because it equals n = L/2.";

/// Every momentum with n.n <= `most`, the value of `max_momentum_squared` in [`table`]. Throws
/// Error(job_file) where that asks for |n| above L/2 in some direction of space.
std::vector<Momentum> job_momenta(const Settings& job, const std::string& table, int most,
                                  const Extents& extents);

}  // namespace plaq::jobs
