// Noise on the whole lattice in parts that are apart (dilution): Foley et al.,
// Comput. Phys. Commun. 172 (2005) 145.
//   eta = sum_d eta_d,  sum_d eta_d^dagger Gamma M^-1 eta_d
// has no noise of what is in different parts, and with every component of every site apart none at all.
//
// Hierarchical probing (Stathopoulos, Laeuchli, Orginos, SIAM J. Sci. Comput. 35 (2013) S299) multiplies the
// noise by the signs of Hadamard vectors:
//   (1/N) sum_k (h_k eta)^dagger Gamma M^-1 (h_k eta),  h_k(x) = (-1)^(number of bits of k AND c(x)),  k < N,
// has no noise of sites x, y whose colors c(x), c(y) differ modulo N. Four bits of c(x) belong to each level
// l = 0, 1, ...: the parity of the bits l of x, y, z, t, then bit l of x, of y and of z. The first vectors of
// 2 N are those of N.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/lattice/geometry.hpp"
#include "kernels/quark/sources.hpp"

namespace plaq {

/// Parts of noise on the whole lattice. They are counted by color, spin, parity, x, y, z, t, Hadamard vector,
/// color the fastest, of those that are apart.
struct NoiseDilution {
  int time = 1;                       ///< parts by the time slice modulo this number
  std::array<int, 3> space{1, 1, 1};  ///< parts by x, y, z modulo these numbers
  bool even_odd = false;              ///< parts by x + y + z + t modulo 2
  bool spin = false, color = false;   ///< a part for each spin, for each color
  int probing = 1;                    ///< Hadamard vectors of hierarchical probing, a power of 2; 1: none

  int classes(int spins) const;  ///< number of parts of spinors (4) or of color vectors (1)
  /// Why it does not fit a lattice; empty: it does.
  std::string fault(const Extents& extents) const;
  /// Why it fits no lattice; empty: it may fit one.
  std::string fault() const;
  /// True if time and space say the parity of a site, so that even_odd would leave parts empty.
  bool tells_parity() const;
  /// Message for even_odd if tells_parity() is true.
  static constexpr const char* useless_even_odd =
      "time and space are modulo even numbers, which already part even and odd sites";
  /// Largest number of Hadamard vectors.
  static constexpr int most_probing = 1 << 20;
};

/// Color c(x) of a site modulo 2^20, for hierarchical probing.
std::uint32_t probing_color(const Extents& site);

/// Subfield i is part (first + i) % classes of noise vector (first + i) / classes, whose component c has the
/// numbers of sample 12 vector + c (of color vectors 3 vector + c), as random_source. Overwrites a field of
/// spinors or color vectors, any precision but half, where it is. The same in any batch and on any process
/// grid; U1 and normal noise on one kind of machine. Not collective.
/// @param b  the field that is overwritten
/// @param noise  kind of random numbers
/// @param seed  of the random numbers
/// @param dilution  parts of the noise
/// @param first  part of subfield 0, counted over all noise vectors
void diluted_noise_source(Field& b, Noise noise, std::uint64_t seed, const NoiseDilution& dilution,
                          std::int64_t first);

}  // namespace plaq
