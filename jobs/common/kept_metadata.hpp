// Metadata of a gauge file beside its links, on its way into a file of another format.
#pragma once

#include <string>
#include <vector>

#include "io/gauge/gauge_file.hpp"
#include "jobs/common/commands.hpp"

namespace plaq::jobs {

struct KeptMetadata {
  GaugeFileMetadata metadata;
  std::vector<std::string> left_out;  // keys for which the format has no place
};

// Returns the part of `info` that the format can hold. Keys that describe the links themselves are written
// again.
KeptMetadata keep_metadata(const GaugeFileInfo& info, const ConvertOptions& options, GaugeFileFormat format);

// Adds the entries of the file of a gauge transformation whose keys begin with GAUGE, for links that it was
// applied to. They replace earlier ones of the same keys.
void add_gauge_entries(KeptMetadata& kept, const std::vector<HeaderEntry>& of_transformation,
                       GaugeFileFormat format);

}  // namespace plaq::jobs
