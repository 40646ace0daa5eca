// Files that the first rank sees for all.
#pragma once

#include <string>

#include "comms/grid/process_grid.hpp"
#include "io/bytes/names_now.hpp"

namespace plaq {

// Collective: true if rank 0 finds the file.
inline bool exists_on_first_rank(const std::string& path, const ProcessGrid& grid) {
  return grid.comm().broadcast(grid.rank() == 0 && exists_now(path) ? 1 : 0) != 0;
}

}  // namespace plaq
