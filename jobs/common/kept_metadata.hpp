// What a gauge file says besides its links, on its way into a file of another format.
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

// What of `info` the format can hold. Keys that describe the links themselves are written again.
KeptMetadata keep_metadata(const GaugeFileInfo& info, const ConvertOptions& options, GaugeFileFormat format);

// What the links are after a gauge transformation: the entries of its file whose keys begin with GAUGE are
// added, instead of earlier ones of the same keys.
void add_gauge_entries(KeptMetadata& kept, const std::vector<HeaderEntry>& of_transformation,
                       GaugeFileFormat format);

}  // namespace plaq::jobs
