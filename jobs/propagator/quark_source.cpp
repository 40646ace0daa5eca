#include "jobs/propagator/quark_source.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"
#include "jobs/dirac/dirac_keys.hpp"

namespace plaq::jobs {

QuarkSources::QuarkSources(const JobFile& job, const Extents& extents)
    : type_(job.string("source", "type")),
      extents_(extents),
      position_(job.four("source", "position")),
      shift_(job.four("source", "shift")),
      staggered_(quark_kind(job) == QuarkKind::staggered),
      seed_(job.optional_integer("source", "seed").value_or(0)),
      count_(static_cast<int>(job.integer("source", "count"))) {
  const auto& n = job.integers("source", "momentum");
  for (std::size_t i = 0; i < 3; ++i) momentum_[i] = static_cast<int>(n[i]);
  for (std::size_t mu = 0; mu < 4; ++mu)
    if (position_[mu] >= extents[mu])
      throw Error(ErrorKind::job_file, fmt::format("{}: [source] position {} is outside the lattice {}",
                                                   job.file(), to_string(position_), to_string(extents)));
}

Extents QuarkSources::position(int k) const {
  Extents at{};
  for (std::size_t mu = 0; mu < 4; ++mu) {
    const auto moved = position_[mu] + static_cast<std::int64_t>(k) * shift_[mu],
               extent = std::int64_t{extents_[mu]};
    at[mu] = static_cast<int>((moved % extent + extent) % extent);
  }
  return at;
}

void QuarkSources::fill(Field& b, int k, int first_column) const {
  const Extents at = position(k);
  if (type_ == "point") return point_source(b, at, first_column);
  if (type_ == "wall") return wall_source(b, at[3], {0, 0, 0}, first_column);
  if (type_ == "corner_wall") return corner_wall_source(b, at, first_column);
  if (type_ == "momentum") return wall_source(b, at[3], momentum_, first_column);
  const Noise noise = type_ == "z2" ? Noise::z2 : Noise::z4;
  noise_source(b, noise, static_cast<std::uint64_t>(seed_), static_cast<std::uint32_t>(k), at[3],
               first_column);
}

std::string QuarkSources::summed() const {
  if (type_ == "point") return "at the source's point";
  if (type_ == "wall") return "over pairs of points of the source's time slice";
  if (type_ == "corner_wall")
    return "over pairs of points of the source's time slice at even distances from its position";
  if (type_ == "momentum") return "over pairs of points of the source's time slice with their phases";
  return "over the points of the source's time slice, by noise";
}

Attributes QuarkSources::attributes() const {
  const auto list = [](const auto& x) { return std::vector<std::int64_t>(x.begin(), x.end()); };
  Attributes a = {
      {"type", type_},
      {"position", list(position_)},
      {"shift", list(shift_)},
      {"count", std::int64_t{count_}},
      {"columns", std::string(staggered_ ? "color of the source" : "3 * spin + color of the source")}};
  if (type_ == "momentum") a.emplace_back("momentum", list(momentum_));
  if (type_ == "z2" || type_ == "z4") a.emplace_back("seed", seed_);
  return a;
}

}  // namespace plaq::jobs
