// What vectors have to have in common.
#pragma once

#include <string>

#include "core/field/field.hpp"

namespace plaq::blas {

// Throws an internal error unless `vector` is at the location, in the precision and of the sites,
// components and right-hand sides that `like` has: whole complex numbers, in half precision with a scale a
// site.
void expect_alike(const Field& vector, const Field& like, Location location, Precision precision);

// "single" of spinors, "single 6" of vectors with other numbers of reals a site: what a tuner tells apart.
std::string shape_name(const Field& vector);

}  // namespace plaq::blas
