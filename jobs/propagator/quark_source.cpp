#include "jobs/propagator/quark_source.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"
#include "core/system/runs_dry.hpp"
#include "jobs/correlators/source_sites.hpp"
#include "jobs/dirac/dirac_keys.hpp"

namespace plaq::jobs {

QuarkSources::QuarkSources(const JobFile& job, const EnsembleInput& input)
    : keys_(job.get<SourceKeys>()),
      job_file_(job.file()),
      extents_(input.extents),
      spins_(action_of_any_mass(job)->spins()) {
  for (std::size_t mu = 0; mu < 4; ++mu)
    if (keys_.position[mu] >= extents_[mu])
      throw Error(ErrorKind::job_file,
                  fmt::format("{}: [source] position {} is outside the lattice {}", job.file(),
                              to_string(keys_.position), to_string(extents_)));
  for (std::size_t i = 0; keys_.size && i < 3; ++i)
    if ((*keys_.size)[i] > extents_[i])
      throw Error(ErrorKind::job_file,
                  fmt::format("{}: [source] size {} of the box in {} is more than the lattice {}", job.file(),
                              (*keys_.size)[i], "xyz"[i], to_string(extents_)));
  if (const auto fault = fault_of_momentum(keys_.momentum, extents_))
    throw Error(ErrorKind::job_file, fmt::format("{}: [source] momentum: {}", job.file(), *fault));
  if (keys_.type == SourceType::file)
    files_.emplace(job, input, spins_ == 1 ? PropagatorKind::staggered : PropagatorKind::spinors);
}

Extents QuarkSources::load(const JobContext& context, const std::string& gauge_file, int k) {
  Extents at = position(k);
  if (!files_) return at;
  loaded_ = files_->read(context, gauge_file, k);
  if (keys_.slice == SourceSlice::file) {
    if (!loaded_.slice && !runs_dry())
      throw Error(
          ErrorKind::job_file,
          fmt::format("{}: [source] slice = \"file\", but the source {} is on several time slices: say by "
                      "position from which one correlators count",
                      job_file_, files_->name(gauge_file, k)));
    at[3] = loaded_.slice.value_or(0);
  } else if (loaded_.slice && *loaded_.slice != at[3]) {
    throw Error(
        ErrorKind::job_file,
        fmt::format(
            "{}: the source {} is on time slice {}, by [source] position correlators would count from "
            "{}; set t of position to {}, or slice = \"file\"",
            job_file_, files_->name(gauge_file, k), *loaded_.slice, at[3], *loaded_.slice));
  }
  return at;
}

Extents QuarkSources::position(int k) const { return source_site(keys_.position, keys_.shift, k, extents_); }

void QuarkSources::fill(Field& b, int k, int first_column) const {
  const Extents at = position(k);
  switch (keys_.type) {
    case SourceType::point:
      return point_source(b, at, first_column);
    case SourceType::wall:
      return wall_source(b, at[3], {0, 0, 0}, first_column);
    case SourceType::corner_wall:
      return corner_wall_source(b, at, first_column);
    case SourceType::momentum:
      return wall_source(b, at[3], keys_.momentum, first_column);
    case SourceType::gaussian:
      return gaussian_source(b, at, keys_.width.value(), keys_.stride, first_column);
    case SourceType::box:
      return box_source(b, at, keys_.size.value(), keys_.stride, first_column);
    case SourceType::file:
      return fill_from_file(b, first_column);
    case SourceType::z2:
    case SourceType::z4:
      return noise_source(b, keys_.type == SourceType::z2 ? Noise::z2 : Noise::z4,
                          static_cast<std::uint64_t>(keys_.seed.value()), static_cast<std::uint32_t>(k),
                          at[3], first_column);
  }
}

void QuarkSources::fill_from_file(Field& b, int first_column) const {
  if (b.subfields() == loaded_.columns.subfields()) return copy(b, loaded_.columns);
  FieldSpec spec = b.spec();
  spec.location = Location::host;
  Field part(b.geometry_ptr(), spec);
  for (int subfield = 0; subfield < b.subfields(); ++subfield)
    copy_subfield(part, subfield, loaded_.columns, first_column + subfield);
  copy(b, part);
}

std::string QuarkSources::summed() const {
  switch (keys_.type) {
    case SourceType::point:
      return "at the source's point";
    case SourceType::wall:
      return "over pairs of points of the source's time slice";
    case SourceType::corner_wall:
      return "over pairs of points of the source's time slice at even distances from its position";
    case SourceType::momentum:
      return "over pairs of points of the source's time slice with their phases";
    case SourceType::gaussian:
      return "over pairs of points of the source's time slice with their weights exp(-r^2/width^2)";
    case SourceType::box:
      return "over pairs of points of the source's box";
    case SourceType::file:
      return "over pairs of points of the source with their numbers in the source's file";
    default:
      return "over the points of the source's time slice, by noise";
  }
}

Attributes QuarkSources::attributes() const {
  const auto list = [](const auto& x) { return std::vector<std::int64_t>(x.begin(), x.end()); };
  Attributes a = {
      {"type", keys_.type_name()},
      {"position", list(keys_.position)},
      {"shift", list(keys_.shift)},
      {"count", std::int64_t{count()}},
      {"columns", std::string(spins_ == 1 ? "color of the source" : "3 * spin + color of the source")}};
  if (keys_.type == SourceType::momentum) a.emplace_back("momentum", list(keys_.momentum));
  if (keys_.width) {
    a.emplace_back("width", *keys_.width);
    a.emplace_back("weight",
                   std::string("exp(-r^2/width^2), r the shortest way from position around the lattice, 1 "
                               "at position: not normalised"));
  }
  if (keys_.size) a.emplace_back("size", list(*keys_.size));
  if (keys_.width || keys_.size) a.emplace_back("stride", std::int64_t{keys_.stride});
  if (keys_.files) {
    a.emplace_back("files", *keys_.files);
    a.emplace_back("slice", std::string(keys_.slice == SourceSlice::file ? "file" : "position"));
  }
  if (keys_.is_noise()) a.emplace_back("seed", keys_.seed.value());
  return a;
}

}  // namespace plaq::jobs
