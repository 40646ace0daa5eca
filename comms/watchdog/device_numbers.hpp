// Numbers in this GPU's memory, read while kernels run. For sources with CUDA.
#pragma once

#if defined(PLAQ_WITH_CUDA)
#include <cstdint>
#include <optional>
#include <vector>

namespace plaq {

// Waits for no kernel, on whatever stream. Nothing where the GPU fails, or does not answer within half a
// second. For any thread. The first call sets up what all use, which may wait for kernels: make it, once
// there is something to read, before any of them waits for others.
std::optional<std::vector<std::uint64_t>> device_numbers(const std::vector<const std::uint64_t*>& at);

}  // namespace plaq
#endif
