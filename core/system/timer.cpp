#include "core/system/timer.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>

#include "core/system/waiting.hpp"

#if defined(PLAQ_WITH_CUDA)
#include <nvtx3/nvToolsExt.h>
#endif

namespace plaq {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

namespace {

constexpr std::size_t most_ranges = 16;  // deeper ones are not named
std::array<std::atomic<const char*>, most_ranges> names{};
std::atomic<std::size_t> depth{0};

}  // namespace

ScopedRange::ScopedRange(const char* name) {
  const std::size_t at = depth.load(std::memory_order_relaxed);
  if (at < most_ranges) names[at].store(name, std::memory_order_relaxed);
  depth.store(at + 1, std::memory_order_release);
#if defined(PLAQ_WITH_CUDA)
  nvtxRangePushA(name);
#endif
}

ScopedRange::~ScopedRange() {
  depth.store(depth.load(std::memory_order_relaxed) - 1, std::memory_order_release);
#if defined(PLAQ_WITH_CUDA)
  nvtxRangePop();
#endif
}

std::string ranges_now() {
  std::string text;
  const std::size_t all = std::min(depth.load(std::memory_order_acquire), most_ranges);
  for (std::size_t i = 0; i < all; ++i)
    text += (i == 0 ? "" : ", ") + std::string(names[i].load(std::memory_order_relaxed));
  return text;
}

}  // namespace plaq
