#include "jobs/propagator/propagator_output.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "io/bytes/temporary_file.hpp"
#include "jobs/correlators/propagator_note.hpp"
#include "jobs/dirac/action_keys.hpp"
#include "jobs/dirac/dirac_keys.hpp"
#include "jobs/dirac/solving_job.hpp"
#include "jobs/propagator/propagator_keys.hpp"
#include "jobs/run/saved_fields.hpp"
#include "jobs/schema/common_keys.hpp"

namespace plaq::jobs {
namespace {

std::string file_name(const JobFile& job, const std::string& gauge_file, int source) {
  const std::string field = std::filesystem::path(gauge_file).filename().string();
  const auto keys = job.get<PropagatorFileKeys>();
  const char* extension = keys.propagators == SavedPropagators::hdf5 ? "h5" : "lime";
  return (std::filesystem::path(keys.propagator_directory) /
          fmt::format("{}.s{}.prop.{}", field, source, extension))
      .string();
}

PropagatorNote note_of(const JobFile& job, const LoadedGauge& gauge, int source, const Extents& position) {
  const GaugeFileInfo& info = gauge.report.info;
  const auto action = job.get<ActionKeys>();
  PropagatorNote note;
  note.gauge_file = std::filesystem::path(info.path).filename().string();
  note.gauge_format = name_of(info.format);
  note.gauge_checksum = info.checksum.value_or(gauge.report.checksum).text();
  note.source = source;
  note.source_type = job.get<SourceKeys>().type_name();
  if (job.get<SourceKeys>().is_noise()) note.seed = job.get<SourceKeys>().seed;
  note.position = position;
  note.action = action.type->name();
  note.mass = action_parameters(job)->mass();
  note.boundary = action.boundary[3];
  return note;
}

}  // namespace

bool writes_propagators(const JobFile& job) {
  return job.get<PropagatorFileKeys>().propagators != SavedPropagators::none;
}

std::vector<std::string> propagator_names(const JobFile& job, const std::vector<std::string>& gauge_files,
                                          int sources) {
  return names_of_made_files(
      job,
      [&](const std::string& field) {
        std::vector<std::string> names;
        for (int k = 0; writes_propagators(job) && k < sources; ++k)
          names.push_back(file_name(job, field, k));
        return names;
      },
      gauge_files);
}

bool has_propagator(const JobFile& job, const std::string& gauge_file, int source) {
  return !writes_propagators(job) || are_there({file_name(job, gauge_file, source)});
}

JobFiles files_of_propagators(const JobFile& job, const EnsembleInput& input, const QuarkSources& from) {
  JobFiles files = files_of_solves(job, input);
  if (from.files() != nullptr)
    for (const auto& name : from.files()->all_names()) files.paths.reads(name, "a source ([source] files)");
  // A result without its propagators is not to be replaced unasked.
  add_made_files(files, job, propagator_names(job, input.files, from.count()),
                 "a propagator ([output] propagator_directory)");
  return files;
}

void check_propagator_outputs(const JobFile& job, const std::vector<std::string>& gauge_files, int sources,
                              bool ours) {
  for (const auto& name : propagator_names(job, gauge_files, sources))
    check_output(name, ours || job.get<OutputKeys>().overwrite);
}

void write_propagator_of(const JobContext& context, const Field& propagator, const LoadedGauge& gauge,
                         int source, const Extents& position) {
  const JobFile& job = context.job;
  if (!writes_propagators(job)) return;
  const Phase phase("writing a propagator");
  context.queue.synchronize();
  Field host = propagator;  // the same memory
  if (propagator.location() != Location::host) {
    FieldSpec spec = propagator.spec();
    spec.location = Location::host;
    host = Field(context.geometry, spec);
    copy(host, propagator);
  }
  const std::string path = file_name(job, gauge.report.info.path, source);
  PropagatorWriteOptions options;
  const bool hdf5 = job.get<PropagatorFileKeys>().propagators == SavedPropagators::hdf5;
  options.format = hdf5 ? PropagatorFormat::hdf5 : PropagatorFormat::scidac;
  options.metadata = job.physics_text() + text_of(note_of(job, gauge, source, position));
  write_propagator(path, *context.grid, host, options);
  log::info(fmt::format("wrote {}", path));
}

}  // namespace plaq::jobs
