// The command line of the program. The one user of CLI11.
#pragma once

#include <string>
#include <variant>

#include "jobs/common/commands.hpp"

namespace plaq::jobs {

// Help or the version was asked for: print `text`, exit with 0, no MPI.
struct PrintText {
  std::string text;
};

using Command =
    std::variant<PrintText, RunOptions, InfoOptions, ConvertOptions, BenchOptions, SelftestOptions,
                 PlotOptions, AnalyseOptions, SchemaOptions, ExplainOptions, PlanOptions, ModelOptions>;

// Throws usage errors.
Command parse_command_line(int argc, const char* const* argv);

}  // namespace plaq::jobs
