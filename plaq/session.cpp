#include "plaq/session.hpp"

#include <exception>
#include <optional>

#include "comms/communicator/mpi_session.hpp"
#include "comms/communicator/world.hpp"
#include "comms/watchdog/watchdog.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "io/tuning/rank_start.hpp"
#include "io/tuning/tuning_file.hpp"

namespace plaq {

struct Session::Parts {
  MpiSession mpi;
  std::optional<Watchdog> watchdog;
  std::optional<StartedRanks> started;

  Parts(int& argc, char**& argv) : mpi(has_launcher() && !mpi_runs(), argc, argv) {}
};

namespace {

void expect_possible(const SessionSettings& s) {
  const auto refuse = [](const std::string& what) { throw Error(ErrorKind::usage, "Session: " + what); };
  if (s.location != "auto" && s.location != "host" && s.location != "gpu")
    refuse("location \"" + s.location + "\" is none of auto, host, gpu");
  if (s.threads < 0) refuse("threads must be 0 or more");
  if (!(s.watchdog >= 0)) refuse("watchdog must be 0 or more");
}

}  // namespace

Session::Session(int& argc, char**& argv, const SessionSettings& settings) {
  expect_possible(settings);
  parts_ = std::make_unique<Parts>(argc, argv);
  const Communicator ranks = world();
  log::set_rank(ranks.rank(), ranks.size());
  log::set_level(settings.verbose ? log::Level::info : log::Level::warning);
  parts_->watchdog.emplace(settings.watchdog, end_all_ranks);
  parts_->started.emplace(start_ranks(ranks, {.location = settings.location,
                                              .threads = settings.threads,
                                              .strict_binding = settings.strict_binding,
                                              .tuning = settings.tuning ? TuneMode::on : TuneMode::off,
                                              .tuning_file = settings.tuning_file}));
}

Session::~Session() {
  // A rank that fails must not wait for others: MPI is left as it is, and the launcher
  // ends them all with this process.
  if (std::uncaught_exceptions() > 0) return;
  const StartedRanks& ranks = started();
  save_tuning(ranks.ranks, ranks.tuning_file, *ranks.queue.tuner());
  parts_->started.reset();
  parts_->mpi.end();
}

int Session::rank() const { return started().ranks.rank(); }
int Session::ranks() const { return started().ranks.size(); }
Location Session::location() const { return started().site.location; }
std::string Session::device() const { return text_of(started().site); }
const StartedRanks& Session::started() const { return *parts_->started; }

}  // namespace plaq
