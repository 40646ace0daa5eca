#include "jobs/campaign/item_run.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdio>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/heartbeat.hpp"
#include "comms/communicator/mpi_session.hpp"
#include "comms/watchdog/watchdog.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/timer.hpp"
#include "jobs/common/failure.hpp"
#include "jobs/run/job_context.hpp"
#include "jobs/schema/common_keys.hpp"

namespace plaq::jobs {
namespace {

// Standard output and standard error go to a file while it lives, behind what it has.
class OutputTo {
 public:
  explicit OutputTo(const std::string& path) {
    std::fflush(nullptr);
    // O_NONBLOCK: a pipe that nobody reads is not waited for.
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC, 0644);
    if (file < 0) return;  // they stay where they are
    for (std::size_t i = 0; i < streams.size(); ++i) {
      kept_[i] = ::dup(streams[i]);
      ::dup2(file, streams[i]);
    }
    ::close(file);
  }
  ~OutputTo() {
    std::fflush(nullptr);
    for (std::size_t i = 0; i < streams.size(); ++i) {
      if (kept_[i] < 0) continue;
      ::dup2(kept_[i], streams[i]);
      ::close(kept_[i]);
    }
  }
  OutputTo(const OutputTo&) = delete;
  OutputTo& operator=(const OutputTo&) = delete;

 private:
  static constexpr std::array<int, 2> streams = {STDOUT_FILENO, STDERR_FILENO};
  std::array<int, 2> kept_ = {-1, -1};
};

}  // namespace

ItemOutcome run_guarded(FailureReporter& reporter, const std::function<int()>& work) {
  const Timer timer;
  ItemOutcome outcome;
  try {
    outcome.code = work();
  } catch (...) {
    const Failure failure = current_failure();
    outcome.message = failure.message;
    // A stop comes to all ranks at once, and is no failure.
    if (failure.code == exit_code(ErrorKind::stopped)) {
      log::warning(failure.message);
      outcome.code = failure.code;
    } else {
      outcome.code = reporter.report(failure);
    }
  }
  outcome.seconds = timer.seconds();
  return outcome;
}

ItemOutcome run_quietly(FailureReporter& reporter, const std::function<int()>& work) {
  const OutputTo nothing("/dev/null");
  return run_guarded(reporter, work);
}

ItemOutcome run_item(FailureReporter& reporter, const TaskJob& task, const std::string& log_file) {
  const OutputTo output(log_file);
  return run_guarded(reporter, [&] {
    const JobFile job = task.parse();
    const Watchdog watchdog(job.get<CommsKeys>().watchdog, end_all_ranks);
    log::info(task.file);
    return run_job_of(job);
  });
}

std::vector<std::string> gather_after(const Communicator& all, double watchdog,
                                      const std::function<std::string()>& work) {
  Heartbeat heartbeat(all);
  const std::string mine = work();
  const Watchdog others(watchdog, end_all_ranks);
  heartbeat.meet(nullptr);
  return gather(all, mine);
}

}  // namespace plaq::jobs
