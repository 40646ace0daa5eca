// One checksum for a gauge field in memory, whatever file it came from.
#pragma once

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"
#include "io/gauge/link_checksum.hpp"

namespace plaq {

// SciDAC's sums over the links in double precision: those of an ILDG file of this field in double precision.
// The field is on the host, without halo (io/gauge/gauge_links.hpp). The same on every process grid.
// Collective. 0 in a dry run.
LinkChecksum checksum_of_links(const ProcessGrid& grid, const Field& gauge);
// Checksum of a field without halo at any location, in any precision.
LinkChecksum checksum_of_any_links(const ProcessGrid& grid, const Field& gauge);

}  // namespace plaq
