#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "kernels/dirac/staggered/staggered_launch.hpp"
#include "kernels/site/link_scaling.hpp"

namespace plaq {

template <class Target>
double launch_largest_component(const Field& links, const Queue& queue) {
  double largest = 0;
  for (int parity = 0; parity < 2 && largest == largest; ++parity) {
    const LinkScaling<Target> kernel{gauge_view<Target, double>(links), 1, parity};
    const auto found =
        reduce_max(make_domain(links.geometry(), Region::all, parity, location_of<Target>, 4), queue, kernel);
    if (!(found[0] <= largest)) largest = found[0];
  }
  return largest;
}

template <class Target>
void launch_scale_links(Field& links, double factor, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(make_domain(links.geometry(), Region::all, parity, location_of<Target>, 4), queue,
             LinkScaling<Target>{gauge_view<Target, double>(links), factor, parity});
  links.touch();
}

template double launch_largest_component<BuildTarget>(const Field&, const Queue&);
template void launch_scale_links<BuildTarget>(Field&, double, const Queue&);

}  // namespace plaq
