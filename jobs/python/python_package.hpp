// Commands that are parts of the Python package plaq (python/plaq): the program finds the package and an
// interpreter for it. The package needs no compiled part for them, so that any Python 3 with h5py serves.
// Nothing is imported from the current directory.
#pragma once

#include <optional>
#include <string>

#include "jobs/common/commands.hpp"

namespace plaq::jobs {

// Each is serial, without MPI, and returns the exit code of Python. Each throws a usage error where no Python
// has the modules that it needs.

/// plaq analyse: makes numbers with errors of result files (plaq.analysis).
int run_analyse(const AnalyseOptions& options);

/// plaq plot: draws a result file (plaq.plots).
int run_plot(const PlotOptions& options);

/// plaq campaign report: makes the page `output` of the JSON file `data` (plaq.report).
int run_report(const std::string& data, const std::string& output);

/// The values of a result file at a glance, as JSON (python/plaq/analysis/brief.py). Nothing where no Python
/// has the modules or the analysis fails.
std::optional<std::string> brief_values(const std::string& path);

}  // namespace plaq::jobs
