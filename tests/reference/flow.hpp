// Gradient flows and clover-leaf observables: Luescher, JHEP 08 (2010) 071; Ramos, Sint, Eur. Phys. J. C 76
// (2016) 15.
#pragma once

#include "tests/reference/gauge.hpp"

namespace plaq::reference {

enum class FlowKind { wilson, symanzik, zeuthen };

// One step of the third-order scheme of appendix C.
GaugeField flow_step(const GaugeField& gauge, double epsilon, FlowKind kind = FlowKind::wilson);
// exp(2 Z1 - Z0) U, the second-order step of the same Z.
GaugeField second_order_flow_step(const GaugeField& gauge, double epsilon, FlowKind kind = FlowKind::wilson);

// Averages over sites: 2 sum_{mu<nu} Re tr(1 - P), and -(1/2) sum_{mu,nu} tr F F.
double plaquette_energy(const GaugeField& gauge);
double clover_energy(const GaugeField& gauge);
// sum_x (1/32 pi^2) sum eps_mu,nu,rho,sigma tr H_mu,nu H_rho,sigma with F = i H, over all 24 permutations.
double topological_charge(const GaugeField& gauge);

// F_mu,nu(x) = (Q - Q^dagger)/8 without its trace, Q the four leaves.
ColorMatrix field_strength(const GaugeField& gauge, int site, int mu, int nu);

// The field seen in a mirror: x_mu -> -x_mu for mu = `axis`.
GaugeField reflected(const GaugeField& gauge, int axis);

// Links diag(exp(i phi), exp(-i phi), 1) whose plaquettes are constant: n_xy units of flux 2 pi / (X Y) in
// every plane x-y and n_zt units of 2 pi / (Z T) in every plane z-t.
GaugeField constant_flux(const Lattice& lattice, int n_xy, int n_zt);
// Constant diagonal links, another one in each direction: no field strength.
GaugeField toron(const Lattice& lattice);

}  // namespace plaq::reference
