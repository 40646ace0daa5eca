// Fields of the Lie algebra of SU(3), an element (kernels/site/su3_algebra.hpp) for each link: momenta,
// forces, and what the gradient flow keeps between its stages.
#pragma once

#include "core/field/field_views.hpp"
#include "kernels/site/su3_algebra.hpp"

namespace plaq {

// 4 x 1 complex numbers a link, subfields mu.
inline FieldSpec algebra_spec(Precision precision, Location location) {
  return {Subset::full, 4, 1, 4, precision, location};
}

template <class Target, class T>
AlgebraView<Target, T> algebra_view(const Field& field) {
  expect(field, location_of<Target>, precision_of<T>, 4, 1);
  return AlgebraView<Target, T>(SiteArray<Target, T, 8>(field.data(0, 0), field.layout().size()));
}

}  // namespace plaq
