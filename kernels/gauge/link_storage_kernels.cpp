#include <type_traits>
#include <utility>

#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "kernels/gauge/link_storage_launch.hpp"

namespace plaq {
namespace {

template <class Target, class S, int Reconstruction>
LinkCompression<Target, S, Reconstruction> compression(const Field& stored, const Field& gauge,
                                                       const ColorRotation& rotation, int parity) {
  expect(stored, location_of<Target>, precision_of<S>, 3, 3, Reconstruction);
  LinkCompression<Target, S, Reconstruction> kernel;
  kernel.links = gauge_view<Target, double>(gauge);
  kernel.stored = GaugeView<Target, S, Reconstruction, double>({stored.data(0, 0), stored.layout().size()});
  kernel.rotation = rotation;
  kernel.parity = parity;
  return kernel;
}

}  // namespace

template <class Target, class S, int Reconstruction>
void launch_link_compression(Field& stored, const Field& gauge, const ColorRotation& rotation,
                             const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(make_domain(gauge.geometry(), Region::all, parity, location_of<Target>, 4), queue,
             compression<Target, S, Reconstruction>(stored, gauge, rotation, parity));
  stored.touch();
}

template <class Target, class S, int Reconstruction>
double launch_link_deviation(const Field& stored, const Field& gauge, const ColorRotation& rotation,
                             const Queue& queue) {
  double largest = 0;
  for (int parity = 0; parity < 2; ++parity) {
    const auto found =
        reduce_max(make_domain(gauge.geometry(), Region::all, parity, location_of<Target>, 4), queue,
                   compression<Target, S, Reconstruction>(stored, gauge, rotation, parity));
    if (!(found[0] <= largest)) largest = found[0];
    if (largest != largest) break;
  }
  return largest;
}

template <class Target, class S, int Reconstruction>
double launch_time_link_deviation(const Field& stored, int slices, const Queue& queue) {
  expect(stored, location_of<Target>, precision_of<S>, 3, 3, Reconstruction);
  const int sites = slices * stored.geometry().shape().face_sites(3);  // the first ones
  double largest = 0;
  for (int parity = 0; parity < 2 && largest == largest; ++parity) {
    const TimeLinkDeviation<Target, S, Reconstruction> kernel{
        typename TimeLinkDeviation<Target, S, Reconstruction>::Links(stored.data(0, 0),
                                                                     stored.layout().size()),
        parity};
    const auto found = reduce_max(index_domain(sites), queue, kernel);
    if (!(found[0] <= largest)) largest = found[0];
  }
  return largest;
}

template <class Target, class S>
void launch_rotate_color(Field& out, const Field& in, int parity, const ColorRotation& rotation, bool dagger,
                         const ActiveSet& active, const Queue& queue) {
  const auto launch = [&](auto spins) {
    RotateColor<Target, S, spins()> kernel;
    for (const auto& [view, field] :
         {std::pair(&kernel.in, &in), std::pair(&kernel.out, &std::as_const(out))}) {
      expect(*field, location_of<Target>, precision_of<S>, spins(), 3);
      *view = typename decltype(kernel)::Vectors({field->data(0, parity), field->subfield_stride()});
    }
    kernel.rotation = rotation;
    kernel.dagger = dagger;
    kernel.active = active;
    for_each(make_domain(in.geometry(), Region::all, parity, location_of<Target>, active.count()), queue,
             kernel);
  };
  if (in.spec().spins == 1) return launch(std::integral_constant<int, 1>{});
  launch(std::integral_constant<int, 4>{});
}

template void launch_link_compression<BuildTarget, double, 18>(Field&, const Field&, const ColorRotation&,
                                                               const Queue&);
template void launch_link_compression<BuildTarget, double, 12>(Field&, const Field&, const ColorRotation&,
                                                               const Queue&);
template void launch_link_compression<BuildTarget, double, 8>(Field&, const Field&, const ColorRotation&,
                                                              const Queue&);
template void launch_link_compression<BuildTarget, float, 18>(Field&, const Field&, const ColorRotation&,
                                                              const Queue&);
template void launch_link_compression<BuildTarget, float, 12>(Field&, const Field&, const ColorRotation&,
                                                              const Queue&);
template void launch_link_compression<BuildTarget, float, 8>(Field&, const Field&, const ColorRotation&,
                                                             const Queue&);
template void launch_link_compression<BuildTarget, Fixed16, 18>(Field&, const Field&, const ColorRotation&,
                                                                const Queue&);
template void launch_link_compression<BuildTarget, Fixed16, 12>(Field&, const Field&, const ColorRotation&,
                                                                const Queue&);
template void launch_link_compression<BuildTarget, Fixed16, 8>(Field&, const Field&, const ColorRotation&,
                                                               const Queue&);
template double launch_link_deviation<BuildTarget, double, 18>(const Field&, const Field&,
                                                               const ColorRotation&, const Queue&);
template double launch_link_deviation<BuildTarget, double, 12>(const Field&, const Field&,
                                                               const ColorRotation&, const Queue&);
template double launch_link_deviation<BuildTarget, double, 8>(const Field&, const Field&,
                                                              const ColorRotation&, const Queue&);
template double launch_link_deviation<BuildTarget, float, 18>(const Field&, const Field&,
                                                              const ColorRotation&, const Queue&);
template double launch_link_deviation<BuildTarget, float, 12>(const Field&, const Field&,
                                                              const ColorRotation&, const Queue&);
template double launch_link_deviation<BuildTarget, float, 8>(const Field&, const Field&, const ColorRotation&,
                                                             const Queue&);
template double launch_link_deviation<BuildTarget, Fixed16, 18>(const Field&, const Field&,
                                                                const ColorRotation&, const Queue&);
template double launch_link_deviation<BuildTarget, Fixed16, 12>(const Field&, const Field&,
                                                                const ColorRotation&, const Queue&);
template double launch_link_deviation<BuildTarget, Fixed16, 8>(const Field&, const Field&,
                                                               const ColorRotation&, const Queue&);
template double launch_time_link_deviation<BuildTarget, double, 18>(const Field&, int, const Queue&);
template double launch_time_link_deviation<BuildTarget, double, 12>(const Field&, int, const Queue&);
template double launch_time_link_deviation<BuildTarget, float, 18>(const Field&, int, const Queue&);
template double launch_time_link_deviation<BuildTarget, float, 12>(const Field&, int, const Queue&);
template double launch_time_link_deviation<BuildTarget, Fixed16, 18>(const Field&, int, const Queue&);
template double launch_time_link_deviation<BuildTarget, Fixed16, 12>(const Field&, int, const Queue&);
template void launch_rotate_color<BuildTarget, double>(Field&, const Field&, int, const ColorRotation&, bool,
                                                       const ActiveSet&, const Queue&);
template void launch_rotate_color<BuildTarget, float>(Field&, const Field&, int, const ColorRotation&, bool,
                                                      const ActiveSet&, const Queue&);
template void launch_rotate_color<BuildTarget, Fixed16>(Field&, const Field&, int, const ColorRotation&, bool,
                                                        const ActiveSet&, const Queue&);

}  // namespace plaq
