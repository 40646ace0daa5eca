// A job within a program that goes on afterwards, whatever becomes of the job.
#pragma once

#include <functional>
#include <string>

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

}  // namespace plaq::jobs
