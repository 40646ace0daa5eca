// Job type generate: a Markov chain of quenched gauge fields.
//
// Sweeps count from the start of the run, also with start = "file": the random numbers of heatbath sweep i
// belong to (seed, i). A run that goes on from a file therefore needs a seed of its own, and one that would
// draw the numbers of the run that made the file again is refused (the header says PLAQ_SEED).
//
// PREFIX.history.h5 is written last and says that the job is complete. Until then PREFIX.journal has what was
// measured and saved, and PREFIX.checkpoint the links of some sweep; both go away at the end. A run that
// finds a journal goes on from the latest state that it covers, and drops what came after: the bits are the
// same.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "io/bytes/temporary_file.hpp"
#include "io/gauge/gauge_file.hpp"
#include "io/gauge/lime_gauge.hpp"
#include "jobs/common/collective_check.hpp"
#include "jobs/generate/generate_chain.hpp"
#include "jobs/results/resume.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_difference.hpp"
#include "jobs/schema/job_types.hpp"

namespace plaq::jobs {
namespace {

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

template <class Visit>
void for_each_configuration(const ChainPlan& plan, Visit&& visit) {
  for (std::int64_t sweep = plan.first; sweep <= plan.last; sweep += plan.update.separation)
    visit(plan.configuration_name(sweep));
}

// On rank 0: a history of this job without one of its fields is not complete, and not to be replaced unasked.
bool has_all_fields(const ChainPlan& plan) {
  for_each_configuration(plan, [&](const std::string& name) {
    if (!exists(name))
      throw Error(ErrorKind::output_file,
                  fmt::format("{} says that this job is complete, but {} is missing; set overwrite = true in "
                              "[output] to compute all fields again",
                              plan.history_name(), name));
  });
  return true;
}

// On rank 0. The last sweep of the jobs in the journal, which may have had fewer configurations; not more.
std::int64_t last_planned_sweep(const JobFile& job, const ChainPlan& plan,
                                const std::vector<JournalRecord>& records) {
  std::int64_t last = -1;
  for (const auto& record : records) {
    if (record.kind != job_record) continue;
    std::int64_t configurations = plan.update.configurations;
    for (const auto& [key, theirs, ours] : compare_jobs(record.payload, job.physics_text()))
      if (key == KeyName{"update", "configurations"}) configurations = std::stoll(theirs);
    if (configurations > plan.update.configurations)
      throw Error(
          ErrorKind::output_file,
          fmt::format("{} is the journal of a job with configurations = {} in [update], here it is {}: it "
                      "can only be raised; finish that job, or delete its journal",
                      plan.journal_name(), configurations, plan.update.configurations));
    last = std::max(last, plan.first + plan.update.separation * (configurations - 1));
  }
  return last;
}

// On rank 0. Fields that an earlier run of this job could have saved, those of `records`, are ours.
void check_outputs(const JobFile& job, const ChainPlan& plan, const std::vector<JournalRecord>& records) {
  const bool overwrite = job.get<OutputKeys>().overwrite;
  const std::int64_t ours = last_planned_sweep(job, plan, records);
  check_output(plan.configuration_name(plan.first), overwrite || plan.first <= ours);
  for (std::int64_t sweep = plan.first; sweep <= plan.last; sweep += plan.update.separation)
    if (sweep > ours && exists(plan.configuration_name(sweep)))
      check_output(plan.configuration_name(sweep), overwrite);
  check_output(plan.checkpoint_name(), true);
}

JobFiles files_of(const JobFile& job, const ChainPlan& plan) {
  JobFiles files{plan.history_name(),
                 plan.journal_name(),
                 {{"update", "configurations"}},
                 [&](const std::vector<StoredObject>&) { return has_all_fields(plan); }};
  files.paths.reads(job.get<GaugeStartKeys>().file, "the start ([gauge] file)");
  for_each_configuration(plan, [&](const std::string& name) {
    files.paths.writes(name, "a field of the chain ([output] prefix)");
  });
  files.paths.writes(plan.checkpoint_name(), "its checkpoint");
  return files;
}

// Of [lattice], or of the file that it starts from, which another seed must have made. On rank 0.
Extents extents_of_start(const JobFile& job) {
  const std::string path = job.get<GaugeStartKeys>().file;
  const auto extents = job.get<LatticeKeys>().extents;
  if (path.empty()) return *extents;
  const GaugeFileInfo info = inspect_gauge_file(path, extents);
  const std::string seed = std::to_string(job.get<UpdateKeys>().seed);
  auto entries = info.entries;
  const auto lines = lime_header_lines(info.entries);
  entries.insert(entries.end(), lines.begin(), lines.end());
  for (const auto& entry : entries)
    if (entry.key == seed_key && entry.value == seed)
      throw Error(
          ErrorKind::job_file,
          fmt::format(
              "{}: 'seed' in [update]: {} was generated with seed {} too, and the same random numbers "
              "would be drawn again; take another seed",
              job.file(), path, seed));
  return info.extents;
}

}  // namespace

int run_generate(const JobFile& job) {
  const ChainPlan plan(job);
  EarlierRun earlier;  // on rank 0
  if (is_complete_job(earlier, job, files_of(job, plan))) return 0;
  on_first_rank([&] {
    const auto& records = earlier.journal->records();
    check_outputs(job, plan, earlier.resumes ? records : std::vector<JournalRecord>{});
  });
  const Extents extents = extents_from_first_rank([&] { return extents_of_start(job); });
  const JobContext context = start_job(job, extents);
  Chain chain(context, plan, earlier.journal.get());
  with_tuning(context, [&] { chain.run(); });
  on_first_rank([&] {
    if (DryRun* dry = DryRun::current()) {
      dry->add_file({plan.checkpoint_name(), 0, true});
    } else {
      std::error_code ignored;  // the journal now covers all: the checkpoint is of no use any more
      std::filesystem::remove(plan.checkpoint_name(), ignored);
    }
    write_history(plan.history_name(), job, extents, chain.events());
    earlier.journal->remove();
  });
  return 0;
}

}  // namespace plaq::jobs
