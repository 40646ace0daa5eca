// The launch of random_source and diluted_noise_source where a field is.
#pragma once

#include "core/algebra/complex.hpp"
#include "core/algebra/random.hpp"
#include "core/field/field.hpp"
#include "kernels/quark/sources.hpp"
#include "kernels/site/sincos_turn.hpp"

namespace plaq {

// NoiseDilution in the kernel's form. 1: not apart; `count`: parts in all.
struct NoiseParts {
  int time = 1, space[3] = {1, 1, 1}, parities = 1, spins = 1, colors = 1, count = 1;
};

// S: float or double. Subfield i is part (first + i) % count of vector (first + i) / count.
template <class Target, class S>
void launch_noise(const Field& b, Noise noise, std::uint64_t seed, std::int64_t first,
                  const NoiseParts& parts, const Queue& queue);

// eta of a global site: Z2, Z4 or U1.
PLAQ_HD Complex<double> noise_at(Noise noise, std::uint64_t seed, std::uint64_t site, std::uint32_t sample) {
  const Random4 random = RandomStream{seed, site, sample, Purpose::noise_source}.draw(0);
  if (noise == Noise::u1) {
    Complex<double> z;
    detail::sincos_turn(random.uniform(0), z.im, z.re);
    return z;
  }
  const std::uint32_t bits = random.word[0] >> 30;
  const std::uint32_t power = noise == Noise::z4 ? bits : bits & 2u;  // of i
  const double sign = (power & 2u) != 0 ? -1 : 1;
  return (power & 1u) != 0 ? Complex<double>{0, sign} : Complex<double>{sign, 0};
}

}  // namespace plaq
