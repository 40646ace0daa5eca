// The Wilson matrix, Clark et al. 2010, eq. (1), with an anisotropy:
//   M = m + 1 + 3 nu/xi - (1/2) hop,  hop = hop_t + (nu/xi) (hop_x + hop_y + hop_z),
//   (hop_mu psi)(x) = (1 - gamma_mu) U_mu(x) psi(x+mu) + (1 + gamma_mu) U_mu(x-mu)^dagger psi(x-mu);
// xi = nu = 1 gives (4 + m) - D/2. kappa = 1/(2 (4 + m)), with or without anisotropy.
// A step around the lattice in direction mu, either way, is multiplied by boundary[mu].
#pragma once

#include <array>

#include "tests/reference/gauge.hpp"
#include "tests/reference/spinor.hpp"

namespace plaq::reference {

struct WilsonParameters {
  double mass = 0.0;
  double xi = 1.0, nu = 1.0;
  std::array<int, 4> boundary{1, 1, 1, -1};  // +1 periodic, -1 antiperiodic
};

double mass_from_kappa(double kappa);  // 1/(2 kappa) - 4

SpinorField hop(const WilsonParameters& parameters, const GaugeField& gauge, const SpinorField& in);
SpinorField wilson(const WilsonParameters& parameters, const GaugeField& gauge, const SpinorField& in);

// The adjoints, taken from the formula block by block and not through gamma5:
//   (hop_mu^dagger)_{x,x'} = ((hop_mu)_{x',x})^dagger
SpinorField hop_dagger(const WilsonParameters& parameters, const GaugeField& gauge, const SpinorField& in);
SpinorField wilson_dagger(const WilsonParameters& parameters, const GaugeField& gauge, const SpinorField& in);

// Momenta that the boundary allows: p_mu = (2 pi n_mu + (boundary[mu] == -1 ? pi : 0)) / L_mu.
std::array<double, 4> momentum(const WilsonParameters& parameters, const Lattice& lattice,
                               const Coordinates& n);

// On unit links M exp(i p x) chi = exp(i p x) M(p) chi, with
//   M(p) = m + 1 + 3 nu/xi - sum_mu w_mu (cos p_mu - i gamma_mu sin p_mu),  w = (nu/xi, nu/xi, nu/xi, 1).
SpinMatrix wilson_symbol(const WilsonParameters& parameters, const std::array<double, 4>& p);

}  // namespace plaq::reference
