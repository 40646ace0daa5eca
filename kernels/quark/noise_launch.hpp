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
  int time = 1, space[3] = {1, 1, 1}, parities = 1, spins = 1, colors = 1, probing = 1, count = 1;
};

// Color of a site for hierarchical probing (kernels/quark/noise_dilution.hpp), five levels of four bits.
PLAQ_HD std::uint32_t color_of_probing(int x, int y, int z, int t) {
  std::uint32_t color = 0;
  for (int level = 0; level < 5; ++level) {
    const auto bit = [level](int a) { return static_cast<std::uint32_t>(a) >> level & 1u; };
    const std::uint32_t parity = bit(x) ^ bit(y) ^ bit(z) ^ bit(t);
    color |= (parity | bit(x) << 1 | bit(y) << 2 | bit(z) << 3) << 4 * level;
  }
  return color;
}

// 1 if `bits` has an odd number of them, else 0.
PLAQ_HD std::uint32_t odd_bits(std::uint32_t bits) {
  for (int half = 16; half > 0; half /= 2) bits ^= bits >> half;
  return bits & 1u;
}

// S: float or double. Subfield i is part (first + i) % count of vector (first + i) / count.
template <class Target, class S>
void launch_noise(const Field& b, Noise noise, std::uint64_t seed, std::int64_t first,
                  const NoiseParts& parts, const Queue& queue);

// eta of a global site.
PLAQ_HD Complex<double> noise_at(Noise noise, std::uint64_t seed, std::uint64_t site, std::uint32_t sample) {
  const Random4 random = RandomStream{seed, site, sample, Purpose::noise_source}.draw(0);
  if (noise == Noise::u1) {
    Complex<double> z;
    detail::sincos_turn(random.uniform(0), z.im, z.re);
    return z;
  }
  if (noise == Noise::normal) {
    const GaussianPair pair = random.gaussian();
    constexpr double root = 0.70710678118654752440;
    return {root * pair.first, root * pair.second};
  }
  if (noise == Noise::z3) {
    const auto third = static_cast<std::uint32_t>(std::uint64_t{random.word[0]} * 3 >> 32);
    constexpr double height = 0.86602540378443864676;  // sqrt(3) / 2
    if (third == 0) return {1, 0};
    return {-0.5, third == 1 ? height : -height};
  }
  const std::uint32_t bits = random.word[0] >> 30;
  const std::uint32_t power = noise == Noise::z4 ? bits : bits & 2u;  // of i
  const double sign = (power & 2u) != 0 ? -1 : 1;
  return (power & 1u) != 0 ? Complex<double>{0, sign} : Complex<double>{sign, 0};
}

}  // namespace plaq
