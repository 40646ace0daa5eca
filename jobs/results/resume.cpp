#include "jobs/results/resume.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/world.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/machine.hpp"
#include "core/system/trace_counts.hpp"
#include "io/bytes/names_now.hpp"
#include "io/bytes/temporary_file.hpp"
#include "io/tuning/tuning_file.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {
namespace {

enum class Found { nothing, part, grows, whole };
struct OutputFound {
  Found what = Found::nothing;
  std::vector<int> rows = {};  // where it grows
};

bool differ_in_these_alone(const std::string& one, const std::string& other,
                           const std::vector<KeyName>& keys) {
  for (const auto& difference : compare_jobs(one, other))
    if (std::find(keys.begin(), keys.end(), difference.key) == keys.end()) return false;
  return true;
}

// Finds the rows of this very job in an output. A file that cannot be read is not its output.
OutputFound output_of(const JobFile& job, const JobFiles& files) {
  if (!exists_now(files.output)) return {};
  std::vector<StoredObject> objects;
  try {
    if (!is_hdf5(files.output)) return {};
    objects = read_result_file(files.output).objects;
  } catch (const Error&) {
    return {};
  }
  const Attributes& root = objects.front().attributes;
  const auto* type = find_attribute<std::string>(root, "job_type");
  const auto* theirs = find_attribute<std::string>(root, "job");
  if (type == nullptr || theirs == nullptr || *type != job.type()) return {};
  const bool same = *theirs == job.physics_text();
  if (same && files.covers(objects)) return {Found::whole};
  if (same && files.part_of && files.part_of(objects)) return {Found::part};
  if (files.rows && differ_in_these_alone(*theirs, job.physics_text(), files.grows_by)) {
    std::vector<int> rows = files.rows(objects);
    if (!rows.empty()) return {Found::grows, std::move(rows)};
  }
  return {};
}

using Records = std::vector<JournalRecord>;

const JournalRecord* last_job(const Records& records) {
  const auto at =
      std::find_if(records.rbegin(), records.rend(), [](const auto& r) { return r.kind == job_record; });
  return at == records.rend() ? nullptr : &*at;
}

std::string shown(const std::string& value) { return value.empty() ? "absent" : value; }

std::string name_of(const KeyName& key) {
  return key.table.empty() ? key.key : fmt::format("[{}] {}", key.table, key.key);
}

// Advice if a journal is of another job. That one may be unable to finish.
std::string advice(const std::string& path, const Records& records, const std::vector<KeyName>& may_differ) {
  const auto found = std::count_if(records.begin(), records.end(),
                                   [](const auto& record) { return record.kind != job_record; });
  std::string keys;
  bool files = false;
  for (const KeyName& key : may_differ) {
    keys += (keys.empty() ? "" : ", ") + name_of(key);
    files = files || key == KeyName{"gauge", "files"};
  }
  std::string text =
      "give this job another output and keep that one's journal, which can be gone on from with "
      "the keys that it had";
  if (!keys.empty()) text += fmt::format(" (these may change: {})", keys);
  if (files)
    text +=
        "; a field that it cannot do can be left out of [gauge] files, and what is finished is then written";
  return text + fmt::format(". Deleting {} loses {} finished result{}", path, found, found == 1 ? "" : "s");
}

void expect_same_job(const std::string& path, const Records& records, const JobFile& job,
                     const std::vector<KeyName>& may_differ) {
  std::string differences;
  for (const auto& [key, theirs, ours] : compare_jobs(last_job(records)->payload, job.physics_text())) {
    if (std::find(may_differ.begin(), may_differ.end(), key) != may_differ.end()) continue;
    differences += fmt::format("{}{} is {} there and {} here", differences.empty() ? "" : ", ", name_of(key),
                               shown(theirs), shown(ours));
  }
  if (!differences.empty())
    throw Error(ErrorKind::output_file, fmt::format("{} is the journal of another unfinished job: {}; {}",
                                                    path, differences, advice(path, records, may_differ)));
}

// True if a run goes on from a journal with these records.
bool goes_on(const std::string& path, const Records& records, const JobFile& job,
             const std::vector<KeyName>& may_differ) {
  const JournalRecord* last = last_job(records);
  if (!last) return false;
  if (!has_findings(records)) return last->payload == job.physics_text();
  expect_same_job(path, records, job, may_differ);
  return true;
}

void warn_of_another_version(const Journal& journal) {
  const std::string& theirs = last_job(journal.records())->key;
  if (theirs != version())
    log::warning(
        fmt::format("{} was begun by plaq {}, this is {}: not all results will come from one version",
                    journal.path(), theirs, version()));
}

// Removes a journal whose run was killed between publishing its output and removing its journal.
void clean_up(const JobFile& job, const JobFiles& files) {
  if (!exists_now(files.journal)) return;
  try {
    Journal journal(files.journal);
    const JournalRecord* theirs = last_job(journal.records());
    if (!theirs || theirs->payload != job.physics_text()) return;
    journal.remove();
  } catch (const Error&) {  // in use, or not ours to remove
  }
}

// Temporaries and lock of a run that was killed just after it published.
void sweep_beside(const std::string& path) {
  try {
    check_output(path, true);
  } catch (const Error&) {  // nothing may be made there: nothing is to do
  }
}

void check_paths(const JobFile& job, const JobFiles& files) {
  paths_of_job(job, files).check(ErrorKind::job_file, job.file());
  if (const auto profile = job.get<RunKeys>().profile_file; !profile.empty()) expect_json_or_nothing(profile);
}

// True if an output that is there may be replaced: because the job says so, or because it is a part of what
// the journal of this job has.
bool may_replace(const JobFile& job, const JobFiles& files, Found found) {
  if (job.get<OutputKeys>().overwrite || found == Found::grows) return true;
  if (found != Found::part) return false;
  const Records records = look_into_journal(files.journal);
  return has_findings(records) && goes_on(files.journal, records, job, files.may_differ);
}

}  // namespace

