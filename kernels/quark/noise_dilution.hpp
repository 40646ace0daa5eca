// Noise on the whole lattice in parts that are apart (dilution): Foley et al.,
// Comput. Phys. Commun. 172 (2005) 145.
//   eta = sum_d eta_d,  sum_d eta_d^dagger Gamma M^-1 eta_d
// has no noise of what is in different parts, and with every component of every site apart none at all.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/lattice/geometry.hpp"
#include "kernels/quark/sources.hpp"

namespace plaq {

/// Parts of noise on the whole lattice. They are counted by color, spin, parity, x, y, z, t, color the
/// fastest, of those that are apart.
struct NoiseDilution {
  int time = 1;                       ///< parts by the time slice modulo this number
  std::array<int, 3> space{1, 1, 1};  ///< parts by x, y, z modulo these numbers
  bool even_odd = false;              ///< parts by x + y + z + t modulo 2
  bool spin = false, color = false;   ///< a part for each spin, for each color

  int classes(int spins) const;  ///< number of parts of spinors (4) or of color vectors (1)
  /// Why it does not fit a lattice; empty: it does.
  std::string fault(const Extents& extents) const;
  /// True if time and space say the parity of a site, so that even_odd would leave parts empty.
  bool tells_parity() const;
  /// Message for even_odd if tells_parity() is true.
  static constexpr const char* useless_even_odd =
      "time and space are modulo even numbers, which already part even and odd sites";
};

/// Subfield i is part (first + i) % classes of noise vector (first + i) / classes, whose component c has the
/// numbers of sample 12 vector + c (of color vectors 3 vector + c), as random_source. Overwrites a field of
/// spinors or color vectors, any precision but half, where it is. The same in any batch and on any process
/// grid; U1 on one kind of machine. Not collective.
/// @param b  the field that is overwritten
/// @param noise  kind of random numbers
/// @param seed  of the random numbers
/// @param dilution  parts of the noise
/// @param first  part of subfield 0, counted over all noise vectors
void diluted_noise_source(Field& b, Noise noise, std::uint64_t seed, const NoiseDilution& dilution,
                          std::int64_t first);

}  // namespace plaq
