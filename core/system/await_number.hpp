// Waiting, awake, for a number that a GPU or another process counts up in this host's memory.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

#include "core/system/waiting.hpp"

namespace plaq {

inline bool has_come(const std::uint64_t& number, std::uint64_t value) {
  static_assert(std::atomic_ref<std::uint64_t>::is_always_lock_free);
  return std::atomic_ref(const_cast<std::uint64_t&>(number)).load(std::memory_order_acquire) >= value;
}

// More ranks and threads run on the cores of this process than there are: a core that one leaves at once is
// another's to work. choose_launch_site() says so.
inline bool cores_are_crowded = false;

// Until it is `value` or more. `describe()`: what is awaited (core/system/waiting.hpp); `meanwhile()` is
// called about every 100 us, or whenever the core is left, and may throw.
template <class Describe, class Meanwhile>
void await_number(const std::uint64_t& number, std::uint64_t value, Describe&& describe,
                  Meanwhile&& meanwhile) {
  if (has_come(number, value)) return;
  const Waiting wait(describe);
  const unsigned looks = cores_are_crowded ? 16 : 4096;
  for (unsigned i = 1; !has_come(number, value); ++i) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
    if (i % looks != 0) continue;
    meanwhile();
    std::this_thread::yield();
  }
}

}  // namespace plaq
