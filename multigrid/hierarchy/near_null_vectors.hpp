// Near-null vectors of a lattice: what its operator makes small (Clark et al.
// 2016, section 3.4, steps 1 and 2).
//
// They are kept on both parities, one right-hand side each, in the precision of LevelOperators::full(). On
// the parity that the even-odd form lacks M v is 0.
#pragma once

#include <functional>
#include <string_view>

#include "multigrid/hierarchy/level_operators.hpp"

namespace plaq {

// v <- change(v) for the part of each vector that is solved for, in batches of at most
// 12; then the rest is made of it.
using ChangeVectors = std::function<void(SchurOperator& s, Field& v)>;
void change_vectors(LevelOperators& level, Field& vectors, const ChangeVectors& change);

// Makes what they are on the parity that the even-odd form lacks, of what they are on the other.
void fill_other_parity(LevelOperators& level, Field& vectors);

// `count` vectors of noise of the seed.
Field noise_vectors(LevelOperators& level, int count, std::uint64_t seed);

// Iterations of a Krylov method on S x = 0 from where the vectors are: "bicgstab", "gcr".
void filter_vectors(LevelOperators& level, Field& vectors, std::string_view method, int iterations);

// Makes them orthonormal, all sites together: those that are made better again and again turn to the same few
// modes. A vector that depends on those before to rounding becomes 0. The same bits on any process grid.
void orthonormalise_vectors(LevelOperators& level, Field& vectors);

}  // namespace plaq
