// The launches of convert.cpp for one machine and two precisions that differ.
#pragma once

#include "core/field/field.hpp"
#include "kernels/blas/coefficients.hpp"

namespace plaq::blas {

template <class Target, class To, class From>
struct ConvertLaunch {
  // to = c0 from (add: to = to + c0 from) on both parities that the vectors hold; with g, `frame`, to = c0 g
  // from (add: to = to + c0 g^dagger from). Active right-hand sides only; without any, nothing is launched.
  static void run(Field& to, const Field& from, const CoefficientList& coefficients, bool add,
                  const Field* frame, const Queue& queue);
};

}  // namespace plaq::blas
