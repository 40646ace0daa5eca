#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "kernels/quark/color_cross.hpp"
#include "kernels/site/color_cross.hpp"

namespace plaq {

template <class Target, class S>
void launch_color_cross(const Field& x, int j, int first_x, Field& y, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(index_domain(y.layout().sites, y.subfields()), queue,
             ColorCross<Target, S>{spinor_view<Target, S>(x, parity), spinor_view<Target, S>(y, parity), j,
                                   first_x});
}

template void launch_color_cross<BuildTarget, float>(const Field&, int, int, Field&, const Queue&);
template void launch_color_cross<BuildTarget, double>(const Field&, int, int, Field&, const Queue&);

}  // namespace plaq
