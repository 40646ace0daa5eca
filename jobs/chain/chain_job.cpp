#include "jobs/chain/chain_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/world.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "io/bytes/names_now.hpp"
#include "io/bytes/temporary_file.hpp"
#include "io/gauge/gauge_file.hpp"
#include "io/gauge/gauge_file_info.hpp"
#include "io/gauge/lime_gauge.hpp"
#include "jobs/chain/chain.hpp"
#include "jobs/results/resume.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {
namespace {

template <class Visit>
void for_each_configuration(const ChainPlan& plan, Visit&& visit) {
  for (std::int64_t sweep = plan.first; sweep <= plan.last; sweep += plan.update.separation)
    visit(plan.configuration_name(sweep));
}

// On rank 0: a history of this job without one of its fields is not complete, and not to be replaced unasked.
bool has_all_fields(const ChainPlan& plan) {
  for_each_configuration(plan, [&](const std::string& name) {
    if (!exists_now(name))
      throw Error(ErrorKind::output_file,
                  fmt::format("{} says that this job is complete, but {} is missing; set overwrite = true in "
                              "[output] to compute all fields again",
                              plan.history_name(), name));
  });
  return true;
}

// On rank 0. Rows of a history with fewer fields of this chain. Throws Error(output_file) where it has more,
// which only overwrite = true replaces.
std::vector<int> rows_of_shorter_chain(const JobFile& job, const ChainPlan& plan,
                                       const std::vector<StoredObject>& objects) {
  const auto found = std::find_if(objects.begin(), objects.end(), [&](const StoredObject& object) {
    return object.path == "/configurations/" + plan.kind.counter;
  });
  if (found == objects.end() || found->extents.empty()) return {};
  const auto there = static_cast<std::int64_t>(found->extents.front()), wanted = plan.update.configurations;
  if (there > wanted && job.get<OutputKeys>().overwrite) return {};
  if (there > wanted)
    throw Error(
        ErrorKind::output_file,
        fmt::format(
            "{} has {} fields of this chain, and configurations = {} in [update] wants fewer: it can only "
            "be raised; set overwrite = true in [output] to compute all fields again",
            plan.history_name(), there, wanted));
  std::vector<int> rows(static_cast<std::size_t>(wanted), -1);
  for (std::int64_t i = 0; i < there; ++i) rows[static_cast<std::size_t>(i)] = static_cast<int>(i);
  return rows;
}

// On rank 0. The history of a shorter chain becomes the beginning of this one's journal.
void continue_history(const JobFile& job, const ChainPlan& plan, EarlierRun& earlier) {
  if (earlier.rows.empty() || has_findings(earlier.journal->records())) return;
  log::info(
      fmt::format("{} has {} fields of this chain, which goes on to {}", plan.history_name(),
                  std::count_if(earlier.rows.begin(), earlier.rows.end(), [](int row) { return row >= 0; }),
                  plan.update.configurations));
  const std::vector<ChainEvent> events = read_history(plan);
  begin_job(*earlier.journal, job);
  for (const ChainEvent& event : events) earlier.journal->append(to_record(event));
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

// On rank 0. Fields that an earlier run of this job could have saved are ours.
void check_outputs(const JobFile& job, const ChainPlan& plan, const EarlierRun& earlier) {
  const bool overwrite = job.get<OutputKeys>().overwrite;
  std::int64_t ours = last_planned_sweep(
      job, plan, earlier.resumes ? earlier.journal->records() : std::vector<JournalRecord>{});
  for (std::size_t i = 0; i < earlier.rows.size(); ++i)  // of a history that grows
    if (earlier.has(i))
      ours = std::max(ours, plan.first + plan.update.separation * static_cast<std::int64_t>(i));
  check_output(plan.configuration_name(plan.first), overwrite || plan.first <= ours);
  for (std::int64_t sweep = plan.first; sweep <= plan.last; sweep += plan.update.separation)
    if (sweep > ours && exists_now(plan.configuration_name(sweep)))
      check_output(plan.configuration_name(sweep), overwrite);
  check_output(plan.checkpoint_name(), true);
}

JobFiles files_of(const JobFile& job, const ChainPlan& plan) {
  JobFiles files{plan.history_name(),
                 plan.journal_name(),
                 {{"update", "configurations"}},
                 [&](const std::vector<StoredObject>&) { return has_all_fields(plan); }};
  files.rows = [&](const std::vector<StoredObject>& objects) {
    return rows_of_shorter_chain(job, plan, objects);
  };
  files.grows_by = {{"update", "configurations"}};
  files.paths.reads(job.get<GaugeStartKeys>().file, "the start ([gauge] file)");
  for_each_configuration(plan, [&](const std::string& name) {
    files.paths.writes(name, "a field of the chain ([output] prefix)");
  });
  files.paths.writes(plan.checkpoint_name(), "its checkpoint");
  if (!plan.kind.seconds.empty())
    files.paths.writes(plan.seconds_name(), fmt::format("seconds of its {}", plan.kind.steps));
  if (plan.kind.has_long_steps)
    files.paths.writes(plan.step_checkpoint_name(),
                       fmt::format("its checkpoint within a {}", plan.kind.step));
  return files;
}

// Extents from [lattice], or from the file that it starts from, which another seed must have made. On rank 0.
Extents extents_of_start(const JobFile& job) {
  const std::string path = job.get<GaugeStartKeys>().file;
  const auto extents = job.get<LatticeKeys>().extents;
  if (path.empty()) return *extents;
  const GaugeFileInfo info = inspect_gauge_file(path, extents);
  const std::string seed = std::to_string(job.get<ChainKeys>().seed);
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

// NNNNNN of PREFIX.NNNNNN.FORMAT: of formats whose headers have no number.
std::optional<std::int64_t> number_in_name(const std::string& path) {
  const std::string digits = std::filesystem::path(path).stem().extension().string();
  if (digits.size() < 2 || digits.size() > 10 ||
      digits.find_first_not_of("0123456789", 1) != std::string::npos)
    return std::nullopt;
  return std::stoll(digits.substr(1));
}

// The number of the field that the chain starts from; 0 where it starts from none, or
// from one of no number. On rank 0.
std::int64_t number_of_start(const JobFile& job) {
  const std::string path = job.get<GaugeStartKeys>().file;
  if (path.empty()) return 0;
  const auto stated = sequence_number_of(inspect_gauge_file(path, job.get<LatticeKeys>().extents));
  return std::max<std::int64_t>(0, stated ? *stated : number_in_name(path).value_or(0));
}

}  // namespace

int run_chain(const JobFile& job, const ChainKind& kind) {
  std::int64_t origin = 0;
  on_first_rank([&] { origin = number_of_start(job); });
  const ChainPlan plan(job, kind, world().broadcast(origin));
  EarlierRun earlier;  // on rank 0
  if (is_complete_job(earlier, job, files_of(job, plan))) return 0;
  on_first_rank([&] {
    check_outputs(job, plan, earlier);
    continue_history(job, plan, earlier);
  });
  const Extents extents = extents_from_first_rank([&] { return extents_of_start(job); });
  const JobContext context = start_job(job, extents, kind.least_slices);
  Chain chain(context, plan, earlier.journal.get());
  with_tuning(context, [&] { chain.run(); });
  on_first_rank([&] {
    if (DryRun* dry = DryRun::current()) {
      if (plan.saves_exactly()) dry->add_file({plan.checkpoint_name(), 0, true});
      if (!plan.kind.seconds.empty())
        dry->add_file({plan.seconds_name(),
                       static_cast<std::uint64_t>(plan.last) * 8 * (plan.kind.seconds.size() + 4)});
      if (plan.kind.has_long_steps) dry->add_file({plan.step_checkpoint_name(), 0, true});
    } else {
      std::error_code ignored;  // the journal covers all, and a longer chain can go on from the last field
      if (plan.saves_exactly()) std::filesystem::remove(plan.checkpoint_name(), ignored);
    }
    write_history(plan, job, extents, chain.events());
    earlier.journal->remove();
  });
  return 0;
}

}  // namespace plaq::jobs
