// The launches of convert.cpp for one machine and two precisions that differ.
#pragma once

#include "core/field.hpp"
#include "kernels/blas/coefficients.hpp"

namespace plaq::blas {

// to = c0 from (add: to = to + c0 from) on both parities that the vectors hold; with g, `frame`, to = c0 g
// from (add: to = to + c0 g^dagger from). N: reals of a site. Active right-hand sides only; without any,
// nothing is launched.
template <class Target, class To, class From, int N>
void launch_convert(Field& to, const Field& from, const CoefficientList& coefficients, bool add,
                    const Field* frame, const Queue& queue);

}  // namespace plaq::blas
