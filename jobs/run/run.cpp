// plaq run: the job file is read once, checked whole on every rank, and handed to its job type.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/mpi_session.hpp"
#include "comms/communicator/world.hpp"
#include "comms/watchdog/watchdog.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/machine.hpp"
#include "core/system/memory.hpp"
#include "jobs/common/commands.hpp"
#include "jobs/common/failure.hpp"
#include "jobs/run/job_context.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_types.hpp"

namespace plaq::jobs {
namespace {

// One rank reads: the others might see another state of the file, and a thousand would wait for each other.
std::string text_from_first_rank(const std::string& path) {
  const Watchdog watchdog(usual_watchdog, end_all_ranks);  // how long the job would wait it is yet to say
  std::string text;
  on_first_rank([&] { text = JobFile::read_text(path); });
  return broadcast(world(), std::move(text));
}

}  // namespace

int run_job_of(const JobFile& job) { return find_job_type(job.type())->run(job); }

int run_job(const RunOptions& options) {
  return run_job_text(text_from_first_rank(options.job_file), options);
}

int run_job_text(const std::string& text, const RunOptions& options) {
  const JobFile job = JobFile::parse(text, options.job_file, overrides_of(options));
  const Watchdog watchdog(job.get<CommsKeys>().watchdog, end_all_ranks);
  log::info(std::string("plaq ") + version() + ": " + job.type() + ", " + options.job_file);
  int code = 0;
  try {
    code = run_job_of(job);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::stopped) throw;
    log::warning(error.what());  // on every rank at once: nothing has failed
    code = exit_code(error.kind());
  }
  world().barrier();  // a link that is lost now is the job's to miss, not that of MPI_Finalize
  log::debug(fmt::format("most memory of buffers at once: {} bytes on the host, {} on the device",
                         Buffer::high_water(Location::host), Buffer::high_water(Location::device)));
  return code;
}

}  // namespace plaq::jobs
