// Smeared and extended quark sources.
#pragma once

#include "tests/reference/gauge.hpp"
#include "tests/reference/spinor.hpp"

namespace plaq::reference {

// sum over x, y, z of U_i(x) psi(x+i) + U_i(x-i)^dagger psi(x-i) - 2 psi(x), periodic.
SpinorField spatial_laplacian(const GaugeField& gauge, const SpinorField& psi);
// psi + (sigma^2 / (4 steps)) Laplacian psi, `steps` times.
SpinorField gaussian_smeared(const GaugeField& gauge, SpinorField psi, double sigma, int steps);

// exp(i p x) in one component, p_mu = 2 pi n_mu / L_mu; on the slice t alone where t is not negative.
SpinorField plane_wave_source(const Lattice& lattice, const std::array<int, 4>& n, int t, int spin,
                              int color);

}  // namespace plaq::reference
