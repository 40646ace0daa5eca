// plaq results snapshot: what a job has found so far, as if it had been asked for these gauge fields alone.
// The job may be running.
#include <fmt/format.h>

#include <filesystem>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/world.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "io/bytes/temporary_file.hpp"
#include "jobs/common/commands.hpp"
#include "jobs/run/ensemble.hpp"
#include "jobs/run/job_context.hpp"
#include "jobs/run/kept_results.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_types.hpp"

namespace plaq::jobs {
namespace {

namespace fs = std::filesystem;

// The gauge fields of which the job has everything.
std::vector<std::string> finished_fields(const JobFile& job, const EnsembleInput& input) {
  const EarlierFindings found = look_for_earlier_run(job, files_of_ensemble(job, input));
  std::vector<std::string> files;
  for (std::size_t i = 0; i < input.files.size(); ++i) {
    const bool in_output = i < found.rows.size() && found.rows[i] >= 0;
    if (found.complete || in_output || has_all_parts(found.records, input.files[i], input.fingerprints[i]))
      files.push_back(input.files[i]);
  }
  return files;
}

void copy_if_there(const std::string& from, const std::string& to) {
  std::error_code failure;
  if (!fs::exists(from, failure)) return;
  fs::copy_file(from, to, fs::copy_options::overwrite_existing, failure);
  if (failure) throw Error(ErrorKind::output_file, fmt::format("cannot write {}: {}", to, failure.message()));
}

void remove(const std::string& file) {
  std::error_code ignored;
  fs::remove(file, ignored);
}

}  // namespace

int snapshot_results(const SnapshotOptions& options) {
  if (world_size() != 1) throw Error(ErrorKind::usage, "results: a snapshot is made by one process");
  const JobFile job = JobFile::read(options.job_file, options.overrides);
  const Schema& schema = find_job_type(job.type())->schema();
  if (schema.find("gauge", "files") == nullptr)
    throw Error(ErrorKind::usage,
                fmt::format("results: {} is a {} job: snapshots are of jobs on gauge fields",
                            options.job_file, job.type()));
  const std::string journal = options.output + ".journal";
  std::vector<std::string> files;
  on_first_rank([&] {
    check_output(options.output, false);
    check_output(journal, false);
    files = finished_fields(job, inspect_ensemble(job));
    if (files.empty())
      throw Error(ErrorKind::input_file,
                  fmt::format("results snapshot: {} has no complete gauge field yet; try again later",
                              options.job_file));
    // A file that is being written is copied whole or with a last record that is cut off, which is left out.
    const std::string output = job.get<OutputKeys>().file;
    copy_if_there(output, options.output);
    copy_if_there(output + ".journal", journal);
  });
  JobFile::Overrides overrides = options.overrides;
  overrides.push_back("gauge.files=" + value_text(files));
  overrides.push_back("output.file=" + value_text(options.output));
  overrides.emplace_back("run.location=host");  // nothing is computed
  try {
    const int code = run_job_of(JobFile::read(options.job_file, overrides));
    on_first_rank([&] { remove(journal); });
    log::info(fmt::format("{}: {} gauge fields", options.output, files.size()));
    return code;
  } catch (...) {
    for (const std::string& file : {options.output, journal}) remove(file);
    throw;
  }
}

}  // namespace plaq::jobs
