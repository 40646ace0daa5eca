#include "core/field/field_views.hpp"
#include "core/lattice/domain.hpp"
#include "core/launch/launch.hpp"
#include "kernels/gauge/temporal_gauge_launch.hpp"
#include "kernels/site/temporal_gauge.hpp"

namespace plaq {

template <class Target>
void launch_temporal_lines(const TemporalLinesCall& call, const Queue& queue) {
  using Lines = SiteArray<Target, double, 18>;
  const Geometry& geometry = call.links->geometry();
  for (int parity = 0; parity < 2; ++parity) {
    const TemporalLine<Target> line{LatticeView<Target, double>(geometry),
                                    gauge_view<Target, double>(*call.links),
                                    gauge_view<Target, double>(*call.g),
                                    Lines(call.before[parity], 0),
                                    Lines(call.after[parity], 0),
                                    parity,
                                    geometry.local()[3],
                                    call.last};
    for_each(first_slice(geometry, parity, location_of<Target>), queue, line);
  }
  call.links->touch();
  call.g->touch();
}

namespace {

template <class Target>
void transform(Field& links, const Field& g, int directions, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(
        make_domain(links.geometry(), Region::all, parity, location_of<Target>, directions), queue,
        TransformLinks<Target>{LatticeView<Target, double>(links.geometry()),
                               gauge_view<Target, double>(links), gauge_view<Target, double>(g), parity});
  links.touch();
}

}  // namespace

template <class Target>
void launch_transform_space(Field& links, const Field& g, const Queue& queue) {
  transform<Target>(links, g, 3, queue);
}
template <class Target>
void launch_transform(Field& links, const Field& g, const Queue& queue) {
  transform<Target>(links, g, 4, queue);
}

template void launch_temporal_lines<BuildTarget>(const TemporalLinesCall&, const Queue&);
template void launch_transform_space<BuildTarget>(Field&, const Field&, const Queue&);
template void launch_transform<BuildTarget>(Field&, const Field&, const Queue&);

}  // namespace plaq
