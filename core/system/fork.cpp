#include "core/system/fork.hpp"

#include <pthread.h>

#include <atomic>
#include <mutex>

#include "core/system/error.hpp"

namespace plaq {
namespace {

// A child of a process with threads may do little else than read and write such numbers.
std::atomic<bool> noted = false;
std::atomic<int> locks = 0;
std::atomic<bool> lacking = false;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void watch_forks() {
  static std::once_flag once;
  std::call_once(once, [] {
    const int failed = ::pthread_atfork(nullptr, nullptr, [] {
      if (noted || locks > 0) lacking = true;
    });
    require(failed == 0, "pthread_atfork has no memory");
  });
}

}  // namespace

void has_what_forks_lack() {
  watch_forks();
  noted = true;
}

LockUse::LockUse() {
  watch_forks();
  ++locks;
}

LockUse::~LockUse() { --locks; }

bool is_lacking_fork() noexcept { return lacking; }

}  // namespace plaq
