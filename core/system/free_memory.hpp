// What this process can still take of a memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>

#include "core/system/location.hpp"

namespace plaq {

inline constexpr std::uint64_t unknown_memory = std::numeric_limits<std::uint64_t>::max();

// Bytes, which processes of the same node or GPU may take as well: of the host what the system calls
// available, or less where a control group, such as that of a batch job, has less; of the GPU in use what is
// free. unknown_memory where nothing says it.
std::uint64_t free_memory(Location location);

// Free memory of the host, by the files of the system below `root`.
std::uint64_t free_host_memory(const std::filesystem::path& root = "/");

}  // namespace plaq
