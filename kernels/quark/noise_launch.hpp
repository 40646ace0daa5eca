// The launch of random_source and diluted_noise_source where a field is.
#pragma once

#include "core/field/field.hpp"
#include "kernels/quark/sources.hpp"

namespace plaq {

// NoiseDilution in the kernel's form. 1: not apart; `count`: parts in all.
struct NoiseParts {
  int time = 1, space[3] = {1, 1, 1}, parities = 1, spins = 1, colors = 1, count = 1;
};

// S: float or double. Subfield i is part (first + i) % count of vector (first + i) / count.
template <class Target, class S>
void launch_noise(const Field& b, Noise noise, std::uint64_t seed, std::int64_t first,
                  const NoiseParts& parts, const Queue& queue);

}  // namespace plaq
