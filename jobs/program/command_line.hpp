// The command line of the program. The one user of CLI11.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "jobs/campaign/campaign_options.hpp"
#include "jobs/common/commands.hpp"

namespace CLI {
class App;
}

namespace plaq::jobs {

// Help or the version was asked for: print `text`, exit with 0, no MPI.
struct PrintText {
  std::string text;
};

// Work of one process before MPI starts, and work of all ranks as a job, which
// signals stop. Both return exit codes.
struct SerialWork {
  std::function<int()> run;
};
struct ParallelWork {
  std::function<int()> run;
};

using Command = std::variant<PrintText, SerialWork, ParallelWork, RunOptions, InfoOptions, ConvertOptions,
                             BenchOptions, SelftestOptions, PlotOptions, AnalyseOptions, SchemaOptions,
                             ExplainOptions, PlanOptions, CostOptions, ModelOptions>;

// Throws usage errors.
Command parse_command_line(int argc, const char* const* argv);

// The subcommands of plaq campaign; one that was called is in `called`.
void add_campaign(CLI::App& app, std::optional<Command>& called);

}  // namespace plaq::jobs
