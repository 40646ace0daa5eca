// The launch that makes the columns of a source of numbers that sites have.
#pragma once

#include "core/field/field.hpp"
#include "core/launch/queue.hpp"

namespace plaq {

// Subfield i of b is column first + i. `values` has one complex number a site and subfield, W subfields, in
// double precision where b is. Those of a site are the components c, ..., c + W - 1 of column c where W
// divides c; all other components are 0. S: float or double.
template <class Target, class S>
void launch_columns(const Field& b, const Field& values, int first, const Queue& queue);

}  // namespace plaq
