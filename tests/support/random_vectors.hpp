// Vectors of normal numbers.
#pragma once

#include "tests/reference/random.hpp"
#include "tests/support/convert.hpp"

namespace plaq::test {

inline Vectors random_vectors(int count, std::size_t size, unsigned seed) {
  reference::Generator generator(seed);
  Vectors all(static_cast<std::size_t>(count), Vector(size));
  for (Vector& v : all)
    for (Complex64& z : v) z = reference::normal(generator);
  return all;
}

}  // namespace plaq::test
