// The command line of the program. The one user of CLI11.
#pragma once

#include <optional>
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
                 PlotOptions, SchemaOptions, ExplainOptions, PlanOptions, ModelOptions>;

// Throws usage errors.
Command parse_command_line(int argc, const char* const* argv);

// "1x1x2x4" (also with commas); empty when it is not four numbers from 1 to 4096.
std::optional<std::array<int, 4>> parse_four(const std::string& text);
// "32x32x32x64" (also with commas); empty when it is not four even extents of at least 2.
std::optional<std::array<int, 4>> parse_lattice(const std::string& text);

}  // namespace plaq::jobs
