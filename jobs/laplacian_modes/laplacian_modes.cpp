// Job type laplacian_modes: on each gauge field the low modes of the Laplacian in space on every time slice,
// in a file of their own (io/laplacian_modes/laplacian_mode_file.hpp), for distillation. Results:
//
//   /                    attributes: plaq_version, job_type, job, extents
//   /laplacian           attributes: boundary, and the smearing of the links
//   /modes/...           [configuration][t][mode] eigenvalue, error_bound; [configuration] applications
//   /gauge/000000, ...   one group a field: file, checksum, plaquette, link_trace, laplacian_modes
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/system/dry_run.hpp"
#include "core/system/log.hpp"
#include "core/system/machine.hpp"
#include "io/gauge/link_sum.hpp"
#include "io/laplacian_modes/laplacian_mode_file.hpp"
#include "jobs/run/ensemble_job.hpp"
#include "jobs/run/saved_fields.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_types.hpp"
#include "jobs/schema/slurm_keys.hpp"
#include "kernels/gauge/link_copies.hpp"
#include "kernels/gauge/link_smearing.hpp"
#include "quarks/distillation/laplacian_modes.hpp"
#include "settings/gauge/link_smearing.hpp"
#include "settings/quark/laplacian_mode_keys.hpp"
#include "settings/solver/field_files.hpp"

namespace plaq::jobs {
namespace {

// The keys of [laplacian_modes] beside those of LaplacianModeSettings.
struct LaplacianModeKeys {
  std::string directory;
  Precision precision = Precision::single_precision;  // of the file
};

Table laplacian_modes_table() {
  return {"laplacian_modes",
          "The modes: eigenvectors of minus the covariant Laplacian in space, the lowest of each time slice.",
          joined<Key>(
              {{field(&LaplacianModeKeys::directory, "directory", "Directory of the files FIELD.lap.lime.")
                    .need("\"modes\"")},
               laplacian_mode_keys(),
               {choice(&LaplacianModeKeys::precision, "precision",
                       "Precision of the numbers in the file. half: 16-bit integers with a scale for each "
                       "site and mode.",
                       {{"single", Precision::single_precision}, {"half", Precision::half_precision}})}})};
}

const Schema& laplacian_modes_schema() {
  static const Schema schema{
      "laplacian_modes",
      "Compute the low modes of the covariant Laplacian in space on every time slice of one or more gauge "
      "fields, for distillation.",
      {top_table("laplacian_modes"), lattice_table(LatticeFrom::file), gauge_files_table("of results"),
       link_smearing_table("of the Laplacian"), laplacian_modes_table(),
       output_table("HDF5 file for the eigenvalues.", "\"laplacian_modes.h5\""), comms_table(), run_table(),
       slurm_table()},
      joined<Rule>({common_rules(), {link_smearing_rule(), laplacian_mode_rule("laplacian_modes")}})};
  return schema;
}

std::vector<std::string> names_of_laplacian_modes(const JobFile& job,
                                                  const std::vector<std::string>& gauge_files) {
  return field_files(job, job.get<LaplacianModeKeys>().directory, gauge_files, laplacian_modes_ending);
}

Results results_of_laplacian_modes(const LoadedGauge& gauge, const LaplacianModeInfo& info, int modes,
                                   int applications, const std::string& path) {
  Results results;
  Attributes of_gauge = attributes_of(gauge);
  of_gauge.emplace_back("laplacian_modes", path);
  results.numbered_group("/gauge", of_gauge);
  const auto count = static_cast<std::size_t>(modes);
  const std::vector<std::size_t> extents{info.values.size() / count, count};
  results.dataset("/modes/eigenvalue", extents, info.values,
                  described({"t", "mode"}, "a^-2", "of minus the Laplacian; ascending"));
  results.dataset(
      "/modes/error_bound", extents, info.bounds,
      described({"t", "mode"}, "a^-2", "|A v - eigenvalue v| of v with norm 1, before it was stored"));
  results.dataset("/modes/applications", {}, std::vector<std::int64_t>{applications},
                  described({}, "1", "of the Laplacian to a block of vectors"));
  return results;
}

Results find_and_write_laplacian_modes(const JobContext& context, LoadedGauge& gauge) {
  const auto keys = context.job.get<LaplacianModeKeys>();
  const auto settings = context.job.get<LaplacianModeSettings>();
  const std::string path = field_file(keys.directory, gauge.report.info.path, laplacian_modes_ending);
  Field links = links_without_halo(context, std::exchange(gauge.field, {}));
  if (const auto smearing = context.job.get<LinkSmearing>(); smearing.smears()) {
    Field smeared = links_with_halo(context, links);
    smear_links(context, smeared, smearing);
    links = links_without_halo(context, smeared);
  }
  const FoundLaplacianModes found = find_laplacian_modes(context, links, settings);
  context.expect_intact_faces();
  const LaplacianModeInfo info = info_of(*context.grid, found, links, settings);
  if (!info.values.empty())
    log::info(
        fmt::format("{} modes of each time slice, eigenvalues {:.6g} to {:.6g}, by {} applications in "
                    "{} cycles",
                    settings.modes, *std::min_element(info.values.begin(), info.values.end()),
                    *std::max_element(info.values.begin(), info.values.end()), found.report.applications,
                    found.report.cycles));
  const Phase phase("writing modes of the Laplacian");
  write_laplacian_modes(path, *context.grid, found.modes, info, keys.precision);
  log::info(fmt::format("wrote {}", path));
  return results_of_laplacian_modes(gauge, info, settings.modes, found.report.applications, path);
}

class LaplacianModesJob : public EnsembleJob {
 public:
  using EnsembleJob::EnsembleJob;

 private:
  JobFiles files() const override {
    JobFiles files = EnsembleJob::files();
    for (const auto& name : names_of_laplacian_modes(job(), input().files))
      files.paths.writes(name, "modes of the Laplacian ([laplacian_modes] directory)");
    return files;
  }
  void check_outputs(const std::vector<std::string>& gauge_files, bool ours) const override {
    check_made_files(job(), names_of_laplacian_modes(job(), gauge_files), ours);
  }
  bool makes_files() const override { return true; }
  bool holds(const std::string& gauge_file, int /*part*/) const override {
    return are_there(names_of_laplacian_modes(job(), {gauge_file}));
  }
  Results compute(LoadedGauge& gauge, int /*part*/) override {
    return find_and_write_laplacian_modes(context(), gauge);
  }
  void describe(OutputFile& out) const override {
    const auto& signs = job().get<LaplacianModeSettings>().boundary;
    Attributes attributes = link_smearing_attributes(job().get<LinkSmearing>());
    attributes.emplace_back("boundary", std::vector<std::int64_t>(signs.begin(), signs.end()));
    out.group("/laplacian", attributes);
  }
};

}  // namespace

extern constinit const JobType laplacian_modes_job{.name = "laplacian_modes",
                                                   .schema = laplacian_modes_schema,
                                                   .run = run_as<LaplacianModesJob>,
                                                   .written_files =
                                                       [](const JobFile& job, const std::string& gauge_file) {
                                                         return names_of_laplacian_modes(job, {gauge_file});
                                                       },
                                                   .written_directory = "laplacian_modes.directory"};

}  // namespace plaq::jobs
