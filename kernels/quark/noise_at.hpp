// eta of a global site: Z2 or Z4.
#pragma once

#include "core/algebra/complex.hpp"
#include "core/algebra/random.hpp"
#include "kernels/quark/sources.hpp"

namespace plaq {

PLAQ_HD Complex<double> noise_at(Noise noise, std::uint64_t seed, std::uint64_t site, std::uint32_t sample) {
  const std::uint32_t bits = RandomStream{seed, site, sample, Purpose::noise_source}.draw(0).word[0] >> 30;
  const std::uint32_t power = noise == Noise::z4 ? bits : bits & 2u;  // of i
  const double sign = (power & 2u) != 0 ? -1 : 1;
  return (power & 1u) != 0 ? Complex<double>{0, sign} : Complex<double>{sign, 0};
}

}  // namespace plaq
