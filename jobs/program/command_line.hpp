// The command line of the program. The one user of CLI11.
#pragma once

#include <functional>
#include <string>
#include <variant>

#include "jobs/common/commands.hpp"
#include "jobs/plan/cost_options.hpp"

namespace plaq::jobs {

// Help or the version was asked for: print `text`, exit with 0, no MPI.
struct PrintText {
  std::string text;
};

// What one process does before MPI starts, and what all ranks do as a job, which
// signals stop. They return exit codes.
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

}  // namespace plaq::jobs
