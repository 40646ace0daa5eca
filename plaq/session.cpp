#include "plaq/session.hpp"

#include <exception>
#include <optional>

#include "comms/communicator/launcher.hpp"
#include "comms/communicator/mpi_session.hpp"
#include "comms/grid/node_map.hpp"
#include "comms/grid/world.hpp"
#include "comms/placement/launch_site.hpp"
#include "comms/watchdog/watchdog.hpp"
#include "core/launch/tuning.hpp"
#include "core/system/log.hpp"
#include "core/system/machine.hpp"
#include "core/system/version.hpp"
#include "io/tuning/tuning_file.hpp"

namespace plaq {

struct Session::Parts {
  MpiSession mpi;
  Communicator ranks;
  LaunchSite site;
  std::string tuning_file;
  std::optional<Queue> queue;
  std::optional<Watchdog> watchdog;
  int ranks_per_node = 1;

  Parts(int& argc, char**& argv) : mpi(has_launcher() && !mpi_runs(), argc, argv), ranks(world()) {}
};

namespace {

void expect_possible(const SessionSettings& s) {
  const auto refuse = [](const std::string& what) { throw Error(ErrorKind::usage, "Session: " + what); };
  if (s.location != "auto" && s.location != "host" && s.location != "gpu")
    refuse("location \"" + s.location + "\" is none of auto, host, gpu");
  if (s.threads < 0) refuse("threads is not negative");
  if (!(s.watchdog >= 0)) refuse("watchdog is not negative");
}

}  // namespace

Session::Session(int& argc, char**& argv, const SessionSettings& settings) {
  expect_possible(settings);
  parts_ = std::make_unique<Parts>(argc, argv);
  Parts& p = *parts_;
  log::set_rank(p.ranks.rank(), p.ranks.size());
  log::set_level(settings.verbose ? log::Level::info : log::Level::warning);
  p.watchdog.emplace(settings.watchdog, end_all_ranks);
  p.ranks_per_node = plaq::ranks_per_node(nodes_of(p.ranks));
  p.site = choose_launch_site(p.ranks, settings.location, settings.threads, settings.strict_binding);
  p.tuning_file = tuning_file_path(settings.tuning_file);
  auto tuner = std::make_shared<Tuner>(settings.tuning ? TuneMode::on : TuneMode::off,
                                       machine_at(p.site.location, version()));
  load_tuning(p.ranks, p.tuning_file, *tuner);
  p.queue.emplace(p.site.location, std::move(tuner));
}

Session::~Session() {
  // A rank that fails must not wait for others: MPI is left as it is, and the launcher ends them all with this process.
  if (std::uncaught_exceptions() > 0) return;
  save_tuning(parts_->ranks, parts_->tuning_file, *parts_->queue->tuner());
  parts_->queue.reset();
  parts_->mpi.end();
}

int Session::rank() const { return parts_->ranks.rank(); }
int Session::ranks() const { return parts_->ranks.size(); }
Location Session::location() const { return parts_->site.location; }
std::string Session::device() const { return text_of(parts_->site); }
const Communicator& Session::communicator() const { return parts_->ranks; }
const Queue& Session::queue() const { return *parts_->queue; }
int Session::ranks_per_node() const { return parts_->ranks_per_node; }

}  // namespace plaq
