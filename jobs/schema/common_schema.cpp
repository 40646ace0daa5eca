// Tables and rules that all job types share.
#include <fmt/format.h>

#include <algorithm>

#include "io/gauge/gauge_file.hpp"
#include "io/gauge/link_checksum.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_file.hpp"
#include "jobs/schema/job_types.hpp"
#include "jobs/schema/slurm_keys.hpp"

namespace plaq::jobs {
namespace {

void check_batch_job(Problems& problems, const CommsKeys& comms, const SlurmKeys& slurm) {
  const auto& grid = comms.process_grid;
  if (!grid || !slurm.ranks) return;
  const int ranks = (*grid)[0] * (*grid)[1] * (*grid)[2] * (*grid)[3];
  if (ranks != *slurm.ranks)
    problems.add("slurm.ranks",
                 fmt::format("{} ranks are not the {} of process_grid in [comms]", *slurm.ranks, ranks));
}

}  // namespace

Table top_table(const std::string& job) {
  struct Top {
    std::string job;
  };
  return {"",
          "The top of the file.",
          {field(&Top::job, "job", "The type of the job.").one_of(job_type_names()).need('"' + job + '"')}};
}

Table gauge_files_table(const std::string& order) {
  return {
      "gauge",
      "The gauge fields.",
      {field(&GaugeFilesKeys::files, "files",
             "Gauge fields, in the order " + order +
                 ". A name with * or ? stands for all files that match, sorted by name, and by value where "
                 "names have numbers.")
           .not_empty()
           .need("[\"field.*.nersc\"]"),
       field(&GaugeFilesKeys::numbering, "numbering",
             "Pattern that shows where file names have their numbers. {trajectory} stands for the digits of "
             "the trajectory, and {replica} for those of the Markov chain if there are several. * and ? "
             "stand for other characters. A pattern with n slashes describes the last n + 1 parts of a path.")
           .such_as("\"run{replica}/field.{trajectory}.nersc\"")
           .without("trajectory numbers come from the file headers, if they have them"),
       antiperiodic_key(), accept_checksums_key()}};
}

Key antiperiodic_key() {
  return choice(&GaugeReadOptions::strip_antiperiodic, "antiperiodic",
                "Treatment of a file whose links U_t on the last time slice carry the sign of antiperiodic "
                "boundary conditions. refuse: the job ends with an error; strip: plaq removes the sign.",
                {{"refuse", false}, {"strip", true}});
}

Key accept_checksums_key() {
  return field(&GaugeReadOptions::accept_checksums, "accept_checksums",
               "Checksums that are accepted although the file states a different one. Copy the checksum of "
               "the links from the error message. Any other difference is still an error.")
      .checked_by(validate_checksum)
      .such_as("[\"3f80a21c 00be11d5\"]")
      .not_physics();
}

Table output_table(const std::string& results, const std::string& example, const std::vector<Key>& more) {
  return {"output", "The results.",
          joined<Key>({{field(&OutputKeys::file, "file", results).need(example).not_physics()},
                       more,
                       {overwrite_key()}})};
}

Key overwrite_key() {
  return field(&OutputKeys::overwrite, "overwrite",
               "true: the job replaces output files that exist; false: the job ends with an error before any "
               "work.")
      .not_physics();
}

std::vector<Rule> common_rules() {
  return joined<Rule>({{split_rule(),
                        {{"comms.process_grid", "slurm.ranks"},
                         "The number of ranks of the batch job must be that of the process grid.",
                         check_batch_job}},
                       slurm_rules()});
}

}  // namespace plaq::jobs
