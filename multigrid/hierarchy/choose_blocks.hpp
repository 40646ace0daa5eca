// Which blocks the lattices of a hierarchy have where nobody says it.
#pragma once

#include <vector>

#include "core/lattice/geometry.hpp"

namespace plaq {

inline constexpr int chiral_components = 6;  // of a site of the finest lattice, for each chirality

// The finest first: blocks near 4^4, then near 2^4 until what is left is solved easily. They follow the
// lattice alone, so that they are the same on every process grid; where they do not divide the sites of a
// rank, a lattice is on fewer ranks (multigrid/levels/level_ranks.hpp). Throws Error(job_file) where a
// lattice has no block that gathers enough sites for so many near-null vectors.
std::vector<Extents> choose_blocks(const Extents& lattice, int vectors);

}  // namespace plaq
