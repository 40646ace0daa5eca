// The wish of a batch system or a user that the job stop: SIGTERM, SIGUSR1, or SIGINT. A job asks at its safe
// points, saves what it has, and throws an Error of kind stopped (exit code 9).
#pragma once

#include <functional>
#include <string>

#include "comms/communicator/communicator.hpp"

namespace plaq {

// While it lives the signals are remembered instead of ending the program; a second SIGINT ends it as ever.
// So they are where whoever started the program had blocked them, as some launchers do, and where a library
// takes them meanwhile: each question, and each StopRequest inside the life of another, takes them back.
// Both then share what is remembered. For one thread.
class StopRequest {
 public:
  StopRequest();
  ~StopRequest();
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;

  // The signal that this rank got; 0: none.
  int here() const;
  // Collective: a signal that any rank got, the same on all; 0: none.
  int anywhere(const Communicator& comm) const;
};

// Asks this program itself to stop, from any thread: as if SIGUSR1 had come, until it is withdrawn.
void request_stop();
void withdraw_stop();

const char* name_of_signal(int signal);  // "SIGTERM"
// "stopped by SIGUSR1: `saved`; the same command goes on from there".
[[noreturn]] void throw_stopped(int signal, const std::string& saved);

/// Long work that has points between its steps, at which it can be ended from outside, as by a signal to the
/// job. While it lives, interruption_point() of this thread calls `ask`, and that of an outer object no more.
class InterruptibleWork {
 public:
  /// Collective over `ranks`, those that are at the same point. Ends the work by an Error(stopped), the same
  /// on all of them, or returns.
  using Ask = std::function<void(const Communicator& ranks)>;
  explicit InterruptibleWork(Ask ask);
  ~InterruptibleWork();
  InterruptibleWork(const InterruptibleWork&) = delete;
  InterruptibleWork& operator=(const InterruptibleWork&) = delete;

 private:
  friend void interruption_point(const Communicator& ranks);
  Ask ask_;
  InterruptibleWork* outer_;
};

/// Between two steps of work that may take seconds each. Collective over `ranks`. Does nothing without an
/// InterruptibleWork.
void interruption_point(const Communicator& ranks);

}  // namespace plaq
