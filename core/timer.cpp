#include "core/timer.hpp"

#include <chrono>

#if defined(PLAQ_WITH_CUDA)
#include <nvtx3/nvToolsExt.h>
#endif

namespace plaq {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

#if defined(PLAQ_WITH_CUDA)
ScopedRange::ScopedRange(const char* name) { nvtxRangePushA(name); }
ScopedRange::~ScopedRange() { nvtxRangePop(); }
#else
ScopedRange::ScopedRange(const char*) {}
ScopedRange::~ScopedRange() = default;
#endif

}  // namespace plaq
