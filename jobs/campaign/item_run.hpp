// A job within a program that goes on afterwards, whatever becomes of the job.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "comms/communicator/communicator.hpp"
#include "jobs/campaign/campaign.hpp"
#include "jobs/common/failure.hpp"

namespace plaq::jobs {

struct ItemOutcome {
  int code = 0;         // exit code that plaq run would have
  std::string message;  // of a failure
  double seconds = 0;
};

// Collective over world(), which `reporter` is of. Runs `work`, whose Errors are the same on all ranks, and
// returns its outcome. If ranks fail while others wait for them, the whole program ends, as with plaq run.
ItemOutcome run_guarded(FailureReporter& reporter, const std::function<int()>& work);

// Runs an item without a message.
ItemOutcome run_quietly(FailureReporter& reporter, const std::function<int()>& work);

// Collective over world(). Runs a job; what it says goes to `log_file`. Ranks wait for each other under the
// job's watchdog alone.
ItemOutcome run_item(FailureReporter& reporter, const TaskJob& job, const std::string& log_file);

// Collective over `all`: groups work on items of their own, however long each takes, and all learn what each
// rank has to say. A rank that no longer gives signs of life ends the program after `watchdog` seconds.
std::vector<std::string> gather_after(const Communicator& all, double watchdog,
                                      const std::function<std::string()>& work);

}  // namespace plaq::jobs
