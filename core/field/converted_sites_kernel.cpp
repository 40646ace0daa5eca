#include "core/field/field_launch.hpp"

#include "core/algebra/bits.hpp"
#include "core/field/fixed8.hpp"
#include "core/launch/launch.hpp"

namespace plaq {
namespace {

constexpr int partial_maxima = 32;

// A team has a site and a subfield.
template <class TargetT, class To, class From>
struct SitesConversion {
  using T = Compute<To>;
  using Wide =
      std::conditional_t<std::is_same_v<T, double> || std::is_same_v<Compute<From>, double>, double, float>;

  Layout to_layout, from_layout;
  To* to;
  const From* from;
  std::size_t to_stride, from_stride;
  int sites;

  static std::size_t scratch_bytes() { return scratch_bytes_of<T>(partial_maxima + 1); }

  PLAQ_HD void operator()(Team<TargetT>& team, int index) const {
    const int subfield = index / sites, site = index - subfield * sites, reals = to_layout.reals;
    const From* source = from + static_cast<std::size_t>(subfield) * from_stride;
    To* target = to + static_cast<std::size_t>(subfield) * to_stride;
    Wide factor = 1;
    if constexpr (sizeof(From) <= 2) {
      float scale;
      __builtin_memcpy(&scale, source + from_layout.scale_offset(site, subfield), sizeof(scale));
      factor = static_cast<Wide>(scale);
    }
    const auto value = [&](int r) {
      return static_cast<T>(factor * from_storage<Wide>(source[from_layout.offset(site, r)]));
    };
    T steps = 1;
    if constexpr (sizeof(To) <= 2) {
      T* most = team.template scratch<T>(partial_maxima + 1);
      team.for_range(partial_maxima, [&](int k) {
        T largest = 0;
        for (int r = k; r < reals; r += partial_maxima) largest = larger_magnitude(value(r), largest);
        most[k] = largest;
      });
      team.for_range(1, [&](int) {
        T largest = 0;
        for (int k = 0; k < partial_maxima; ++k) largest = larger_magnitude(most[k], largest);
        most[partial_maxima] = largest;
        const auto scale = static_cast<float>(largest * (T(1) / T(fixed_steps<To>)));
        __builtin_memcpy(target + to_layout.scale_offset(site, subfield), &scale, sizeof(scale));
      });
      steps = steps_of<To>(most[partial_maxima]);
    }
    team.for_range(reals,
                   [&](int r) { target[to_layout.offset(site, r)] = to_storage<To>(value(r), steps); });
  }
};

}  // namespace

template <class Target, class To, class From>
void launch_convert_sites(Field& to, const Field& from, const Queue& queue) {
  using Kernel = SitesConversion<Target, To, From>;
  for (int parity = 0; parity < 2; ++parity) {
    if (!from.holds(parity)) continue;
    Kernel kernel;
    kernel.to_layout = to.layout();
    kernel.from_layout = from.layout();
    kernel.to = static_cast<To*>(to.data(0, parity));
    kernel.from = static_cast<const From*>(from.data(0, parity));
    kernel.to_stride = to.subfield_stride();
    kernel.from_stride = from.subfield_stride();
    kernel.sites = from.layout().sites;
    TeamDomain teams;
    teams.count = kernel.sites * from.subfields();
    teams.team_size = from.reals_per_site() > 64 ? 128 : 32;
    teams.scratch_bytes = Kernel::scratch_bytes();
    for_each_team(teams, queue, kernel);
  }
}

template void launch_convert_sites<BuildTarget, Fixed8, float>(Field&, const Field&, const Queue&);
template void launch_convert_sites<BuildTarget, Fixed8, double>(Field&, const Field&, const Queue&);
template void launch_convert_sites<BuildTarget, Fixed16, float>(Field&, const Field&, const Queue&);
template void launch_convert_sites<BuildTarget, Fixed16, double>(Field&, const Field&, const Queue&);
template void launch_convert_sites<BuildTarget, float, Fixed8>(Field&, const Field&, const Queue&);
template void launch_convert_sites<BuildTarget, float, Fixed16>(Field&, const Field&, const Queue&);
template void launch_convert_sites<BuildTarget, float, float>(Field&, const Field&, const Queue&);
template void launch_convert_sites<BuildTarget, float, double>(Field&, const Field&, const Queue&);
template void launch_convert_sites<BuildTarget, double, Fixed8>(Field&, const Field&, const Queue&);
template void launch_convert_sites<BuildTarget, double, Fixed16>(Field&, const Field&, const Queue&);
template void launch_convert_sites<BuildTarget, double, float>(Field&, const Field&, const Queue&);
template void launch_convert_sites<BuildTarget, double, double>(Field&, const Field&, const Queue&);

}  // namespace plaq
