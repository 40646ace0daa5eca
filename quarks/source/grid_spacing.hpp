// Checks of the spacing of sparse grids.
#pragma once

#include <optional>

#include "core/system/error.hpp"
#include "kernels/quark/sources.hpp"

namespace plaq {

// The parameter `spacing` if a grid of these distances does not fit the lattice.
std::optional<ParameterFault> spacing_fault(const GridSpacing& spacing, const Extents& lattice);

}  // namespace plaq
