// From one precision to another, on the vectors' location: what mixed-precision solvers move between their
// inner and outer vectors. Fields of the same sites, shape and subfields; c as in kernels/blas/kernel.hpp.
//
// `frame`: g, where the inner vectors are g times the outer ones; 3x3 matrices
// in single precision on both parities. Only between two precisions.
#pragma once

#include <vector>

#include "core/field/field.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/blas/coefficients.hpp"

namespace plaq::blas {

// to = c0 from, or c0 g from, rounded to the precision of `to`. Right-hand sides that are not active are left
// alone.
void convert(Workspace& work, const std::vector<Coefficients>& c, Field& to, const Field& from,
             const Field* frame = nullptr);

// x = x + c0 y, or x + c0 g^dagger y, in the precision of x.
void add_converted(Workspace& work, const std::vector<Coefficients>& c, Field& x, const Field& y,
                   const Field* frame = nullptr);

// The launches for one machine and two precisions that differ.
template <class Target, class To, class From>
struct ConvertLaunch {
  // to = c0 from (add: to = to + c0 from) on both parities that the vectors hold; with g, `frame`, to = c0 g
  // from (add: to = to + c0 g^dagger from). Active right-hand sides only; without any, nothing is launched.
  static void run(Field& to, const Field& from, const CoefficientList& coefficients, bool add,
                  const Field* frame, const Queue& queue);
};

}  // namespace plaq::blas
