// Files that earlier runs of a job left, and whether this run may continue from them. Serial: rank 0.
//
// A job has one output file, which is written last: if it exists, whole and of the same job, the job is
// complete. Before that its results are in its journal. Two jobs are the same if their physics_text is the
// same; a job type names keys that may nevertheless differ from the journal's job. Job and journal are
// compared by keys.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jobs/common/path_registry.hpp"
#include "jobs/results/journal.hpp"
#include "jobs/results/result_file.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

constexpr std::uint32_t job_record = 0;  // kind; key: version of plaq, payload: physics_text. The last counts

struct JobFiles {
  std::string output, journal;
  std::vector<KeyName> may_differ;  // between this job and the one in the journal
  // True if an output of this very job has all that is wanted now: patterns may mean more files than then.
  std::function<bool(const std::vector<StoredObject>&)> covers;
  // True if an output of this very job that does not cover it is only a part of it, all of which its journal
  // has too: a run that goes on from there replaces it. Null: never.
  std::function<bool(const std::vector<StoredObject>&)> part_of = nullptr;
  // Row that an output has of each piece that is wanted now, -1: none. Empty if the output has something that
  // is not wanted, or nothing that is missing. Null: outputs do not grow.
  std::function<std::vector<int>(const std::vector<StoredObject>&)> rows = nullptr;
  std::vector<KeyName> grows_by{
      {"gauge", "files"}};  // keys that may differ from those of an output that grows
  // All others that the job reads and writes, but for those of [run] and the job file.
  PathRegistry paths = {};
};

// With output, journal, the job file and those of [run].
PathRegistry paths_of_job(const JobFile& job, const JobFiles& files);

struct EarlierRun {
  bool complete = false;             // nothing is to do; no journal then
  bool resumes = false;              // the journal is of this job: what it names is ours
  std::unique_ptr<Journal> journal;  // open; not ours before begin_job when !resumes
  // Row of each piece if the output has some of the pieces of this job alone (JobFiles::rows) and grows; else
  // empty.
  std::vector<int> rows;
  bool has(std::size_t piece) const { return piece < rows.size() && rows[piece] >= 0; }
};

// Throws Error(job_file) when an output is a file with another use (PathRegistry). Throws Error(output_file)
// when the output is there and may not be replaced, nor grows, when the journal is of another
// job (naming the keys), or when another run is using it. With overwrite = true a complete output is computed
// again, but an unfinished journal is gone on from. A journal without findings binds nobody.
// A job that owns its output (JobFile::owns_output) takes a complete one as such, also with overwrite = true,
// and begins again where output or journal are damaged or of another job: it removes them, with a warning.
EarlierRun find_earlier_run(const JobFile& job, const JobFiles& files);

// Finds earlier results without changing anything, and without asking whether files can be made: for plans.
struct EarlierFindings {
  bool complete = false, resumes = false;
  std::vector<JournalRecord> records;  // of the journal that is gone on from
  std::vector<int> rows;               // as EarlierRun has them
};
EarlierFindings look_for_earlier_run(const JobFile& job, const JobFiles& files);
// Throws what check_output says of a file that is there.
void expect_replaceable(const std::string& path, bool overwrite);

// [output] of a job, of which a file that grows is replaced.
OutputKeys output_keys(const JobFile& job, const EarlierRun& run);

// Collective: find_earlier_run on rank 0 alone, whose `run` is filled. True on every rank when the job is
// complete, which is then said.
bool is_complete_job(EarlierRun& run, const JobFile& job, const JobFiles& files);

// Writes to the journal whose it is, unless it says so.
void begin_job(Journal& journal, const JobFile& job);

// physics_text of the job whose output or journal a file is; none where it is neither, or damaged.
std::optional<std::string> job_of_file(const std::string& file);

// True if there is more than job records.
bool has_findings(const std::vector<JournalRecord>& records);

}  // namespace plaq::jobs
