#include "jobs/propagator/quark_source.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"
#include "jobs/dirac/dirac_keys.hpp"

namespace plaq::jobs {

QuarkSources::QuarkSources(const JobFile& job, const Extents& extents)
    : keys_(job.get<SourceKeys>()), extents_(extents), spins_(action_of_any_mass(job)->spins()) {
  for (std::size_t mu = 0; mu < 4; ++mu)
    if (keys_.position[mu] >= extents[mu])
      throw Error(ErrorKind::job_file,
                  fmt::format("{}: [source] position {} is outside the lattice {}", job.file(),
                              to_string(keys_.position), to_string(extents)));
}

Extents QuarkSources::position(int k) const {
  Extents at{};
  for (std::size_t mu = 0; mu < 4; ++mu) {
    const auto moved = keys_.position[mu] + static_cast<std::int64_t>(k) * keys_.shift[mu],
               extent = std::int64_t{extents_[mu]};
    at[mu] = static_cast<int>((moved % extent + extent) % extent);
  }
  return at;
}

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
    case SourceType::z2:
    case SourceType::z4:
      return noise_source(b, keys_.type == SourceType::z2 ? Noise::z2 : Noise::z4,
                          static_cast<std::uint64_t>(keys_.seed.value()), static_cast<std::uint32_t>(k),
                          at[3], first_column);
  }
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
      {"count", std::int64_t{keys_.count}},
      {"columns", std::string(spins_ == 1 ? "color of the source" : "3 * spin + color of the source")}};
  if (keys_.type == SourceType::momentum) a.emplace_back("momentum", list(keys_.momentum));
  if (keys_.is_noise()) a.emplace_back("seed", keys_.seed.value());
  return a;
}

}  // namespace plaq::jobs
