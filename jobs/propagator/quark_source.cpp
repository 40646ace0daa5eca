#include "jobs/propagator/quark_source.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"
#include "core/system/runs_dry.hpp"
#include "quarks/source/source.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {

QuarkSources::QuarkSources(const JobFile& job, const EnsembleInput& input)
    : job_(job),
      keys_(job.get<SourceKeys>()),
      first_(first_source(job)),
      count_(keys_.type->count(job)),
      extents_(input.extents),
      spins_(action_of_any_mass(job)->spins()) {
  if (const auto fault = first_->fault(extents_))
    throw Error(ErrorKind::job_file,
                fmt::format("{}: [source] {}: {}", job.file(), fault->parameter, fault->what));
  if (job.get<FileSourceKeys>().files)
    files_.emplace(job, input, spins_ == 1 ? PropagatorKind::staggered : PropagatorKind::spinors);
}

SourcePtr QuarkSources::load(const JobContext& context, const std::string& gauge_file, int k) {
  const Extents at = source_site(keys_.position, keys_.shift, k, extents_);
  if (!files_) return keys_.type->source(job_, at, k);
  const LoadedSource loaded = files_->read(context, gauge_file, k);
  checksum_ = loaded.checksum;
  return file_source(checked_position(loaded, files_->name(gauge_file, k), at), loaded.columns);
}

Extents QuarkSources::checked_position(const LoadedSource& loaded, const std::string& file,
                                       Extents position) const {
  if (job_.get<FileSourceKeys>().slice == SourceSlice::file) {
    if (!loaded.slice && !runs_dry())
      throw Error(
          ErrorKind::job_file,
          fmt::format("{}: [source] slice = \"file\", but the source {} is on several time slices: say by "
                      "position from which one correlators count",
                      job_.file(), file));
    position[3] = loaded.slice.value_or(0);
  } else if (loaded.slice && *loaded.slice != position[3]) {
    throw Error(
        ErrorKind::job_file,
        fmt::format(
            "{}: the source {} is on time slice {}, by [source] position correlators would count from "
            "{}; set t of position to {}, or slice = \"file\"",
            job_.file(), file, *loaded.slice, position[3], *loaded.slice));
  }
  return position;
}

Attributes QuarkSources::attributes() const {
  const auto list = [](const Extents& x) { return std::vector<std::int64_t>(x.begin(), x.end()); };
  Attributes a = {
      {"type", keys_.type->name()},
      {"position", list(keys_.position)},
      {"shift", list(keys_.shift)},
      {"count", std::int64_t{count_}},
      {"columns", std::string(spins_ == 1 ? "color of the source" : "3 * spin + color of the source")}};
  add(a, keys_.type->attributes(job_));
  return a;
}

}  // namespace plaq::jobs
