// Files that a solver reads and writes for one gauge field.
#pragma once

#include <string>

namespace plaq {

struct SetupPaths {
  std::string own = {};     // multigrid setup of this field, read if it exists, and written; empty: none
  std::string before = {};  // setup of the gauge field before, from which this one is refreshed; empty: none
  bool refresh = false;     // a setup of other links is refreshed, too
  double checkpoint_minutes = 0;  // least time between two checkpoints of a setup
  std::string modes = {};         // eigenvectors that deflate (quarks/solve/low_modes.hpp); empty: none
};

}  // namespace plaq
