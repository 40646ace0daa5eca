// Functions of matrices as kernels have them, site by site, so that a test can look at them.
#pragma once

#include "core/field/field.hpp"

namespace plaq::test {

// Link mu of `out` becomes exp(X), X the traceless antihermitian part of link mu of `in`.
template <class Target, class T>
void launch_store_exponentials(const Field& out, const Field& in, const Queue& queue);
// Link mu of `out` becomes the projection of link mu of `in`, or the unit matrix where that is singular.
template <class Target, class T>
void launch_store_projections(const Field& out, const Field& in, const Queue& queue);

}  // namespace plaq::test
