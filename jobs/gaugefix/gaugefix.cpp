// Job type gaugefix: gauge copies of each gauge field, fixed to one gauge; the best one is written. Results:
//
//   /                    attributes: plaq_version, job_type, job, extents
//   /fixing              attributes: gauge, theta
//   /copies/...          [configuration][copy], jobs/gaugefix/fixing_results.hpp
//   /history/...         [configuration][copy][point]
//   /gauge/000000, ...   one group a field in the order of fixing: file, checksum, plaquette, link_trace
#include <fmt/format.h>

#include <cstdio>

#include "core/system/log.hpp"
#include "jobs/common/collective_check.hpp"
#include "jobs/common/print_whole.hpp"
#include "jobs/gaugefix/fixing_copies.hpp"
#include "jobs/gaugefix/fixing_files.hpp"
#include "jobs/gaugefix/fixing_keys.hpp"
#include "jobs/gaugefix/fixing_results.hpp"
#include "jobs/results/output_file.hpp"
#include "jobs/results/resume.hpp"
#include "jobs/run/ensemble.hpp"
#include "jobs/run/job_description.hpp"
#include "jobs/schema/job_types.hpp"

namespace plaq::jobs {
namespace {

// On rank 0.
void write_results(const JobContext& context, const OutputKeys& output, const Results& results) {
  const JobFile& job = context.job;
  OutputFile out(output);
  describe_job(out, job, context.extents);
  const auto settings = job.get<FixingSettings>();
  out.group("/fixing", {{"gauge", gauge_names().of(settings.gauge)}, {"theta", settings.theta}});
  out.write(results);
  out.commit();
}

int run_gaugefix(const JobFile& job) {
  const EnsembleInput input =
      find_ensemble(job, [&](std::vector<std::string>& files) { leave_out_fixed_files(job, files); });
  const int copies = job.get<CopyKeys>().copies;
  note_fields(input);
  EarlierRun earlier;  // on rank 0
  if (is_complete_job(earlier, job, files_of_fixing(job, input))) return 0;
  on_first_rank([&] {
    check_fixed_files(job, files_to_come(input, earlier), earlier.resumes);
    // Before the first fixed field is there: the run after a kill knows it by the journal as its own.
    if (!fixed_file_names(job, input.files).empty()) begin_job(*earlier.journal, job);
  });
  const JobContext context = start_job(job, input.extents);
  FixingCopies fixing(context);
  EnsembleTask task;
  task.title = "gaugefix";
  task.axis = "copy";
  task.parts = copies;
  task.known = [&](int copy, const Results& results) { fixing.know(copy, results); };
  task.begin = [&](LoadedGauge& gauge) { fixing.begin(gauge); };
  task.compute = [&](const LoadedGauge& gauge, int copy) { return fixing(gauge, copy); };
  task.report = [&](const std::string& file, const Results& field) {
    print_safely("{}: {} gauge\n{}", file, name_of(job.get<FixingSettings>().gauge),
                 table_of_copies(field, copies));
    std::fflush(stdout);
  };
  task.counts = [&](const Results& copy) { return fixing.counts(copy); };
  task.holds = [&](const std::string& file, int) { return has_fixed_files(job, file); };
  const Results results = run_ensemble(context, input, earlier, task);
  on_first_rank([&] {
    write_results(context, output_keys(job, earlier), results);
    earlier.journal->remove();
  });
  log::info(fmt::format("wrote {}", job.get<OutputKeys>().file));
  return 0;
}

}  // namespace

extern constinit const JobType gaugefix_job{
    .name = "gaugefix",
    .schema = gaugefix_schema,
    .run = run_gaugefix,
    .written_field = fixed_field,
    .written_files = [](const JobFile& job,
                        const std::string& gauge_file) { return fixed_file_names(job, {gauge_file}); },
    .written_directory = "output.directory"};

}  // namespace plaq::jobs
