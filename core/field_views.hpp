// From fields to the views that kernels see them through.
#pragma once

#include <type_traits>

#include "core/field.hpp"
#include "core/target.hpp"
#include "core/views.hpp"

namespace plaq {

template <class Target>
inline constexpr Location location_of = std::is_same_v<Target, Device> ? Location::device : Location::host;

// Sites of one parity, all right-hand sides; stored as S.
template <class Target, class S>
SpinorView<Target, S> spinor_view(const Field& field, int parity) {
  expect(field, location_of<Target>, precision_of<S>, 4, 3);
  return SpinorView<Target, S>({field.data(0, parity), field.slot_stride()});
}

template <class Target, class S>
StaggeredView<Target, S> staggered_view(const Field& field, int parity) {
  expect(field, location_of<Target>, precision_of<S>, 1, 3);
  return StaggeredView<Target, S>({field.data(0, parity), field.slot_stride()});
}

template <class Target, class S, int Reals = 18>
GaugeView<Target, S, Reals> gauge_view(const Field& field) {
  expect(field, location_of<Target>, precision_of<S>, 3, 3, Reals);
  return GaugeView<Target, S, Reals>({field.data(0, 0), field.layout().size()});
}

}  // namespace plaq
