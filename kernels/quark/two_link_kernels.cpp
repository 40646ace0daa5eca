#include "core/launch/launch.hpp"
#include "kernels/gauge/gauge_lattice.hpp"
#include "kernels/quark/staggered_smearing.hpp"
#include "kernels/site/two_link.hpp"

namespace plaq {
namespace {

template <class Target>
Domain owned_sites(const Field& field, int parity, int inner) {
  return make_domain(field.geometry(), Region::all, parity, location_of<Target>, inner);
}

}  // namespace

template <class Target>
void launch_two_links(const Field& gauge, Field& product, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(owned_sites<Target>(gauge, parity, 3), queue,
             TwoLinkProduct<Target, double>{gauge_lattice<Target, double>(gauge),
                                            gauge_view<Target, double>(product), parity});
}

template <class Target>
void launch_two_link_step(const Field& two_links, const Field& in, Field& out, double a, double b,
                          const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(owned_sites<Target>(in, parity, in.subfields()), queue,
             TwoLinkStep<Target, double>{gauge_lattice<Target, double>(two_links),
                                         staggered_view<Target, double>(in, parity),
                                         staggered_view<Target, double>(out, parity), a, b, parity});
}

template void launch_two_links<BuildTarget>(const Field&, Field&, const Queue&);
template void launch_two_link_step<BuildTarget>(const Field&, const Field&, Field&, double, double,
                                                const Queue&);

}  // namespace plaq
