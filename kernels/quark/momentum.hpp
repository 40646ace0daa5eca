// Momenta in space, and correlators at them.
#pragma once

#include <array>
#include <complex>
#include <vector>

namespace plaq {

// Integers n: p_i = 2 pi n_i / L_i for directions x, y, z, any sign and size.
using Momentum = std::array<int, 3>;

// All n with n.n <= most, in a fixed order: by n.n, then as numbers.
std::vector<Momentum> momenta_up_to(int most);

// [channel][momentum][t]; t = 0 is the source's time slice, t = 1 the next one up, around the lattice.
using Correlators = std::vector<std::vector<std::vector<std::complex<double>>>>;

}  // namespace plaq
