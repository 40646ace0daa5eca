#include "jobs/distillation/mode_files.hpp"

#include <fmt/format.h>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "io/bytes/exists_on_first_rank.hpp"
#include "io/gauge/link_sum.hpp"
#include "io/laplacian_modes/laplacian_mode_file.hpp"
#include "kernels/gauge/link_smearing.hpp"
#include "quarks/distillation/laplacian_modes.hpp"
#include "settings/schema/field.hpp"
#include "settings/solver/field_files.hpp"

namespace plaq::jobs {
namespace {

// The first `count` of these modes.
SliceModes first_modes(Field all, int count) {
  const int subfields = (count + 3) / 4;
  if (subfields == all.subfields()) return {std::move(all), count};
  FieldSpec spec = all.spec();
  spec.subfields = subfields;
  Field some(all.geometry_ptr(), spec);
  for (int i = 0; i < subfields; ++i) copy_subfield(some, i, all, i);
  return {std::move(some), count};
}

// Number of modes that the job takes of a file. Throws Error(input_file) if the file has fewer.
int number_of_modes(const Settings& job, const std::string& path, const LaplacianModeFileInfo& file) {
  const int wanted = job.get<ModeFileKeys>().modes.value_or(file.modes);
  if (wanted > file.modes)
    throw Error(ErrorKind::input_file,
                fmt::format("{}: it has {} modes of each time slice; [laplacian_modes] modes asks for {}",
                            path, file.modes, wanted));
  return wanted;
}

// Modes of a dry run: none are read, and the file may be to come.
StoredModes unread_modes(const JobContext& context, const std::string& path) {
  std::optional<int> count = context.job.get<ModeFileKeys>().modes;
  if (exists_on_first_rank(path, *context.grid))
    count = number_of_modes(context.job, path, read_laplacian_mode_info(path, *context.grid));
  if (!count)
    throw Error(ErrorKind::job_file,
                fmt::format("{}: {} is not there; [laplacian_modes] modes says how many it is to have",
                            context.job.origin(), path));
  StoredModes modes;
  modes.modes.vectors =
      Field(context.geometry, laplacian_modes_spec(*count, Precision::double_precision, context.location()));
  modes.modes.count = *count;
  return modes;
}

}  // namespace

Table mode_files_table() {
  return {"laplacian_modes",
          "The modes of the Laplacian of each gauge field, which a job of type laplacian_modes has written. "
          "[link_smearing] must be that of the modes.",
          {field(&ModeFileKeys::directory, "directory",
                 "Directory of the files FIELD.lap.lime, where FIELD is the name of the gauge file.")
               .need("\"modes\""),
           field(&ModeFileKeys::modes, "modes",
                 "Number of modes of each time slice that are used, from the lowest eigenvalue on.")
               .within(1, 1 << 16)
               .such_as("32")
               .without("all modes of the file")}};
}

std::vector<std::string> mode_files(const Settings& job, const std::vector<std::string>& gauge_files) {
  return field_files(job, job.get<ModeFileKeys>().directory, gauge_files, laplacian_modes_ending);
}

Field links_of_modes(const JobContext& context, const Field& gauge) {
  const auto smearing = context.job.get<LinkSmearing>();
  if (!smearing.smears()) return links_without_halo(context, gauge);
  Field smeared = links_with_halo(context, links_without_halo(context, gauge));
  smear_links(context, smeared, smearing);
  return links_without_halo(context, smeared);
}

StoredModes read_modes(const JobContext& context, const std::string& gauge_file, const Field& links,
                       const std::optional<SpaceSigns>& boundary) {
  const MemoryName name("modes of the Laplacian");
  const Phase phase("reading modes of the Laplacian");
  const std::string path =
      field_file(context.job.get<ModeFileKeys>().directory, gauge_file, laplacian_modes_ending);
  if (runs_dry()) return unread_modes(context, path);
  const LaplacianModeFileInfo file = read_laplacian_mode_info(path, *context.grid);
  const SpaceSigns stored = boundary_of(file.info.operator_entries);
  const std::string wrong =
      differences_of(file, context.extents, operator_entries({.boundary = boundary.value_or(stored)}),
                     checksum_of_any_links(*context.grid, links));
  if (!wrong.empty())
    throw Error(
        ErrorKind::input_file,
        fmt::format("{}: its modes are not those of {} with the [link_smearing] and boundary signs of "
                    "this job: {}",
                    path, gauge_file, wrong));
  const int count = number_of_modes(context.job, path, file);
  Field all(context.geometry,
            laplacian_modes_spec(file.modes, Precision::double_precision, context.location()));
  const LaplacianModeFileInfo read = read_laplacian_modes(path, *context.grid, all);
  log::info(fmt::format("{} modes of the Laplacian on each time slice from {}", count, path));
  return {first_modes(std::move(all), count), stored, read.checksum.text()};
}

}  // namespace plaq::jobs
