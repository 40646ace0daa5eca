#include "core/launch/launch.hpp"
#include "kernels/gauge/algebra_field.hpp"
#include "kernels/gauge/gauge_lattice.hpp"
#include "kernels/gauge/hisq_force_launch.hpp"
#include "kernels/site/fat_link_gradient.hpp"
#include "kernels/site/u3_adjoint.hpp"

namespace plaq {
namespace {

// Calls functor(parity, domain) for the owned links of each parity.
template <class Target, class Launch>
void for_owned_parities(const Field& links, const Launch& launch) {
  for (int parity = 0; parity < 2; ++parity)
    launch(parity, make_domain(links.geometry(), Region::all, parity, location_of<Target>, 4));
}

}  // namespace

template <class Target>
void HisqForceLaunch<Target>::fat_links(Field& sum, const Field& gradient, const Field& links,
                                        const AsqtadCoefficients& c, FatLinkSpace& space,
                                        const Queue& queue) {
  using T = double;
  const FatWeights<T> weights{c.three, c.five, c.seven, c.lepage};
  const FatWeights<T> without_middle{0, c.five, c.seven, c.lepage};
  const auto u = gauge_lattice<Target, T>(links), g = gauge_lattice<Target, T>(gradient),
             a = gauge_lattice<Target, T>(space.staples),
             b = gauge_lattice<Target, T>(space.gradient_staples),
             d = gauge_lattice<Target, T>(space.gradient_sides);
  const auto sides = gauge_view<Target, T>(space.sides), out = gauge_view<Target, T>(sum);
  const auto beyond = owned_links<Target>(links, 3, 0xfu);  // gradients gather from sites around their own
  for (int mu = 0; mu < 4; ++mu) {
    for_each(beyond, queue, FatLinkStaple<Target, T>{u, u, a.links, mu});
    for_each(beyond, queue, FatLinkStaple<Target, T>{u, g, b.links, mu});
    for_each(beyond, queue, FatLinkSide<Target, T>{u, u, a, sides, without_middle, mu});
    for_each(beyond, queue, FatLinkSide<Target, T>{u, g, b, d.links, weights, mu});
    for_each(owned_links<Target>(links, 1), queue,
             FatLink<Target, T>{u, g, d, out, c.one - 6 * c.lepage, mu, true});
    for_each(owned_links<Target>(links, 3), queue,
             FatLinkSideGradient<Target, T>{u, g.links, a.links, b.links, sides, d.links, out, c.seven, mu});
  }
}

template <class Target>
void HisqForceLaunch<Target>::three_links(Field& sum, const Field& gradient, const Field& links,
                                          const Queue& queue) {
  for_each(owned_links<Target>(links), queue,
           ThreeLinkGradient<Target, double>{gauge_lattice<Target, double>(links),
                                             gauge_lattice<Target, double>(gradient),
                                             gauge_view<Target, double>(sum)});
}

template <class Target>
void HisqForceLaunch<Target>::unitary_links(Field& gradient, const Field& fat, const Field& unitary,
                                            double filter, const Queue& queue, SumBuffer& filtered) {
  for_owned_parities<Target>(gradient, [&](int parity, const Domain& domain) {
    reduce(domain, queue,
           UnitaryLinkGradient<Target, double>{gauge_view<Target, double>(fat),
                                               gauge_view<Target, double>(unitary),
                                               gauge_view<Target, double>(gradient), filter, parity},
           filtered);
  });
}

template <class Target>
void HisqForceLaunch<Target>::add_adjoint(Field& to, const Field& from, double keep, double weight,
                                          const Queue& queue) {
  for_owned_parities<Target>(to, [&](int parity, const Domain& domain) {
    for_each(domain, queue,
             AddAdjointLinks<Target, double>{gauge_view<Target, double>(to), gauge_view<Target, double>(from),
                                             keep, weight, parity});
  });
}

template <class Target>
void HisqForceLaunch<Target>::add(Field& to, const Field& from, double weight, const Queue& queue) {
  for_owned_parities<Target>(to, [&](int parity, const Domain& domain) {
    for_each(domain, queue,
             AddLinks<Target, double>{gauge_view<Target, double>(to), gauge_view<Target, double>(from),
                                      weight, parity});
  });
}

template <class Target>
void HisqForceLaunch<Target>::force(Field& force, const Field& gradient, const Field& links,
                                    const Queue& queue) {
  for_owned_parities<Target>(links, [&](int parity, const Domain& domain) {
    for_each(domain, queue,
             ForceOfGradient<Target, double>{gauge_view<Target, double>(links),
                                             gauge_view<Target, double>(gradient),
                                             algebra_view<Target, double>(force), parity});
  });
}

template struct HisqForceLaunch<BuildTarget>;

}  // namespace plaq
