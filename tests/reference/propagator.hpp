// The numbers of a propagator in a SciDAC file, as QDP++ has them: big-endian, x fastest, then y, z, t; at
// each site [sink spin][source spin][sink color][source color][re, im].
#pragma once

#include <string>
#include <vector>

#include "tests/reference/spinor.hpp"

namespace plaq::reference {

using PropagatorColumns = std::vector<SpinorField>;  // [3 * source spin + source color]

// Numbers of `precision` (32 or 64) bits.
std::string qdp_bytes(const PropagatorColumns& columns, int precision);
PropagatorColumns qdp_propagator(const std::string& bytes, const Lattice& lattice, int precision);

}  // namespace plaq::reference
