// plaq results join.
#include <fmt/format.h>

#include "jobs/common/commands.hpp"
#include "jobs/common/terminal_text.hpp"
#include "jobs/results/joined_rows.hpp"
#include "jobs/results/output_file.hpp"

namespace plaq::jobs {

int join_results(const JoinResultsOptions& options) {
  OutputFile out(options.output, options.overwrite);
  out.replace(joined_rows(options.inputs));
  out.commit();
  print_whole([&] { print_safely("{}: {} results\n", options.output, options.inputs.size()); });
  return 0;
}

}  // namespace plaq::jobs
