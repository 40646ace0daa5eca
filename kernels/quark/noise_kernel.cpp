#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "kernels/quark/noise_launch.hpp"

namespace plaq {
namespace {

// A team has a site and a right-hand side.
template <class TargetT, class S>
struct NoiseAtSites {
  ScalarComponents<S> b;
  GeneralShape shape;
  int parity, components;
  Noise noise;
  std::uint64_t seed;
  std::int64_t first;
  NoiseParts parts;

  PLAQ_HD void operator()(Team<TargetT>& team, int index) const {
    const int sites = shape.parity_sites(parity), subfield = index / sites, site = index - subfield * sites;
    const Coordinates c = shape.coordinates(parity, site);
    const auto number = static_cast<std::uint64_t>(shape.global_index(c));
    const std::int64_t vector = (first + subfield) / parts.count;
    const int within = parts.count / parts.probing;  // parts of a Hadamard vector
    const int place_of_part = static_cast<int>(first + subfield - vector * parts.count);
    const int hadamard = place_of_part / within, part = place_of_part - hadamard * within;
    const std::uint32_t sample = static_cast<std::uint32_t>(components) * static_cast<std::uint32_t>(vector);
    const int of_site = within > 1 ? place(c) : 0;
    const double sign = hadamard > 0 ? hadamard_sign(c, hadamard) : 1;
    team.for_range(components, [&](int component) {
      const int of_component =
          (of_site * parts.spins + component / 3 % parts.spins) * parts.colors + component % parts.colors;
      if (within > 1 && of_component != part)
        return b.store(subfield, site, component, {static_cast<S>(0), static_cast<S>(0)});
      const auto z = noise_at(noise, seed, number, sample + static_cast<std::uint32_t>(component));
      b.store(subfield, site, component, {static_cast<S>(sign * z.re), static_cast<S>(sign * z.im)});
    });
  }

 private:
  PLAQ_HD double hadamard_sign(const Coordinates& c, int vector) const {
    const std::uint32_t color =
        color_of_probing(shape.global_coordinate(c, 0), shape.global_coordinate(c, 1),
                         shape.global_coordinate(c, 2), shape.global_coordinate(c, 3));
    return odd_bits(color & static_cast<std::uint32_t>(vector)) != 0 ? -1 : 1;
  }
  PLAQ_HD int place(const Coordinates& c) const {
    const int x = shape.global_coordinate(c, 0), y = shape.global_coordinate(c, 1);
    const int z = shape.global_coordinate(c, 2), t = shape.global_coordinate(c, 3);
    int place = t % parts.time;
    place = place * parts.space[2] + z % parts.space[2];
    place = place * parts.space[1] + y % parts.space[1];
    place = place * parts.space[0] + x % parts.space[0];
    return place * parts.parities + (x + y + z + t) % parts.parities;
  }
};

}  // namespace

template <class Target, class S>
void launch_noise(const Field& b, Noise noise, std::uint64_t seed, std::int64_t first,
                  const NoiseParts& parts, const Queue& queue) {
  const GeneralShape& shape = b.geometry().general_shape();
  for (int parity = 0; parity < shape.parities(); ++parity) {
    NoiseAtSites<Target, S> kernel;
    kernel.b = scalar_components<Target, S>(b, parity);
    kernel.shape = shape;
    kernel.parity = parity;
    kernel.components = b.reals_per_site() / 2;
    kernel.noise = noise;
    kernel.seed = seed;
    kernel.first = first;
    kernel.parts = parts;
    TeamDomain teams;
    teams.count = shape.parity_sites(parity) * b.subfields();
    teams.team_size = 32;
    if (teams.count > 0) for_each_team(teams, queue, kernel);
  }
}

template void launch_noise<BuildTarget, float>(const Field&, Noise, std::uint64_t, std::int64_t,
                                               const NoiseParts&, const Queue&);
template void launch_noise<BuildTarget, double>(const Field&, Noise, std::uint64_t, std::int64_t,
                                                const NoiseParts&, const Queue&);

}  // namespace plaq
