// The launch of random_source where a field is.
#pragma once

#include "core/field/field.hpp"
#include "kernels/quark/sources.hpp"

namespace plaq {

// S: float or double.
template <class Target, class S>
void launch_noise(const Field& b, Noise noise, std::uint64_t seed, std::uint32_t first, const Queue& queue);

}  // namespace plaq
