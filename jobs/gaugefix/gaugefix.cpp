// Job type gaugefix: gauge copies of each gauge field, fixed to one gauge; the best one is written. Results:
//
//   /                    attributes: plaq_version, job_type, job, extents
//   /fixing              attributes: gauge, theta
//   /copies/...          [configuration][copy], jobs/gaugefix/fixing_results.hpp
//   /history/...         [configuration][copy][point]
//   /gauge/000000, ...   one group a field in the order of fixing: file, checksum, plaquette, link_trace
#include <fmt/format.h>

#include <cstdio>
#include <optional>

#include "jobs/common/terminal_text.hpp"
#include "jobs/gaugefix/fixing_copies.hpp"
#include "jobs/gaugefix/fixing_files.hpp"
#include "jobs/gaugefix/fixing_results.hpp"
#include "jobs/run/ensemble_job.hpp"
#include "jobs/schema/job_types.hpp"
#include "settings/gauge/fixing_tables.hpp"

namespace plaq::jobs {
namespace {

class GaugefixJob : public EnsembleJob {
 public:
  explicit GaugefixJob(const JobFile& job)
      : EnsembleJob(job, [&](std::vector<std::string>& files) { leave_out_fixed_files(job, files); }),
        settings_(job.get<FixingSettings>()),
        copies_(job.get<CopyKeys>().copies) {}

 private:
  // Copies that are fixed are the same with more sweeps allowed. Those whose theta is small enough for this
  // job count, whichever was asked for.
  JobFiles files() const override {
    JobFiles files = EnsembleJob::files();
    files.may_differ.push_back({"overrelaxation", "max_sweeps"});
    files.may_differ.push_back({"fixing", "theta"});
    return files;
  }
  std::vector<std::string> made_files(const std::vector<std::string>& gauge_files) const override {
    return fixed_file_names(job(), gauge_files);
  }
  std::string use_of_made_file() const override {
    return "a fixed field or its transformation ([output] directory)";
  }
  void prepare() override { fixing_.emplace(context()); }

  std::string axis() const override { return "copy"; }
  int parts() const override { return copies_; }
  bool counts(const Results& copy) const override { return fixing_->counts(copy); }
  void know(int copy, const Results& found) override { fixing_->know(copy, found); }
  void begin(LoadedGauge& gauge) override { fixing_->begin(gauge); }
  Results compute(LoadedGauge& gauge, int copy) override { return (*fixing_)(gauge, copy); }
  void report(const std::string& gauge_file, const Results& field) const override {
    print_safely("{}: {} gauge\n{}", gauge_file, name_of(settings_.gauge), table_of_copies(field, copies_));
    std::fflush(stdout);
  }
  void describe(OutputFile& out) const override {
    out.group("/fixing", {{"gauge", gauge_names().of(settings_.gauge)}, {"theta", settings_.theta}});
  }

  FixingSettings settings_;
  int copies_;
  std::optional<FixingCopies> fixing_;
};

}  // namespace

extern constinit const JobType gaugefix_job{
    .name = "gaugefix",
    .schema = gaugefix_schema,
    .run = run_as<GaugefixJob>,
    .written_field = fixed_field,
    .written_files = [](const JobFile& job,
                        const std::string& gauge_file) { return fixed_file_names(job, {gauge_file}); },
    .written_directory = "output.directory"};

}  // namespace plaq::jobs
