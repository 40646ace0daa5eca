// From one precision to another, on the vectors' location: what mixed-precision solvers move between their
// inner and outer vectors. Fields of the same sites, shape and slots; c as in kernels/blas/kernel.hpp.
#pragma once

#include <vector>

#include "kernels/blas/blas.hpp"

namespace plaq::blas {

// to = c0 from, rounded to the precision of `to`. Right-hand sides that are not active are left alone.
void convert(Workspace& work, const std::vector<Coefficients>& c, Field& to, const Field& from);

// x = x + c0 y, in the precision of x.
void add_converted(Workspace& work, const std::vector<Coefficients>& c, Field& x, const Field& y);

}  // namespace plaq::blas
