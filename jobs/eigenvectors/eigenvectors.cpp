// Job type eigenvectors: on each gauge field the low modes of a Dirac operator, in a file of their own
// (io/eigenvectors/eigenvector_file.hpp), for solves that they deflate. Results:
//
//   /                    attributes: plaq_version, job_type, job, extents
//   /action              attributes: whose modes they are
//   /modes/...           [configuration][mode] eigenvalue, error_bound; [configuration] applications
//   /gauge/000000, ...   one group a field: file, checksum, plaquette, link_trace, eigenvectors
#include <fmt/format.h>

#include <filesystem>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/version.hpp"
#include "io/bytes/temporary_file.hpp"
#include "io/eigenvectors/eigenvector_file.hpp"
#include "io/gauge/field_checksum.hpp"
#include "jobs/common/collective_check.hpp"
#include "jobs/dirac/action_keys.hpp"
#include "jobs/dirac/action_results.hpp"
#include "jobs/dirac/action_smearing.hpp"
#include "jobs/dirac/field_files.hpp"
#include "jobs/eigenvectors/eigenvectors_keys.hpp"
#include "jobs/results/output_file.hpp"
#include "jobs/results/resume.hpp"
#include "jobs/run/ensemble.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_types.hpp"
#include "quarks/solve/mode_search.hpp"

namespace plaq::jobs {
namespace {

bool has_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

Results results_of_modes(const LoadedGauge& gauge, const LanczosReport& report, const std::string& path) {
  Results results;
  Attributes of_gauge = attributes_of(gauge);
  of_gauge.emplace_back("eigenvectors", path);
  results.numbered_group("/gauge", of_gauge);
  const std::size_t modes = report.values.size();
  results.dataset("/modes/eigenvalue", {modes}, report.values,
                  described({"mode"}, "1", "of S^dagger S, or of S for staggered quarks; ascending"));
  results.dataset("/modes/error_bound", {modes}, report.bounds,
                  described({"mode"}, "1", "|A v - eigenvalue v| of v with norm 1, before it was stored"));
  results.dataset("/modes/applications", {}, std::vector<std::int64_t>{report.applications},
                  described({}, "1", "of that operator to a vector"));
  return results;
}

Results find_and_write(const JobContext& context, LoadedGauge& gauge) {
  const JobFile& job = context.job;
  const auto keys = job.get<EigenvectorKeys>();
  const std::string path = field_file(keys.directory, gauge.report.info.path, modes_ending);
  const FermionLinks links = action_links(context, gauge.field);
  gauge.field = {};
  FoundModes found = find_modes(links, action_parameters(job), job.get<SolverSettings>().preconditioning,
                                job.get<EigenvectorSettings>());
  context.expect_intact_faces();
  const LanczosReport& report = found.report;
  log::info(fmt::format("{} modes, eigenvalues {:.6g} to {:.6g}, by {} applications in {} restarts, {:.2f} s",
                        report.values.size(), report.values.front(), report.values.back(),
                        report.applications, report.restarts, report.seconds));
  const Phase phase("writing eigenvectors");
  EigenvectorInfo info;
  info.plaq_version = std::string(version());
  info.operator_entries = std::move(found.operator_entries);
  info.links = checksum_of_any_links(*context.grid, links.gauge);
  info.values = report.values;
  info.bounds = report.bounds;
  write_eigenvectors(path, *context.grid, found.modes, info, keys.precision);
  log::info(fmt::format("wrote {}", path));
  return results_of_modes(gauge, report, path);
}

int run_eigenvectors(const JobFile& job) {
  const EnsembleInput input = find_ensemble(job);
  note_fields(input);
  const std::string directory = job.get<EigenvectorKeys>().directory;
  const auto names = field_files(job, directory, input.files, modes_ending);
  JobFiles files = files_of_ensemble(job, input);
  for (const auto& name : names) files.paths.writes(name, "eigenvectors ([eigenvectors] directory)");
  EarlierRun earlier;  // on rank 0
  if (is_complete_job(earlier, job, files)) return 0;
  on_first_rank([&] {
    for (const auto& name : field_files(job, directory, files_to_come(input, earlier), modes_ending))
      check_output(name, earlier.resumes || job.get<OutputKeys>().overwrite);
    begin_job(*earlier.journal, job);  // the run after a kill knows files by it as its own
  });
  const JobContext context = start_job(job, input.extents, least_slices(job));
  EnsembleTask task;
  task.title = "eigenvectors";
  task.compute = [&](LoadedGauge& gauge, int) { return find_and_write(context, gauge); };
  task.report = [](const std::string&, const Results&) {};
  task.holds = [&](const std::string& file, int) {
    return has_file(field_file(directory, file, modes_ending));
  };
  const Results results = run_ensemble(context, input, earlier, task);
  on_first_rank([&] {
    write_action_results(context, output_keys(job, earlier), results);
    earlier.journal->remove();
  });
  log::info(fmt::format("wrote {}", job.get<OutputKeys>().file));
  return 0;
}

}  // namespace

extern constinit const JobType eigenvectors_job{
    .name = "eigenvectors",
    .schema = eigenvectors_schema,
    .run = run_eigenvectors,
    .written_files =
        [](const JobFile& job, const std::string& gauge_file) {
          return field_files(job, job.get<EigenvectorKeys>().directory, {gauge_file}, modes_ending);
        },
    .written_directory = "eigenvectors.directory"};

}  // namespace plaq::jobs
