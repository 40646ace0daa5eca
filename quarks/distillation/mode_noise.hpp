// Noise in the space of modes of the Laplacian, for stochastic LapH (Morningstar et al., Phys. Rev. D 83
// (2011) 114505).
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/quark/sources.hpp"

namespace plaq {

/// Noise vectors with a number eta for each spin and mode of a source slice, and their dilution: parts of a
/// vector that are solved for by themselves. The average of eta_a eta_b^* is 1 for a = b, else 0.
struct ModeNoise {
  std::optional<Noise> type = {};  ///< random numbers; none: no noise, each spin and mode is a source itself
  std::int64_t seed = 1;           ///< seed of the random numbers
  int vectors = 1;                 ///< number of noise vectors
  int modes = 0;                   ///< modes j with one j modulo this are together; 0: each is apart
  bool spin = true;                ///< each spin is apart

  /// Parts of a noise vector.
  int parts(int count) const { return (modes == 0 || modes > count ? count : modes) * (spin ? 4 : 1); }
  /// Part that has a spin and a mode.
  int part_of(int spin_of, int mode, int count) const {
    const int together = modes == 0 || modes > count ? count : modes;
    return spin ? 4 * (mode % together) + spin_of : mode % together;
  }
};

/// eta of so many modes on source slice t as [spin][mode], by (seed, t, spin, mode, vector) alone.
/// @param noise   kind of noise and its seed
/// @param t       source slice
/// @param vector  number of the noise vector
/// @param count   number of modes
std::vector<std::complex<double>> mode_noise(const ModeNoise& noise, int t, int vector, int count);

}  // namespace plaq
