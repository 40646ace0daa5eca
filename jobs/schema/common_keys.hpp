// What the tables say that all job types, or most of them, share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "comms/transport/transport_choice.hpp"
#include "core/lattice/geometry.hpp"
#include "core/launch/tuning.hpp"
#include "jobs/schema/field.hpp"

namespace plaq::jobs {

struct LatticeKeys {
  std::optional<Extents> extents;
};

// How the links of a file are read is GaugeReadOptions.
struct GaugeFilesKeys {
  std::vector<std::string> files;
  std::string numbering;  // of NumberPattern; empty: headers say trajectories
};

struct OutputKeys {
  std::string file;  // of the results; generate has none
  bool overwrite = false;
};

struct CommsKeys {
  std::optional<Extents> process_grid;
  TransportKind transport = TransportKind::automatic;
  double watchdog = 600;
  bool halo_checksums = false;
  std::vector<int> force_partition;  // directions

  std::string transport_name() const {
    return std::string(transport_names[static_cast<std::size_t>(transport)]);
  }
};

struct RunKeys {
  std::string location = "auto";
  int threads = 0;
  bool strict_binding = false;
  TuneMode tuning = TuneMode::on;
  std::string tuning_file;
  bool profile = false;
  std::string profile_file;

  bool profiles() const { return profile || !profile_file.empty(); }
};

Table top_table(const std::string& job);
// Whether the lattice may be that of a file: always, or where the field starts from one.
enum class LatticeFrom { job, file };
Table lattice_table(LatticeFrom from);
Table gauge_files_table(const std::string& order);  // [gauge] of jobs that read many, in the order "of ..."
Key antiperiodic_key();                             // of [gauge], for jobs that read fields
Key accept_checksums_key();                         // the same
// [output] of results in one file: what they are, an example of its name, and keys beside it.
Table output_table(const std::string& results, const std::string& example, const std::vector<Key>& more = {});
Key overwrite_key();
Table comms_table();
Table run_table();
Rule split_rule();                 // on [lattice] and [comms]
std::vector<Rule> common_rules();  // on these and [slurm]

}  // namespace plaq::jobs
