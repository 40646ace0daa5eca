// The tables [lattice], [comms] and [run]: a lattice, how ranks share it, and the machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "comms/start/lattice_start.hpp"
#include "comms/transport/transport_choice.hpp"
#include "core/lattice/geometry.hpp"
#include "core/launch/tuning.hpp"
#include "settings/schema/schema.hpp"

namespace plaq::settings {

struct LatticeKeys {
  std::optional<Extents> extents;
};

struct CommsKeys {
  std::optional<Extents> process_grid;
  TransportKind transport = TransportKind::automatic;
  double watchdog = 600;
  bool halo_checksums = false;
  std::vector<int> force_partition;  // directions

  SharingSettings sharing() const;
  FaceSettings faces() const { return {transport, halo_checksums}; }
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
  RankSettings ranks() const { return {location, threads, strict_binding, tuning, tuning_file, profiles()}; }
};

/// From where the lattice may be known without the key: always from a file, or
/// only if the field starts from one.
enum class LatticeFrom { job, file };
Table lattice_table(LatticeFrom from);
Table comms_table();
Table run_table();
Rule split_rule();  // on [lattice] and [comms]

}  // namespace plaq::settings
