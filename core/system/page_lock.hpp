// Memory that somebody else has allocated, page-locked so that a GPU can reach it.
#pragma once

#include <cstddef>

namespace plaq {

// True if it worked: not where the memory is of a kind that the driver does not take, or without a GPU.
bool lock_pages(void* memory, std::size_t bytes);
void unlock_pages(void* memory);

}  // namespace plaq
