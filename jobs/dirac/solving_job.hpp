// Base class of job types that solve on the fields of an ensemble.
#pragma once

#include <string>
#include <vector>

#include "jobs/common/path_registry.hpp"
#include "jobs/run/ensemble_job.hpp"
#include "jobs/schema/job_file.hpp"
#include "settings/solver/field_files.hpp"

namespace plaq::jobs {

/// A job that solves for quarks as [action], [solver] and [multigrid] say. Its results have /solves, and its
/// result file says of /action and /solves what was solved by what.
class SolvingJob : public EnsembleJob {
 public:
  using EnsembleJob::EnsembleJob;

  /// The setups of multigrid that a job keeps of a gauge field; none without multigrid.
  /// Throws as field_files(). Serial.
  static std::vector<std::string> setups_of(const JobFile& job, const std::vector<std::string>& gauge_files);

 protected:
  /// The files of the ensemble, of multigrid setups and eigenvectors. Solves that converged are the same with
  /// more iterations allowed; those whose true residual is small enough for this job count,
  /// whichever tolerance was asked for.
  JobFiles files() const override;
  void check_outputs(const std::vector<std::string>& gauge_files, bool ours) const override;
  int least_slices() const override;
  /// Decides how many columns are solved together, and says what may be wrong with the solves. Throws as
  /// columns_with_room().
  void prepare() override;
  int together() const { return together_; }
  /// Quark fields of all columns that the job holds while it solves, beside the source.
  virtual int quark_fields() const = 0;
  /// True if all true residuals, /solves/true_residual and others of that name, reach the tolerances.
  bool counts(const Results& part) const override;
  void describe(OutputFile& out) const override;

 private:
  int together_ = 1;
};

// Files of multigrid setups that a job reads and writes: DIRECTORY/FIELD.mg.lime for each gauge file, FIELD
// its name; none without a directory. Throws Error(job_file) where two fields would have one. Serial.
std::vector<std::string> setup_names(const Settings& job, const std::vector<std::string>& gauge_files);
void add_setups(PathRegistry& paths, const Settings& job, const std::vector<std::string>& gauge_files);
// Throws Error(output_file) where one cannot be written. Those that are there may be replaced. Serial.
void check_setup_outputs(const Settings& job, const std::vector<std::string>& gauge_files);

}  // namespace plaq::jobs
