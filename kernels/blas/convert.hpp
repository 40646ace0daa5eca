// From one precision to another, on the vectors' location: what mixed-precision solvers move between their
// inner and outer vectors. Fields of the same sites, shape and subfields; c as in kernels/blas/kernel.hpp.
//
// `frame`: g, where the inner vectors are g times the outer ones; 3x3 matrices
// in single precision on both parities. Only between two precisions.
#pragma once

#include <vector>

#include "kernels/blas/blas.hpp"

namespace plaq::blas {

// to = c0 from, or c0 g from, rounded to the precision of `to`. Right-hand sides that are not active are left
// alone.
void convert(Workspace& work, const std::vector<Coefficients>& c, Field& to, const Field& from,
             const Field* frame = nullptr);

// x = x + c0 y, or x + c0 g^dagger y, in the precision of x.
void add_converted(Workspace& work, const std::vector<Coefficients>& c, Field& x, const Field& y,
                   const Field* frame = nullptr);

}  // namespace plaq::blas
