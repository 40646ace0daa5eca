#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "kernels/quark/noise_at.hpp"
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
  std::uint32_t first;

  PLAQ_HD void operator()(Team<TargetT>& team, int index) const {
    const int sites = shape.parity_sites(parity), subfield = index / sites, site = index - subfield * sites;
    const auto number = static_cast<std::uint64_t>(shape.global_index(shape.coordinates(parity, site)));
    const std::uint32_t sample =
        static_cast<std::uint32_t>(components) * (first + static_cast<std::uint32_t>(subfield));
    team.for_range(components, [&](int c) {
      const auto z = noise_at(noise, seed, number, sample + static_cast<std::uint32_t>(c));
      b.store(subfield, site, c, {static_cast<S>(z.re), static_cast<S>(z.im)});
    });
  }
};

}  // namespace

template <class Target, class S>
void launch_noise(const Field& b, Noise noise, std::uint64_t seed, std::uint32_t first, const Queue& queue) {
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
    TeamDomain teams;
    teams.count = shape.parity_sites(parity) * b.subfields();
    teams.team_size = 32;
    if (teams.count > 0) for_each_team(teams, queue, kernel);
  }
}

template void launch_noise<BuildTarget, float>(const Field&, Noise, std::uint64_t, std::uint32_t,
                                               const Queue&);
template void launch_noise<BuildTarget, double>(const Field&, Noise, std::uint64_t, std::uint32_t,
                                                const Queue&);

}  // namespace plaq
