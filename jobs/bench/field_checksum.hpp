// All bits of a field in one number, whatever the process grid.
#pragma once

#include <cstdint>

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"

namespace plaq::jobs {

// The sum modulo 2^64 over all reals of the lattice of a hash of global site, subfield, place within the site
// and the 64 bits of the value as a double (core/algebra/mix64.hpp). Of the sites that `field` holds on a
// geometry without halo. Collective over the grid.
std::uint64_t field_checksum(const ProcessGrid& grid, const Field& field);

}  // namespace plaq::jobs
