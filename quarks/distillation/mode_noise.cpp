#include "quarks/distillation/mode_noise.hpp"

#include "core/system/error.hpp"
#include "kernels/quark/noise_launch.hpp"

namespace plaq {

std::vector<std::complex<double>> mode_noise(const ModeNoise& noise, int t, int vector, int count) {
  require(noise.type && t >= 0 && vector >= 0 && count <= 1 << 16, "noise of modes that are not there");
  std::vector<std::complex<double>> eta;
  for (std::uint64_t spin = 0; spin < 4; ++spin)
    for (std::uint64_t mode = 0; mode < static_cast<std::uint64_t>(count); ++mode) {
      const std::uint64_t place = (static_cast<std::uint64_t>(t) << 16 | mode) << 2 | spin;
      const auto z = noise_at(*noise.type, static_cast<std::uint64_t>(noise.seed), place,
                              static_cast<std::uint32_t>(vector));
      eta.emplace_back(z.re, z.im);
    }
  return eta;
}

}  // namespace plaq
