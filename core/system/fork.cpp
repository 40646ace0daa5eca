#include "core/system/fork.hpp"

#include <pthread.h>

#include <atomic>
#include <mutex>

#include "core/system/error.hpp"

namespace plaq {
namespace {

std::atomic<bool> lacking = false;
static_assert(
    std::atomic<bool>::is_always_lock_free);  // a child of a process with threads may do little else

}  // namespace

void has_what_forks_lack() {
  static std::once_flag once;
  std::call_once(once, [] {
    require(::pthread_atfork(nullptr, nullptr, [] { lacking = true; }) == 0, "pthread_atfork has no memory");
  });
}

bool is_lacking_fork() noexcept { return lacking; }

}  // namespace plaq
