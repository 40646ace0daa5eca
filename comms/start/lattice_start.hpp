// The start of a lattice that ranks share, for sessions, jobs and the Python module.
// io/tuning/rank_start.hpp starts the ranks.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "comms/grid/grid_choice.hpp"
#include "comms/placement/launch_site.hpp"
#include "comms/start/shared_lattice.hpp"
#include "comms/transport/transport_choice.hpp"
#include "core/launch/tuning.hpp"

namespace plaq {

/// Choices of how ranks compute. `location`, `threads` and `strict_binding` are
/// arguments of choose_launch_site().
struct RankSettings {
  std::string location = "auto";
  int threads = 0;
  bool strict_binding = false;
  TuneMode tuning = TuneMode::on;
  std::string tuning_file = {};  // path; empty: that of the user or of the environment
  bool profile = false;
};

/// Ranks that compute together, and where this one runs.
struct StartedRanks {
  Communicator ranks;
  LaunchSite site;
  int ranks_per_node = 1;
  std::string tuning_file;  // empty: there is none
  Queue queue;              // with the tuner and the profiler
};

/// Choices of how ranks share a lattice.
struct SharingSettings {
  std::optional<Extents> process_grid = {};  // none: choose_grid()
  std::uint32_t forced = 0;                  // bit mu: direction mu exchanges faces even if it is not split
};

/// A process grid, the directions of it that exchange faces though they are not split,
/// and the block of ranks on one node.
struct Sharing {
  Extents grid{1, 1, 1, 1};
  std::uint32_t forced = 0;
  Extents block{1, 1, 1, 1};
};

/// Not collective. Throws Error(job_file) if the grid does not fit the lattice and the number of ranks.
/// @param ranks_per_node  0 for all
/// @param least_slices  slices of a rank that quarks need in every direction that is split
Sharing choose_sharing(const SharingSettings& settings, const Extents& extents, int ranks,
                       int ranks_per_node = 0, int least_slices = usual_least_slices);

/// Choices of how faces travel between ranks.
struct FaceSettings {
  TransportKind transport = TransportKind::automatic;
  bool checksums = false;  // each face travels with one
};
using TransportChooser = std::function<TransportChoice(const ProcessGrid&, Location, TransportKind)>;

/// Collective over the grid, which must outlive the transport.
TransportChoice start_transport(const ProcessGrid& grid, Location location, const FaceSettings& settings,
                                const TransportChooser& choose = choose_transport);

/// Collective. Makes the process grid and the transport, and logs what was chosen.
SharedLattice start_lattice(const StartedRanks& ranks, const Extents& extents, const Sharing& sharing,
                            const FaceSettings& faces);

}  // namespace plaq
