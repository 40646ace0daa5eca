// The launches behind kernels/dirac/force/pseudofermion.hpp for one machine, in double precision.
#pragma once

#include <cstdint>

#include "core/field/field.hpp"

namespace plaq {

template <class Target>
struct PseudofermionLaunch {
  static void draw(Field& eta, int parity, std::uint64_t seed, std::uint32_t trajectory, int number,
                   const Queue& queue);
};

}  // namespace plaq