PathRegistry paths_of_job(const JobFile& job, const JobFiles& files) {
  PathRegistry paths;
  paths.reads(job.file(), "the job file");
  paths.add(files.paths);
  paths.writes(files.output, "the results of the job");
  paths.writes(files.journal, "its journal");
  const auto run = job.get<RunKeys>();
  paths.writes(run.profile_file, "the profile ([run] profile_file)");
  if (run.tuning != TuneMode::off)
    paths.writes(tuning_file_path(run.tuning_file), "the tuning file ([run] tuning_file)");
  return paths;
}

namespace {

// True if a complete output is computed again.
bool computes_again(const JobFile& job) { return job.get<OutputKeys>().overwrite && !job.owns_output(); }

// The part of an output that is kept: nothing if it is computed again.
OutputFound output_that_counts(const JobFile& job, const JobFiles& files) {
  return computes_again(job) ? OutputFound{} : output_of(job, files);
}

// Removes output and journal of a job that owns them where it cannot go on from them.
void remove_unusable(const JobFile& job, const JobFiles& files) {
  const auto remove = [](const std::string& file, const std::string& why) {
    log::warning(fmt::format("{} is removed, and what it has is computed again: {}", file, why));
    std::error_code ignored;
    std::filesystem::remove_all(file, ignored);
  };
  try {
    if (exists_now(files.output) && output_of(job, files).what == Found::nothing)
      remove(files.output, "it is damaged or of another job");
  } catch (const Error& error) {  // a file that belongs to it is missing
    remove(files.output, error.what());
  }
  if (!exists_now(files.journal)) return;
  try {
    goes_on(files.journal, look_into_journal(files.journal), job, files.may_differ);
  } catch (const Error& error) {
    remove(files.journal, error.what());
  }
}

// Returns the earlier run that a run would find. Nothing is changed, and the dry run continues in any case.
EarlierRun look_only(DryRun& dry, const JobFile& job, const JobFiles& files) {
  EarlierRun run;
  try {
    const EarlierFindings found = look_for_earlier_run(job, files);
    if (found.complete) dry.expect({Outlook::Kind::complete, fmt::format("{} is complete", files.output)});
    run.resumes = found.resumes;
    run.rows = found.rows;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::output_file) throw;
    dry.expect({Outlook::Kind::stops, error.what()});
  }
  if (TraceCounts::current() != nullptr) {  // of a job that does it all
    run.resumes = false;
    run.rows.clear();
  }
  run.journal = std::make_unique<Journal>(files.journal);
  if (!run.resumes) run.journal->truncate(0);
  return run;
}

}  // namespace

