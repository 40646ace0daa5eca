#include "core/field/field_launch.hpp"

#include "core/algebra/bits.hpp"
#include "core/field/fixed8.hpp"
#include "core/launch/launch.hpp"

namespace plaq {
namespace {

// Numbers of two fields on the same sites.
template <class To, class From>
struct StoredNumbers {
  using T = Compute<To>;
  using Wide =
      std::conditional_t<std::is_same_v<T, double> || std::is_same_v<Compute<From>, double>, double, float>;

  Layout to_layout, from_layout;
  To* to;
  const From* from;
  std::size_t to_stride, from_stride;
  int sites;

  PLAQ_HD const From* source(int subfield) const {
    return from + static_cast<std::size_t>(subfield) * from_stride;
  }
  PLAQ_HD To* target(int subfield) const { return to + static_cast<std::size_t>(subfield) * to_stride; }

  // Scale of the numbers of a site.
  PLAQ_HD Wide factor(int subfield, int site) const {
    if constexpr (sizeof(From) <= 2) {
      float scale;
      __builtin_memcpy(&scale, source(subfield) + from_layout.scale_offset(site, subfield), sizeof(scale));
      return static_cast<Wide>(scale);
    } else {
      return 1;
    }
  }
  PLAQ_HD T value(int subfield, int site, int r, Wide factor) const {
    return static_cast<T>(factor * from_storage<Wide>(source(subfield)[from_layout.offset(site, r)]));
  }
  // Returns the steps of a number, for the largest one of the site.
  PLAQ_HD T set_scale(int subfield, int site, T largest) const {
    if constexpr (sizeof(To) <= 2) {
      const auto scale = static_cast<float>(largest * (T(1) / T(fixed_steps<To>)));
      __builtin_memcpy(target(subfield) + to_layout.scale_offset(site, subfield), &scale, sizeof(scale));
      return steps_of<To>(largest);
    } else {
      return 1;
    }
  }
  PLAQ_HD void store(int subfield, int site, int r, T value, T steps) const {
    target(subfield)[to_layout.offset(site, r)] = to_storage<To>(value, steps);
  }
};

// A member has a site of a subfield: neighbours are beside each other in memory.
template <class TargetT, class To, class From>
struct SitesConversion : StoredNumbers<To, From> {
  static constexpr int team_sites = 128;
  using typename StoredNumbers<To, From>::T;

  PLAQ_HD int blocks() const { return (this->sites + team_sites - 1) / team_sites; }
  PLAQ_HD void operator()(Team<TargetT>& team, int index) const {
    const int subfield = index / blocks(), first = (index - subfield * blocks()) * team_sites;
    team.for_range(team_sites, [&](int i) {
      const int site = first + i, reals = this->to_layout.reals;
      if (site >= this->sites) return;
      const auto factor = this->factor(subfield, site);
      T largest = 0;
      if constexpr (sizeof(To) <= 2)
        for (int r = 0; r < reals; ++r)
          largest = larger_magnitude(this->value(subfield, site, r, factor), largest);
      const T steps = this->set_scale(subfield, site, largest);
      for (int r = 0; r < reals; ++r)
        this->store(subfield, site, r, this->value(subfield, site, r, factor), steps);
    });
  }
};

// A team has a site with many numbers, and the subfields of it whose numbers are beside each other: with
// right-hand sides fastest all of them, else one.
template <class TargetT, class To, class From>
struct LargeSitesConversion : StoredNumbers<To, From> {
  using typename StoredNumbers<To, From>::T;
  using typename StoredNumbers<To, From>::Wide;

  int beside = 1;

  // Partial maxima of a subfield.
  PLAQ_HD int parts() const { return beside == 1 ? 32 : 8; }
  std::size_t scratch_bytes() const {
    return scratch_bytes_of<T>(parts() * beside) + scratch_bytes_of<T>(beside) +
           scratch_bytes_of<Wide>(beside);
  }

  PLAQ_HD void operator()(Team<TargetT>& team, int index) const {
    const int group = index / this->sites, site = index - group * this->sites, first = group * beside,
              reals = this->to_layout.reals, all = parts() * beside;
    Wide* factors = team.template scratch<Wide>(beside);
    T* steps = team.template scratch<T>(beside);
    T* most = team.template scratch<T>(all);
    const auto value = [&](int k, int r) { return this->value(first + k, site, r, factors[k]); };
    team.for_range(beside, [&](int k) { factors[k] = this->factor(first + k, site); });
    if constexpr (sizeof(To) <= 2)
      team.for_range(all, [&](int i) {
        const int part = i / beside, k = i - part * beside;
        T largest = 0;
        for (int r = 2 * part; r < reals; r += 2 * parts()) {
          largest = larger_magnitude(value(k, r), largest);
          if (r + 1 < reals) largest = larger_magnitude(value(k, r + 1), largest);
        }
        most[i] = largest;
      });
    team.for_range(beside, [&](int k) {
      T largest = 0;
      if constexpr (sizeof(To) <= 2)
        for (int i = k; i < all; i += beside) largest = larger_magnitude(most[i], largest);
      steps[k] = this->set_scale(first + k, site, largest);
    });
    // Numbers in the order of memory: two reals of each subfield, then two more.
    team.for_range(reals * beside, [&](int i) {
      const int k = i / 2 % beside, r = i / (2 * beside) * 2 + i % 2;
      this->store(first + k, site, r, value(k, r), steps[k]);
    });
  }
};

template <class K, class To, class From>
K open_conversion(Field& to, const Field& from, int parity) {
  K kernel;
  kernel.to_layout = to.layout();
  kernel.from_layout = from.layout();
  kernel.to = static_cast<To*>(to.data(0, parity));
  kernel.from = static_cast<const From*>(from.data(0, parity));
  kernel.to_stride = to.subfield_stride();
  kernel.from_stride = from.subfield_stride();
  kernel.sites = from.layout().sites;
  return kernel;
}

}  // namespace

template <class Target, class To, class From>
void launch_convert_sites(Field& to, const Field& from, const Queue& queue) {
  constexpr int most_of_a_member = 256;  // reals
  const bool beside = to.layout().order == Order::right_hand_sides_fastest;
  for (int parity = 0; parity < 2; ++parity) {
    if (!from.holds(parity)) continue;
    TeamDomain teams;
    if (!beside && from.layout().order == Order::sites_fastest && from.layout().reals <= most_of_a_member) {
      using K = SitesConversion<Target, To, From>;
      const auto kernel = open_conversion<K, To, From>(to, from, parity);
      teams.count = kernel.blocks() * from.subfields();
      teams.team_size = K::team_sites;
      for_each_team(teams, queue, kernel);
    } else {
      auto kernel = open_conversion<LargeSitesConversion<Target, To, From>, To, From>(to, from, parity);
      kernel.beside = beside ? from.subfields() : 1;
      teams.count = kernel.sites * (from.subfields() / kernel.beside);
      teams.team_size = from.reals_per_site() * kernel.beside > 64 ? 128 : 32;
      teams.scratch_bytes = kernel.scratch_bytes();
      for_each_team(teams, queue, kernel);
    }
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
