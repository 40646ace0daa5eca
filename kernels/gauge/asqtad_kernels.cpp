#include "core/launch/launch.hpp"
#include "kernels/gauge/gauge_lattice.hpp"
#include "kernels/gauge/improved_links.hpp"
#include "kernels/site/asqtad_link.hpp"

namespace plaq {
template <class Target, class T>
void launch_fat_links(const Field& gauge, Field& staples, Field& sides, Field& fat,
                      const AsqtadCoefficients& c, const Queue& queue) {
  const FatWeights<T> weights{static_cast<T>(c.three), static_cast<T>(c.five), static_cast<T>(c.seven),
                              static_cast<T>(c.lepage)};
  const auto links = gauge_lattice<Target, T>(gauge);
  for (int mu = 0; mu < 4; ++mu) {
    // Staples of sides, and sides of F_mu, reach a step beyond the sites of F_mu.
    const std::uint32_t beyond = 0xfu & ~(1u << mu);
    for_each(owned_links<Target>(gauge, 3, beyond), queue,
             FatLinkStaple<Target, T>{links, links, gauge_view<Target, T>(staples), mu});
    for_each(owned_links<Target>(gauge, 3, beyond), queue,
             FatLinkSide<Target, T>{links, links, gauge_lattice<Target, T>(staples),
                                    gauge_view<Target, T>(sides), weights, mu});
    for_each(owned_links<Target>(gauge, 1), queue,
             FatLink<Target, T>{links, links, gauge_lattice<Target, T>(sides), gauge_view<Target, T>(fat),
                                static_cast<T>(c.one - 6 * c.lepage), mu, false});
  }
}

template <class Target, class T>
void launch_unitary_links(const Field& links, const Field& fat, Field& unitary, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(make_domain(links.geometry(), Region::all, parity, location_of<Target>, 4), queue,
             UnitaryLink<Target, T>{gauge_view<Target, T>(links), gauge_view<Target, T>(fat),
                                    gauge_view<Target, T>(unitary), parity});
}

template <class Target, class T>
void launch_three_links(const Field& gauge, Field& product, const Queue& queue) {
  for_each(owned_links<Target>(gauge), queue,
           ThreeLinkProduct<Target, T>{gauge_lattice<Target, T>(gauge), gauge_view<Target, T>(product)});
}

template void launch_fat_links<BuildTarget, double>(const Field&, Field&, Field&, Field&,
                                                    const AsqtadCoefficients&, const Queue&);
template void launch_fat_links<BuildTarget, float>(const Field&, Field&, Field&, Field&,
                                                   const AsqtadCoefficients&, const Queue&);
template void launch_unitary_links<BuildTarget, double>(const Field&, const Field&, Field&, const Queue&);
template void launch_unitary_links<BuildTarget, float>(const Field&, const Field&, Field&, const Queue&);
template void launch_three_links<BuildTarget, double>(const Field&, Field&, const Queue&);
template void launch_three_links<BuildTarget, float>(const Field&, Field&, const Queue&);

}  // namespace plaq
