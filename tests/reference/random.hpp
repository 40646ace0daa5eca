// Random numbers for test fields: std::mt19937_64 is the same everywhere, the distributions of <random> are
// not.
#pragma once

#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include "tests/reference/matrix.hpp"

namespace plaq::reference {

using Generator = std::mt19937_64;

// Uniform in [0, 1).
inline double uniform(Generator& generator) {
  return std::ldexp(static_cast<double>(generator() >> 11), -53);
}

// Independent normal real and imaginary part, mean 0 and variance 1 each (Box and Muller).
inline Complex normal(Generator& generator) {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform(generator)));
  return std::polar(radius, 2.0 * std::numbers::pi * uniform(generator));
}

}  // namespace plaq::reference
