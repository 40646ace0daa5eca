// Files of generalised perambulators, FIELD.sK.tF.gperam.h5 of source K and sink time F:
//
//   /generalised_perambulator/OPERATOR/p_X_Y_Z  [t][current spin, left][right][sink spin][source spin]
//                                               [sink mode][source mode][real, imaginary]
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jobs/distillation/distillation_file.hpp"
#include "quarks/distillation/generalised_perambulators.hpp"

namespace plaq::jobs {

/// The name of a file.
/// @param job        a perambulators job
/// @param gauge_file the gauge field
/// @param source     number of the source
/// @param sink_time  time slices from the source to the sink
std::string generalised_file(const Settings& job, const std::string& gauge_file, int source, int sink_time);

/// Throws Error(job_file) if a sink or a momentum is not on the lattice.
LineCurrents currents_of(const Settings& job, const Extents& extents);

/// Bytes of the numbers of the file of a sink.
std::uint64_t bytes_of_generalised(const LineCurrents& currents, int sink_time, int modes);

/// The datasets of a file. Rank 0 has the numbers.
std::vector<ComplexDataset> datasets_of(GeneralisedPerambulators found, const LineCurrents& currents,
                                        const SourceAndSink& at);

}  // namespace plaq::jobs
