#include "comms/communicator/stop_request.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>

#include <array>
#include <atomic>
#include <mutex>
#include <utility>

#include "core/system/error.hpp"

namespace plaq {
namespace {

constexpr std::array<int, 3> signals = {SIGTERM, SIGUSR1, SIGINT};

std::atomic<bool> wished = false;
std::atomic<int> received = 0;  // a signal handler can reach nothing else
int living = 0;                 // stop requests
std::array<struct sigaction, signals.size()> displaced;
sigset_t blocked_before;
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void remember_signal(int signal) { received = signal; }

// After a first signal nothing is taken: a second SIGINT is for the default action.
void take_signals() {
  if (received != 0) return;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    struct sigaction now {};
    ::sigaction(signals[i], nullptr, &now);
    if (now.sa_handler == remember_signal) continue;
    struct sigaction action {};
    action.sa_handler = remember_signal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;  // reading, writing and MPI need not notice
    if (signals[i] == SIGINT) action.sa_flags |= static_cast<int>(SA_RESETHAND);
    ::sigaction(signals[i], &action, &displaced[i]);
  }
}

void give_signals_back() {
  for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &displaced[i], nullptr);
}

sigset_t all_signals() {
  sigset_t all;
  sigemptyset(&all);
  for (const int signal : signals) sigaddset(&all, signal);
  return all;
}

thread_local sigset_t blocked_before_fork;

void block_for_fork() {
  const sigset_t all = all_signals();
  ::pthread_sigmask(SIG_BLOCK, &all, &blocked_before_fork);
}
void unblock_after_fork() { ::pthread_sigmask(SIG_SETMASK, &blocked_before_fork, nullptr); }

// A child that is forked during the work does none of it: signals must end it, from its first moment on.
void leave_children_alone() {
  static std::once_flag once;
  std::call_once(once, [] {
    ::pthread_atfork(block_for_fork, unblock_after_fork, [] {
      if (living > 0) give_signals_back();
      unblock_after_fork();
    });
  });
}

}  // namespace

StopRequest::StopRequest() {
  leave_children_alone();
  const bool first = living++ == 0;
  if (first) received = 0;
  take_signals();
  if (!first) return;
  const sigset_t wanted = all_signals();
  ::pthread_sigmask(SIG_UNBLOCK, &wanted, &blocked_before);
}

StopRequest::~StopRequest() {
  if (--living > 0) return;
  ::pthread_sigmask(SIG_SETMASK, &blocked_before, nullptr);
  give_signals_back();
}

int StopRequest::here() const {
  take_signals();
  if (received == 0 && wished) return SIGUSR1;
  return received;
}

int StopRequest::anywhere(const Communicator& comm) const { return comm.max(here()); }

void request_stop() { wished = true; }
void withdraw_stop() { wished = false; }

const char* name_of_signal(int signal) {
  return signal == SIGTERM ? "SIGTERM" : signal == SIGUSR1 ? "SIGUSR1" : "SIGINT";
}

void throw_stopped(int signal, const std::string& saved) {
  throw Error(ErrorKind::stopped, fmt::format("stopped by {}: {}; the same command goes on from there",
                                              name_of_signal(signal), saved));
}

namespace {

thread_local InterruptibleWork* innermost_work = nullptr;

}  // namespace

InterruptibleWork::InterruptibleWork(Ask ask)
    : ask_(std::move(ask)), outer_(std::exchange(innermost_work, this)) {}

InterruptibleWork::~InterruptibleWork() { innermost_work = outer_; }

void interruption_point(const Communicator& ranks) {
  if (innermost_work != nullptr) innermost_work->ask_(ranks);
}

}  // namespace plaq
