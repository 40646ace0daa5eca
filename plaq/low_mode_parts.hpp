// Parts of LowModes, for the classes of plaq.
#pragma once

#include <cstdint>

#include "io/eigenvectors/eigenvector_info.hpp"
#include "plaq/low_modes.hpp"

namespace plaq {

struct LowModes::Parts {
  Lattice lattice;
  Field modes;  // on the even sites, in single precision, at the location of the lattice
  EigenvectorInfo info;
  std::int64_t applications;
};

}  // namespace plaq
