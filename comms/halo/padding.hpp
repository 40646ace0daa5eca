// Values of neighbours' sites around those of a rank, on the host, for code that works site by site.
#pragma once

#include <cstddef>

#include "comms/grid/process_grid.hpp"
#include "core/lattice/padded_sites.hpp"

namespace plaq {

/// Throws Error(usage) if the depth is negative or more than an extent of this rank. Not collective.
void expect_depth(const PaddedSites& sites);

/// Arrays of values of `bytes` bytes a site, `blocks` of them one after the other.
struct SiteValues {
  std::size_t blocks, bytes;
};
/// Copies an array of this rank's sites, x fastest, into the middle of a padded one and fills the padding,
/// edges and corners included, with values of neighbours around the lattice, in directions that are split
/// over ranks and in others. Collective; a message is of one block. Throws Error as expect_depth() does.
void fill_padded(const ProcessGrid& grid, const PaddedSites& sites, const SiteValues& values,
                 const void* array, void* padded);

}  // namespace plaq
