// Smeared and extended quark sources.
#pragma once

#include "tests/reference/gauge.hpp"
#include "tests/reference/spinor.hpp"
#include "tests/reference/staggered.hpp"

namespace plaq::reference {

// Signs of a field around the lattice in x, y, z: each hop over the edge has that of its direction.
using Signs = std::array<int, 3>;
inline constexpr Signs periodic{1, 1, 1};

// sum over x, y, z of U_i(x) psi(x+i) + U_i(x-i)^dagger psi(x-i) - 2 psi(x).
SpinorField spatial_laplacian(const GaugeField& gauge, const SpinorField& psi, const Signs& signs = periodic);
// psi + (sigma^2 / (4 steps)) Laplacian psi, `steps` times.
SpinorField gaussian_smeared(const GaugeField& gauge, SpinorField psi, double sigma, int steps,
                             const Signs& signs = periodic);

// chi + (sigma^2 / (16 steps)) Lap_2 chi, `steps` times, Lap_2 chi(x) the sum over x, y, z of
// U_i(x) U_i(x+i) chi(x+2i) + U_i(x-i)^dagger U_i(x-2i)^dagger chi(x-2i) - 2 chi(x).
ColorField two_link_smeared(const GaugeField& gauge, ColorField chi, double sigma, int steps,
                            const Signs& signs = periodic);

// exp(-r^2/width^2) in one component on the slice t of the centre, r to the nearest of its images: the
// shortest of all ways by up to one lattice in each direction. Only sites that are multiples
// of `stride` away from some image.
SpinorField gaussian_source(const Lattice& lattice, const Coordinates& center, double width, int stride,
                            int spin, int color);
// 1 in one component on the sites corner + (i, j, k), each a multiple of `stride` below its size, periodic.
SpinorField box_source(const Lattice& lattice, const Coordinates& corner, const std::array<int, 3>& size,
                       int stride, int spin, int color);

// exp(i p x) in one component, p_mu = 2 pi n_mu / L_mu; on the slice t alone where t is not negative.
SpinorField plane_wave_source(const Lattice& lattice, const std::array<int, 4>& n, int t, int spin,
                              int color);

}  // namespace plaq::reference
