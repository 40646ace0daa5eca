#include "jobs/propagator/quark_source.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"
#include "core/system/runs_dry.hpp"
#include "jobs/run/field_numbers.hpp"
#include "quarks/source/quark_derivative.hpp"
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
  if (const auto fault = keys_.sites.fault(extents_))
    throw Error(ErrorKind::job_file,
                fmt::format("{}: [source] {}: {}", job.file(), fault->parameter, fault->what));
  if (keys_.sites.are_random()) numbers_ = numbers_of_fields(job, input, "random sites of [source]");
  if (keys_.type->is_of_field(job))
    numbers_ = numbers_of_fields(job, input, "numbers of the noise of [source]");
  if (job.get<FileSourceKeys>().files)
    files_.emplace(job, input, spins_ == 1 ? PropagatorKind::staggered : PropagatorKind::spinors);
}

SourcePtr QuarkSources::load(const JobContext& context, const std::string& gauge_file, int k) {
  const auto found = numbers_.find(gauge_file);
  const FieldNumbers numbers = found == numbers_.end() ? FieldNumbers() : found->second;
  const Extents at = source_position(keys_.sites, numbers, k, extents_);
  if (!files_) return keys_.type->source(job_, at, k, numbers);
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

std::string QuarkSources::summed() const {
  if (keys_.derivative.empty()) return first_->summed();
  return fmt::format("{}, of the source with the derivative {}", first_->summed(),
                     derivative_formula(keys_.derivative));
}

std::string QuarkSources::columns_of_source() const {
  if (column_stride() > 1) return "spin of the source, with noise in all colors";
  return spins_ == 1 ? "color of the source" : "3 * spin + color of the source";
}

Attributes QuarkSources::attributes() const {
  const auto list = [](const Extents& x) { return std::vector<std::int64_t>(x.begin(), x.end()); };
  Attributes a = {{"type", keys_.type->name()},
                  {"position", list(keys_.sites.first)},
                  {"shift", list(keys_.sites.shift)},
                  {"count", std::int64_t{count_}},
                  {"columns", columns_of_source()}};
  const SourcePositions& sites = keys_.sites;
  if (sites.order == PositionOrder::random) a.emplace_back("positions", std::string("random"));
  if (sites.order == PositionOrder::grid) {
    a.emplace_back("positions", std::string("grid"));
    a.emplace_back("grid", list(sites.grid));
  }
  if (sites.random_origin) a.emplace_back("random_origin", std::int64_t{1});
  if (sites.seed) a.emplace_back("position_seed", *sites.seed);
  add(a, keys_.type->attributes(job_));
  if (!keys_.derivative.empty()) a.emplace_back("derivative", keys_.derivative);
  return a;
}

}  // namespace plaq::jobs
