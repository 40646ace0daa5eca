// The entries of a GammaMatrix as numbers.
#pragma once

#include "core/algebra/complex.hpp"

namespace plaq {

// i^phase, phase 0..3.
inline Complex<double> power_of_i(int phase) {
  constexpr double re[4] = {1, 0, -1, 0}, im[4] = {0, 1, 0, -1};
  return {re[phase], im[phase]};
}

}  // namespace plaq
