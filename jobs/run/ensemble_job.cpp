#include "jobs/run/ensemble_job.hpp"

#include <fmt/format.h>

#include "comms/communicator/collective.hpp"
#include "core/system/log.hpp"
#include "jobs/results/output_file.hpp"
#include "jobs/run/saved_fields.hpp"
#include "jobs/schema/common_keys.hpp"

namespace plaq::jobs {

EnsembleJob::EnsembleJob(const JobFile& job, const ChooseFiles& choose)
    : job_(job), input_(find_ensemble(job, choose)) {}

void EnsembleJob::check_outputs(const std::vector<std::string>& gauge_files, bool ours) const {
  check_made_files(job_, made_files(gauge_files), ours);
}

bool EnsembleJob::holds(const std::string& gauge_file, int /*part*/) const {
  return are_there(made_files({gauge_file}));
}

int EnsembleJob::run() {
  note_plan();
  JobFiles all = files();
  add_made_files(all, job_, made_files(input_.files), use_of_made_file());
  if (is_complete_job(earlier_, job_, all)) return 0;
  on_first_rank([&] {
    check_outputs(files_to_come(input_, earlier_), earlier_.resumes);
    // Before the first of these files is there.
    if (makes_files()) begin_job(*earlier_.journal, job_);
  });
  context_.emplace(start_job(job_, input_.extents, least_slices()));
  prepare();
  Results results = run_fields(*this, *context_);
  finish(results);
  return 0;
}

void EnsembleJob::finish(Results& results) {
  on_first_rank([&] {
    OutputFile out(output_keys(job_, earlier_));
    describe_job(out, job_, input_.extents);
    describe(out);
    out.write(results);
    out.commit();
    earlier_.journal->remove();
  });
  log::info(fmt::format("wrote {}", job_.get<OutputKeys>().file));
}

}  // namespace plaq::jobs
