// Files that the first rank sees for all.
#pragma once

#include <filesystem>
#include <string>

#include "comms/grid/process_grid.hpp"

namespace plaq {

// Collective: true if rank 0 finds the file.
inline bool exists_on_first_rank(const std::string& path, const ProcessGrid& grid) {
  std::error_code ignored;
  return grid.comm().broadcast(grid.rank() == 0 && std::filesystem::exists(path, ignored) ? 1 : 0) != 0;
}

}  // namespace plaq
