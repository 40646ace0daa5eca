// Sound propagators of MILC and FNAL.
#pragma once

#include <string>
#include <vector>

#include "tests/reference/milc_propagator.hpp"

namespace plaq::fuzz {

inline std::vector<std::string> binary_propagator_seeds() {
  const reference::Lattice lattice{{2, 2, 2, 2}};
  reference::Generator generator(6);
  reference::PropagatorColumns spinors = reference::random_spinors(lattice, 12, generator);
  std::vector<reference::ColorField> colors;
  for (int i = 0; i < 3; ++i) colors.push_back(reference::random_colors(lattice, generator));
  std::vector<std::string> seeds;
  for (const bool big : {false, true}) {
    seeds.push_back(reference::milc_bytes(colors, lattice, "now", big));
    seeds.push_back(reference::milc_bytes(spinors, lattice, "now", big, {0, 1, 2, 3}));
    seeds.push_back(reference::fnal_bytes(colors, lattice, big));
    for (const bool by_columns : {false, true})
      seeds.push_back(reference::fnal_bytes(spinors, lattice, big, by_columns));
  }
  return seeds;
}

}  // namespace plaq::fuzz