EarlierRun find_earlier_run(const JobFile& job, const JobFiles& files) {
  if (DryRun* dry = DryRun::current()) return look_only(*dry, job, files);
  check_paths(job, files);
  EarlierRun run;
  if (job.owns_output()) remove_unusable(job, files);
  OutputFound output = output_that_counts(job, files);
  if (output.what == Found::whole) {
    clean_up(job, files);
    sweep_beside(files.output);
    run.complete = true;
    return run;
  }
  check_output(files.output, may_replace(job, files, output.what));
  run.rows = std::move(output.rows);
  run.journal = std::make_unique<Journal>(files.journal);
  Journal& journal = *run.journal;
  run.resumes = goes_on(journal.path(), journal.records(), job, files.may_differ);
  if (!run.resumes) journal.truncate(0);
  if (has_findings(journal.records())) warn_of_another_version(journal);
  return run;
}

EarlierFindings look_for_earlier_run(const JobFile& job, const JobFiles& files) {
  check_paths(job, files);
  EarlierFindings found;
  OutputFound output = output_that_counts(job, files);
  found.complete = output.what == Found::whole;
  if (found.complete) return found;
  expect_replaceable(files.output, may_replace(job, files, output.what));
  found.rows = std::move(output.rows);
  found.records = look_into_journal(files.journal);
  found.resumes = goes_on(files.journal, found.records, job, files.may_differ);
  if (!found.resumes) found.records.clear();
  return found;
}

OutputKeys output_keys(const JobFile& job, const EarlierRun& run) {
  auto keys = job.get<OutputKeys>();
  keys.overwrite = keys.overwrite || !run.rows.empty();
  return keys;
}

void expect_replaceable(const std::string& path, bool overwrite) {
  if (!overwrite && exists_now(path))
    throw Error(ErrorKind::output_file,
                fmt::format("cannot write {}: it exists; set overwrite = true in [output], or choose another "
                            "name",
                            path));
}

bool is_complete_job(EarlierRun& run, const JobFile& job, const JobFiles& files) {
  on_first_rank([&] { run = find_earlier_run(job, files); });
  const bool complete = world().broadcast(run.complete);
  if (complete) log::info(fmt::format("{} is complete: nothing to do", files.output));
  return complete;
}

void begin_job(Journal& journal, const JobFile& job) {
  const JournalRecord* last = last_job(journal.records());
  if (last && last->payload == job.physics_text()) return;
  journal.append({job_record, version(), job.physics_text()});
}

std::optional<std::string> job_of_file(const std::string& file) {
  try {
    if (is_hdf5(file)) {
      const StoredResults results = read_result_file(file);
      const auto* job = find_attribute<std::string>(results.objects.front().attributes, "job");
      return job != nullptr ? std::optional(*job) : std::nullopt;
    }
    const Records records = look_into_journal(file);
    const JournalRecord* job = last_job(records);
    return job != nullptr ? std::optional(job->payload) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool has_findings(const std::vector<JournalRecord>& records) {
  return std::any_of(records.begin(), records.end(),
                     [](const auto& record) { return record.kind != job_record; });
}

}  // namespace plaq::jobs
