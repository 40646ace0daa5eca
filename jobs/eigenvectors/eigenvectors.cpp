// Job type eigenvectors: on each gauge field the low modes of a Dirac operator, in a file of their own
// (io/eigenvectors/eigenvector_file.hpp), for solves that they deflate. Results:
//
//   /                    attributes: plaq_version, job_type, job, extents
//   /action              attributes: whose modes they are
//   /modes/...           [configuration][mode] eigenvalue, error_bound; [configuration] applications
//   /gauge/000000, ...   one group a field: file, checksum, plaquette, link_trace, eigenvectors
#include <fmt/format.h>

#include "core/system/dry_run.hpp"
#include "core/system/log.hpp"
#include "core/system/machine.hpp"
#include "io/eigenvectors/eigenvector_file.hpp"
#include "io/gauge/link_sum.hpp"
#include "jobs/run/ensemble_job.hpp"
#include "jobs/run/saved_fields.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_types.hpp"
#include "jobs/schema/slurm_keys.hpp"
#include "quarks/solve/low_modes.hpp"
#include "settings/action/action_keys.hpp"
#include "settings/action/action_table.hpp"
#include "settings/solver/field_files.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {
namespace {

// The keys of [eigenvectors] beside those of EigenvectorSettings.
struct EigenvectorKeys {
  std::string directory;
  Precision precision = Precision::single_precision;  // of the file
};

Table eigenvectors() {
  return {"eigenvectors",
          "The low modes: eigenvectors of S^dagger S, where S is the operator on the even sites. Staggered "
          "quarks: eigenvectors of S, which is positive.",
          joined<Key>(
              {{field(&EigenvectorKeys::directory, "directory", "Directory of the files FIELD.eig.lime.")
                    .need("\"modes\"")},
               eigenvector_keys(),
               {choice(&EigenvectorKeys::precision, "precision",
                       "Precision of the numbers in the file. half: 16-bit integers with a scale for each "
                       "site and mode.",
                       {{"single", Precision::single_precision}, {"half", Precision::half_precision}})}})};
}

const Schema& eigenvectors_schema() {
  static const Schema schema{
      "eigenvectors",
      "Compute the low modes of a Dirac operator on one or more gauge fields, and keep them to deflate "
      "solves.",
      {top_table("eigenvectors"), lattice_table(LatticeFrom::file), gauge_files_table("of results"),
       action_table(MassKeys::one, all_discretisations()), action_smearing_table(), eigenvectors(),
       output_table("HDF5 file for the eigenvalues.", "\"eigenvalues.h5\""), comms_table(), run_table(),
       slurm_table()},
      joined<Rule>({common_rules(),
                    action_rules(MassKeys::one, all_discretisations()),
                    {action_smearing_rule()},
                    {preconditioning_rule("eigenvectors"), eigenvector_rule("eigenvectors")}})};
  return schema;
}

std::vector<std::string> names_of_modes(const JobFile& job, const std::vector<std::string>& gauge_files) {
  return field_files(job, job.get<EigenvectorKeys>().directory, gauge_files, modes_ending);
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
  const FermionLinks links = fermion_links(context, gauge.field, context.job.get<ActionSmearing>());
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

class EigenvectorsJob : public EnsembleJob {
 public:
  using EnsembleJob::EnsembleJob;

 private:
  JobFiles files() const override {
    JobFiles files = EnsembleJob::files();
    for (const auto& name : names_of_modes(job(), input().files))
      files.paths.writes(name, "eigenvectors ([eigenvectors] directory)");
    return files;
  }
  void check_outputs(const std::vector<std::string>& gauge_files, bool ours) const override {
    check_made_files(job(), names_of_modes(job(), gauge_files), ours);
  }
  bool makes_files() const override { return true; }
  int least_slices() const override { return jobs::least_slices(job()); }
  bool holds(const std::string& gauge_file, int /*part*/) const override {
    return are_there(names_of_modes(job(), {gauge_file}));
  }
  Results compute(LoadedGauge& gauge, int /*part*/) override { return find_and_write(context(), gauge); }
  void describe(OutputFile& out) const override { out.group("/action", smeared_action_attributes(job())); }
};

}  // namespace

extern constinit const JobType eigenvectors_job{
    .name = "eigenvectors",
    .schema = eigenvectors_schema,
    .run = run_as<EigenvectorsJob>,
    .written_files = [](const JobFile& job,
                        const std::string& gauge_file) { return names_of_modes(job, {gauge_file}); },
    .written_directory = "eigenvectors.directory"};

}  // namespace plaq::jobs
