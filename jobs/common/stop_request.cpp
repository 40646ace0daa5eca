#include "jobs/common/stop_request.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <array>
#include <atomic>

#include "core/system/error.hpp"

namespace plaq::jobs {
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

}  // namespace

StopRequest::StopRequest() {
  const bool first = living++ == 0;
  if (first) received = 0;
  take_signals();
  if (!first) return;
  sigset_t wanted;
  sigemptyset(&wanted);
  for (const int signal : signals) sigaddset(&wanted, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &wanted, &blocked_before);
}

StopRequest::~StopRequest() {
  if (--living > 0) return;
  ::pthread_sigmask(SIG_SETMASK, &blocked_before, nullptr);
  for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &displaced[i], nullptr);
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

}  // namespace plaq::jobs
