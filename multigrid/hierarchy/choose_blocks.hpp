// Which blocks the lattices of a hierarchy have where nobody says it.
#pragma once

#include <vector>

#include "core/lattice/geometry.hpp"

namespace plaq {

// Of a lattice, which is cut into equal parts over `ranks`, the finest first: blocks near 4^4, then near 2^4 until what is
// left is solved easily. Blocks lie on one rank. The same for all process grids whose local extents they divide. Throws
// Error(job_file) where a lattice has no block that gathers enough sites for so many near-null vectors.
std::vector<Extents> choose_blocks(const Extents& global, const Extents& ranks, int vectors);

}  // namespace plaq
