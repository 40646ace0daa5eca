// The program. The command line is understood before MPI starts, so that help and version need none; and MPI
// starts only where a launcher started this process.
#include <csignal>
#include <cstdio>
#include <optional>
#include <string>
#include <variant>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/mpi_session.hpp"
#include "comms/communicator/stop_request.hpp"
#include "comms/communicator/world.hpp"
#include "comms/watchdog/watchdog.hpp"
#include "core/system/log.hpp"
#include "jobs/common/failure.hpp"
#include "jobs/common/terminal_text.hpp"
#include "jobs/program/command_line.hpp"
#include "jobs/python/python_package.hpp"

namespace {

using namespace plaq;

// Commands that need no other rank: they return the text that is printed.
struct Print {
  std::optional<std::string> operator()(const jobs::PrintText& print) const { return print.text; }
  std::optional<std::string> operator()(const jobs::SchemaOptions& options) const { return text_of(options); }
  std::optional<std::string> operator()(const jobs::ExplainOptions& options) const {
    return text_of(options);
  }
  template <class Collective>
  std::optional<std::string> operator()(const Collective&) const {
    return std::nullopt;
  }
};

struct Execute {
  int operator()(const jobs::RunOptions& options) const { return jobs::run_job(options); }
  int operator()(const jobs::InfoOptions& options) const { return jobs::show_info(options); }
  int operator()(const jobs::ConvertOptions& options) const { return jobs::convert_file(options); }
  int operator()(const jobs::BenchOptions& options) const { return jobs::run_bench(options); }
  // Dry runs: one rank stands for rank 0 of those that are planned.
  int operator()(const jobs::PlanOptions& options) const { return print_on_first_rank(options); }
  int operator()(const jobs::CostOptions& options) const { return print_on_first_rank(options); }
  int operator()(const jobs::ModelOptions& options) const { return print_on_first_rank(options); }
  int operator()(const jobs::SelftestOptions& options) const { return jobs::run_selftest(options); }
  int operator()(const jobs::ParallelWork& work) const { return work.run(); }
  // Done before MPI starts.
  int operator()(const jobs::SerialWork&) const { return 0; }
  int operator()(const jobs::PlotOptions&) const { return 0; }
  int operator()(const jobs::AnalyseOptions&) const { return 0; }
  int operator()(const jobs::PrintText&) const { return 0; }
  int operator()(const jobs::SchemaOptions&) const { return 0; }
  int operator()(const jobs::ExplainOptions&) const { return 0; }

  template <class Options>
  static int print_on_first_rank(const Options& options) {
    on_first_rank([&] {
      const std::string text = text_of(options);
      jobs::print_whole([&] { jobs::print_safely(text); });
    });
    return 0;
  }
};

int execute(const jobs::Command& command, int argc, char** argv) {
  const bool is_job = std::holds_alternative<jobs::RunOptions>(command) ||
                      std::holds_alternative<jobs::ParallelWork>(command);
  // Remembers stop requests of a job from its start to its very end: a signal between two safe points must
  // not undo what is done.
  std::optional<StopRequest> remembered;
  if (is_job) remembered.emplace();
  MpiSession mpi(has_launcher(), argc, argv);
  if (remembered)
    remembered->here();  // what MPI loads may have taken signals (LLVM, through OpenCL of hwloc)
  log::set_rank(world().rank(), world().size());
  int code = 0;
  {
    jobs::FailureReporter reporter;
    try {
      std::optional<Watchdog> watchdog;  // a job has its own
      if (!is_job) watchdog.emplace(jobs::usual_watchdog, end_all_ranks);
      code = std::visit(Execute{}, command);
    } catch (...) {
      code = reporter.report(jobs::current_failure());
    }
  }
  const Watchdog watchdog(jobs::usual_watchdog, end_all_ranks);
  mpi.end();
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  // A write beyond the limit of file sizes is then an error that names the file,
  // as on a full disk, and no death.
  std::signal(SIGXFSZ, SIG_IGN);
  const auto [rank, size] = launcher_rank();
  log::set_rank(rank, size);
  jobs::Command command;
  std::optional<std::string> text;
  try {
    command = jobs::parse_command_line(argc, argv);
    if (const auto* plot = std::get_if<jobs::PlotOptions>(&command))
      return rank == 0 ? jobs::run_plot(*plot) : 0;
    if (const auto* work = std::get_if<jobs::SerialWork>(&command)) return rank == 0 ? work->run() : 0;
    if (const auto* analyse = std::get_if<jobs::AnalyseOptions>(&command))
      return rank == 0 ? jobs::run_analyse(*analyse) : 0;
    text = std::visit(Print{}, command);
    if (text && rank == 0) jobs::print_whole([&] { jobs::print_safely(*text); });
    return text ? 0 : execute(command, argc, argv);
  } catch (...) {
    const jobs::Failure failure = jobs::current_failure();
    log::error(failure.message);
    // Rank 0 speaks and fails for all: a launcher kills every rank as soon as one of them ends with a code
    // other than 0, and rank 0 might not have spoken by then.
    return rank == 0 ? failure.code : 0;
  }
}
