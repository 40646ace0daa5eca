// Points between the steps of long work, at which it can be ended from outside, as by a signal to the job.
#pragma once

#include <functional>

#include "comms/communicator/communicator.hpp"

namespace plaq {

/// While it lives, interruption_point() of this thread calls `ask`, and that of an outer object no more.
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
