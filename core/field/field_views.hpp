// From fields to the views that kernels see them through.
#pragma once

#include <type_traits>

#include "core/field/component_view.hpp"
#include "core/field/field.hpp"
#include "core/field/views.hpp"
#include "core/launch/target.hpp"
#include "core/system/error.hpp"
#include "core/system/runs_dry.hpp"

namespace plaq {

template <class Target>
inline constexpr Location location_of = std::is_same_v<Target, Device> ? Location::device : Location::host;

// Sites of one parity, all right-hand sides; stored as S.
template <class Target, class S>
SpinorView<Target, S> spinor_view(const Field& field, int parity) {
  expect(field, location_of<Target>, precision_of<S>, 4, 3);
  return SpinorView<Target, S>({field.data(0, parity), field.subfield_stride()});
}

template <class Target, class S>
StaggeredView<Target, S> staggered_view(const Field& field, int parity) {
  expect(field, location_of<Target>, precision_of<S>, 1, 3);
  return StaggeredView<Target, S>({field.data(0, parity), field.subfield_stride()});
}

template <class Target, class S, int Reconstruction = 18>
GaugeView<Target, S, Reconstruction> gauge_view(const Field& field) {
  expect(field, location_of<Target>, precision_of<S>, 3, 3, Reconstruction);
  return GaugeView<Target, S, Reconstruction>({field.data(0, 0), field.layout().size()});
}

// Sites of one parity of a field of any shape and order, for kernels over sites and for teams; links are read
// by gauge_view.
template <class Target, class S>
void expect_components(const Field& field) {
  const FieldSpec& spec = field.spec();
  const bool there =
      spec.location == location_of<Target> || (!with_cuda && runs_dry());  // as expect() has it
  require(there && spec.precision == precision_of<S> && spec.compressed_reals == 0 &&
              spec.with_scale() == has_scale<S>,
          "a view of components was opened on a field of another storage");
}
template <class Target, class S>
ComponentView<Target, S> component_view(const Field& field, int parity) {
  expect_components<Target, S>(field);
  return ComponentView<Target, S>(field.data(0, parity), field.subfield_stride(), field.layout());
}
// Closed where the field does not hold the parity.
template <class Target, class S>
ScalarComponents<S> scalar_components(const Field& field, int parity) {
  expect_components<Target, S>(field);
  if (!field.holds(parity)) return {};
  return ScalarComponents<S>(field.data(0, parity), field.subfield_stride(), field.layout());
}
// A slice of the fifth dimension: subfields are right-hand sides.
template <class Target, class S>
ScalarComponents<S> slice_components(const Field& field, int parity, int slice) {
  expect_components<Target, S>(field);
  if (!field.holds(parity)) return {};
  return ScalarComponents<S>(field.data(slice, parity), field.Ls() * field.subfield_stride(), field.layout());
}

template <class Target, class S, int N, int M>
MatrixView<Target, S, N, M> matrix_view(const Field& field, int parity) {
  const FieldSpec& spec = field.spec();
  require(spec.spins % N == 0 && spec.colors % M == 0, "blocks that do not divide a field's matrices");
  return MatrixView<Target, S, N, M>(component_view<Target, S>(field, parity), spec.colors);
}

}  // namespace plaq
