#include "jobs/propagator/propagator_output.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "io/bytes/temporary_file.hpp"
#include "jobs/dirac/dirac_keys.hpp"
#include "jobs/dirac/field_files.hpp"
#include "jobs/dirac/setup_keys.hpp"
#include "jobs/propagator/propagator_keys.hpp"
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

bool is_there(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

}  // namespace

bool writes_propagators(const JobFile& job) {
  return job.get<PropagatorFileKeys>().propagators != SavedPropagators::none;
}

std::vector<std::string> propagator_names(const JobFile& job, const std::vector<std::string>& gauge_files,
                                          int sources) {
  std::vector<std::string> names;
  if (!writes_propagators(job)) return names;
  std::map<std::string, std::string> fields;  // by the name of the first propagator
  for (const auto& field : gauge_files) {
    const auto [at, is_new] = fields.emplace(file_name(job, field, 0), field);
    if (!is_new)
      throw Error(ErrorKind::job_file, fmt::format("{}: 'files' in [gauge]: {} and {} would both write {}",
                                                   job.file(), at->second, field, at->first));
    for (int k = 0; k < sources; ++k) names.push_back(file_name(job, field, k));
  }
  return names;
}

bool has_propagator(const JobFile& job, const std::string& gauge_file, int source) {
  return !writes_propagators(job) || is_there(file_name(job, gauge_file, source));
}

JobFiles files_of_propagators(const JobFile& job, const EnsembleInput& input, const QuarkSources& from) {
  const int sources = from.count();
  JobFiles files = files_of_ensemble(job, input);
  // Solves that converged are the same with more iterations allowed. Those whose true residual is small enough
  // for this job count, whichever tolerance was asked for.
  files.may_differ.push_back({"solver", "max_iterations"});
  files.may_differ.push_back({"solver", "tolerance"});
  for (const auto& name : propagator_names(job, input.files, sources))
    files.paths.writes(name, "a propagator ([output] propagator_directory)");
  if (from.files() != nullptr)
    for (const auto& name : from.files()->all_names()) files.paths.reads(name, "a source ([source] files)");
  if (job.get<SolverKeys>().multigrid) add_setups(files.paths, job, input.files);
  for (const auto& name : field_files(job, job.get<SolverKeys>().deflation, input.files, modes_ending))
    files.paths.reads(name, "eigenvectors ([solver] deflation)");
  // A result without its propagators is not to be replaced unasked.
  files.covers = [&job, &input, sources, covers = files.covers](const std::vector<StoredObject>& found) {
    if (!covers(found)) return false;
    for (const auto& name : propagator_names(job, input.files, sources))
      if (!is_there(name))
        throw Error(ErrorKind::output_file,
                    fmt::format("{} says that this job is complete, but {} is missing; set overwrite = true "
                                "in [output] to compute all of it again",
                                job.get<OutputKeys>().file, name));
    return true;
  };
  return files;
}

void check_propagator_outputs(const JobFile& job, const std::vector<std::string>& gauge_files, int sources,
                              bool ours) {
  for (const auto& name : propagator_names(job, gauge_files, sources))
    check_output(name, ours || job.get<OutputKeys>().overwrite);
}

void write_propagator_of(const JobContext& context, const Field& propagator, const std::string& gauge_file,
                         int source) {
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
  const std::string path = file_name(job, gauge_file, source);
  PropagatorWriteOptions options;
  const bool hdf5 = job.get<PropagatorFileKeys>().propagators == SavedPropagators::hdf5;
  options.format = hdf5 ? PropagatorFormat::hdf5 : PropagatorFormat::scidac;
  options.metadata = job.physics_text();
  write_propagator(path, *context.grid, host, options);
  log::info(fmt::format("wrote {}", path));
}

}  // namespace plaq::jobs
