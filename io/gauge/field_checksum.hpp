// One checksum for a gauge field in memory, whatever file it came from.
#pragma once

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"
#include "io/gauge/link_checksum.hpp"

namespace plaq {

// SciDAC's sums over the links in double precision: those that an ILDG file of this field in double precision has. On the host,
// without halo, as a gauge file's (io/gauge/gauge_links.hpp). The same on every process grid. Collective.
LinkChecksum checksum_of_links(const ProcessGrid& grid, const Field& gauge);

}  // namespace plaq
