// Modes of the Laplacian that jobs of distillation read: files of job type laplacian_modes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jobs/run/job_context.hpp"
#include "kernels/gauge/link_copies.hpp"
#include "quarks/distillation/slice_modes.hpp"

namespace plaq::jobs {

/// The table [laplacian_modes] of jobs that read modes.
struct ModeFileKeys {
  std::string directory;
  std::optional<int> modes;  // none: all of a file
};
Table mode_files_table();

/// The files FIELD.lap.lime of gauge fields. Throws as field_files(). Serial.
std::vector<std::string> mode_files(const Settings& job, const std::vector<std::string>& gauge_files);

/// Links of the Laplacian, smeared as [link_smearing] says, without halo. `gauge`: as it was read.
Field links_of_modes(const JobContext& context, const Field& gauge);

/// Modes of a gauge field, and the boundary signs in space that they were found with.
struct StoredModes {
  SliceModes modes;
  SpaceSigns boundary = periodic_in_space;
  std::string checksum;  // of the numbers in the file; empty in a dry run
};

/// Reads the modes of a gauge field, the lowest of each time slice as many as [laplacian_modes] says. A dry
/// run reads their number at most. Collective. Throws Error(input_file) if anything is wrong with the file:
/// other links or boundary signs than here, too few modes.
/// @param context     the running job
/// @param gauge_file  the gauge field
/// @param links       links_of_modes()
/// @param boundary    signs that the modes must have; none: any
StoredModes read_modes(const JobContext& context, const std::string& gauge_file, const Field& links,
                       const std::optional<SpaceSigns>& boundary);

}  // namespace plaq::jobs
