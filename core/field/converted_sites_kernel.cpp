#include "core/field/field_launch.hpp"

#include "core/algebra/bits.hpp"
#include "core/field/fixed8.hpp"
#include "core/launch/launch.hpp"

namespace plaq {
namespace {

// A team has a site, and the subfields of it whose numbers are beside each other: with right-hand sides
// fastest all of them, else one.
template <class TargetT, class To, class From>
struct SitesConversion {
  using T = Compute<To>;
  using Wide =
      std::conditional_t<std::is_same_v<T, double> || std::is_same_v<Compute<From>, double>, double, float>;

  Layout to_layout, from_layout;
  To* to;
  const From* from;
  std::size_t to_stride, from_stride;
  int sites, beside;

  // Partial maxima of a subfield.
  PLAQ_HD int parts() const { return beside == 1 ? 32 : 8; }
  std::size_t scratch_bytes() const {
    return scratch_bytes_of<T>(parts() * beside) + scratch_bytes_of<T>(beside) +
           scratch_bytes_of<Wide>(beside);
  }

  PLAQ_HD void operator()(Team<TargetT>& team, int index) const {
    const int group = index / sites, site = index - group * sites, first = group * beside,
              reals = to_layout.reals;
    // Subfield and real of number i, in the order of memory.
    const auto subfield_of = [&](int i) { return first + i / 2 % beside; };
    const auto real_of = [&](int i) { return i / (2 * beside) * 2 + i % 2; };
    Wide* factors = team.template scratch<Wide>(beside);
    team.for_range(beside, [&](int k) {
      factors[k] = 1;
      if constexpr (sizeof(From) <= 2) {
        float scale;
        __builtin_memcpy(&scale,
                         from + static_cast<std::size_t>(first + k) * from_stride +
                             from_layout.scale_offset(site, first + k),
                         sizeof(scale));
        factors[k] = static_cast<Wide>(scale);
      }
    });
    const auto value = [&](int subfield, int r) {
      const From* source = from + static_cast<std::size_t>(subfield) * from_stride;
      return static_cast<T>(factors[subfield - first] *
                            from_storage<Wide>(source[from_layout.offset(site, r)]));
    };
    T* steps = team.template scratch<T>(beside);
    if constexpr (sizeof(To) <= 2) {
      const int all = parts() * beside;
      T* most = team.template scratch<T>(all);
      team.for_range(all, [&](int i) {
        const int part = i / beside, k = i - part * beside;
        T largest = 0;
        for (int r = 2 * part; r < reals; r += 2 * parts()) {
          largest = larger_magnitude(value(first + k, r), largest);
          if (r + 1 < reals) largest = larger_magnitude(value(first + k, r + 1), largest);
        }
        most[i] = largest;
      });
      team.for_range(beside, [&](int k) {
        T largest = 0;
        for (int i = k; i < all; i += beside) largest = larger_magnitude(most[i], largest);
        const auto scale = static_cast<float>(largest * (T(1) / T(fixed_steps<To>)));
        __builtin_memcpy(
            to + static_cast<std::size_t>(first + k) * to_stride + to_layout.scale_offset(site, first + k),
            &scale, sizeof(scale));
        steps[k] = steps_of<To>(largest);
      });
    } else {
      team.for_range(beside, [&](int k) { steps[k] = 1; });
    }
    team.for_range(reals * beside, [&](int i) {
      const int subfield = subfield_of(i), r = real_of(i);
      to[static_cast<std::size_t>(subfield) * to_stride + to_layout.offset(site, r)] =
          to_storage<To>(value(subfield, r), steps[subfield - first]);
    });
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
    kernel.beside = to.layout().order == Order::right_hand_sides_fastest ? from.subfields() : 1;
    TeamDomain teams;
    teams.count = kernel.sites * (from.subfields() / kernel.beside);
    teams.team_size = from.reals_per_site() * kernel.beside > 64 ? 128 : 32;
    teams.scratch_bytes = kernel.scratch_bytes();
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
