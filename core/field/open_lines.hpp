// From fields to lines of components.
#pragma once

#include "core/field/component_lines.hpp"
#include "core/field/field_views.hpp"

namespace plaq {

// Lines of the sites of one parity; closed if the field does not hold it.
template <class Target, class S>
ComponentLines<Target, S> component_lines(const Field& field, int parity) {
  expect_components<Target, S>(field);
  if (!field.holds(parity)) return {};
  return {field.data(0, parity), field.subfield_stride(), field.layout()};
}

}  // namespace plaq
