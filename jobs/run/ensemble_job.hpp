// A job over many gauge fields of one lattice, one after the other. What it finds in each is kept in its
// journal, so that a run that was killed or stopped goes on with the next field,
// or the next part (source) of one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jobs/results/output_file.hpp"
#include "jobs/results/resume.hpp"
#include "jobs/run/ensemble.hpp"
#include "jobs/run/job_context.hpp"

namespace plaq::jobs {

/// Results that the first parts of a field alone have: datasets whose path begins with `prefix` are in the
/// first `parts` parts, and are stacked with an axis of their own, behind those of all parts.
struct PartBlock {
  std::string prefix, axis;
  int parts;
};

class EnsembleJob {
 public:
  /// Finds the gauge fields as find_ensemble() does. `job` must outlive this object. Collective.
  explicit EnsembleJob(const JobFile& job, const ChooseFiles& choose = {});
  virtual ~EnsembleJob() = default;
  EnsembleJob(const EnsembleJob&) = delete;
  EnsembleJob& operator=(const EnsembleJob&) = delete;

  /// Runs the job from its files to the result file, once, and returns the exit code. Nothing is done where
  /// an earlier run has completed it. Throws Error(stopped) for a StopRequest; an Error of a
  /// step says what is kept. Collective.
  int run();

 protected:
  const JobFile& job() const { return job_; }
  const EnsembleInput& input() const { return input_; }
  const EarlierRun& earlier() const { return earlier_; }   // on rank 0
  const JobContext& context() const { return *context_; }  // from prepare() on

  // The steps, in the order in which run() takes them. Each is collective unless it says otherwise.

  /// Notes in a plan what there is to do.
  virtual void note_plan() const { note_fields(input_); }
  /// The files that the job reads and writes, but for made_files().
  virtual JobFiles files() const { return files_of_ensemble(job_, input_); }
  /// The files that the job makes of gauge fields beside its results, without
  /// which it is not complete. Serial.
  virtual std::vector<std::string> made_files(const std::vector<std::string>& /*gauge_files*/) const {
    return {};
  }
  /// The use of one of these: "a smeared field ([output] directory)".
  virtual std::string use_of_made_file() const { return {}; }
  /// Throws Error(output_file) if a file that the job makes beside its results is there and
  /// must not be replaced. On rank 0.
  /// @param gauge_files those of which the output has nothing yet
  /// @param ours whether an earlier run of this job may have made such files
  virtual void check_outputs(const std::vector<std::string>& gauge_files, bool ours) const;
  /// True if the journal must be begun before files are made, so that a run after a kill
  /// knows them as its own. On rank 0.
  virtual bool makes_files() const { return !made_files(input_.files).empty(); }
  /// The least slices of a rank in a direction that is split, as start_job() takes them.
  virtual int least_slices() const { return usual_least_slices; }
  /// Makes what all fields share.
  virtual void prepare() {}

  /// A field is computed in so many parts, stacked with this axis ("source", "mass") to the results of the
  /// field; numbered groups are the same in all. Without an axis there is one part.
  virtual std::string axis() const { return {}; }
  virtual int parts() const { return 1; }
  /// The blocks of results that only the first parts of a field have.
  virtual std::vector<PartBlock> blocks() const { return {}; }
  /// False if the job reads no links. LoadedGauge then has the path on all ranks,
  /// the header on rank 0, and no field.
  virtual bool reads_links() const { return true; }
  /// True if the files that belong to a part which was found earlier are there. On rank 0.
  virtual bool holds(const std::string& gauge_file, int part) const;
  /// True if the results of a part that an earlier run found are taken as they are. On rank 0.
  virtual bool counts(const Results& /*part*/) const { return true; }
  /// Takes the results of a part that an earlier run found, before begin() of its field. On rank 0.
  virtual void know(int /*part*/, const Results& /*found*/) {}
  /// Begins a field: the parts that follow are of it.
  virtual void begin(LoadedGauge& /*gauge*/) {}
  /// Computes a part. The results of rank 0 are kept.
  virtual Results compute(LoadedGauge& gauge, int part) = 0;
  /// Adds what the parts of a field make together to its results. On rank 0.
  virtual void complete(Results& /*field*/) const {}
  /// Prints what users want to know of a field; it is called for every field in
  /// order. On rank 0, not in a dry run.
  virtual void report(const std::string& /*gauge_file*/, const Results& /*field*/) const {}

  /// Adds what the result file says of the job beside describe_job(). On rank 0.
  virtual void describe(OutputFile& /*out*/) const {}
  /// Writes the results of all fields, which are there on rank 0, and removes the journal.
  virtual void finish(Results& results);

 private:
  friend class EnsembleRun;

  const JobFile& job_;
  EnsembleInput input_;
  EarlierRun earlier_;  // on rank 0
  std::optional<JobContext> context_;
};

/// Runs a job of this class: what its JobType takes.
template <class Job>
int run_as(const JobFile& job) {
  return Job(job).run();
}

/// Takes the steps of a job that has been prepared, from reads_links() to report(), and returns the results
/// of all fields, stacked with the axis "configuration", on rank 0; empty elsewhere. With them are
/// /configurations/trajectory and replica, where numbers are known. A part is not computed again when the
/// journal has it under the file's name and fingerprint, nor a field that an output which grows has. An Error
/// that stops it says what is kept; a StopRequest is one of kind stopped. Collective.
Results run_fields(EnsembleJob& job, const JobContext& context);

}  // namespace plaq::jobs
