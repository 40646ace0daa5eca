// Stores staples, so that a test can look at them.
#pragma once

#include "core/field/field.hpp"

namespace plaq::test {

// Link mu of `staples` becomes the staple sum of link mu of `gauge`, on the owned sites.
template <class Target, class T>
void launch_store_staples(const Field& staples, const Field& gauge, const Queue& queue);

}  // namespace plaq::test
