// Random numbers that belong to a site and a moment, not to a process: Philox4x32-10 of Random123 (Salmon et
// al., SC'11) as a function of a counter that says what the number is for. The same field on any process
// grid.
#pragma once

#include <Random123/philox.h>
#include <Random123/boxmuller.hpp>
#include <Random123/uniform.hpp>
#include <cassert>
#include <cstdint>

#include "core/launch/target.hpp"

namespace plaq {

// Purposes of random numbers. Part of the counter: never renumber, or runs are no longer reproducible.
enum class Purpose : std::uint8_t {
  test = 0,
  hot_start = 1,
  heatbath = 2,
  overrelaxation = 3,
  noise_source = 4,
  gauge_copy = 5,
  gauge_update = 6,
  momentum = 7,
  pseudofermion = 8,
  metropolis = 9,
  source_position = 10,
  noise_seed = 11,
};

struct GaussianPair {
  double first, second;
};

// 128 random bits.
struct Random4 {
  std::uint32_t word[4];

  // Pair 0 or 1 of the words as a 64-bit number.
  PLAQ_HD std::uint64_t word64(int pair) const {
    return std::uint64_t{word[2 * pair + 1]} << 32 | word[2 * pair];
  }
  // Uniform in the open interval (0,1): the 2^52 odd multiples of 2^-53, symmetric about 1/2. Two a draw.
  PLAQ_HD double uniform(int pair) const { return r123::u01fixedpt<double>(word64(pair)); }
  // Two independent normal deviates (mean 0, variance 1) by Box and Muller from all 128 bits. Up to 9.5
  // sigma.
  PLAQ_HD GaussianPair gaussian() const {
    const auto pair = r123::boxmuller(word64(0), word64(1));
    return {pair.x, pair.y};
  }
};

// The draws for one purpose at one site. Counter, from the lowest bit (key: the seed):
//   word 0: site 0..31 | word 1: site 32..47, purpose 8, direction 4, subgroup 4 | word 2: sweep | word 3:
//   attempt
struct RandomStream {
  std::uint64_t seed;
  std::uint64_t site;  // global index, below 2^48
  std::uint32_t sweep;
  Purpose purpose;
  std::uint32_t direction = 0;  // below 16
  std::uint32_t subgroup = 0;   // below 16

  PLAQ_HD Random4 draw(std::uint32_t attempt) const {
    assert(site >> 48 == 0 && direction < 16 && subgroup < 16);
    const auto high = static_cast<std::uint32_t>(site >> 32) | static_cast<std::uint32_t>(purpose) << 16 |
                      direction << 24 | subgroup << 28;
    const philox4x32_ctr_t counter = {{static_cast<std::uint32_t>(site), high, sweep, attempt}};
    const philox4x32_key_t key = {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
    const philox4x32_ctr_t bits = philox4x32_R(10, counter, key);
    return {{bits.v[0], bits.v[1], bits.v[2], bits.v[3]}};
  }
};

}  // namespace plaq
