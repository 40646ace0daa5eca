// Meson two-point functions of factored propagators S(x, y) = sum_i phi_i(x) chi_i(y)^dagger, averaged over
// all sources y (DeGrand, Schaefer, Comput. Phys. Commun. 159 (2004) 185; Giusti et al., JHEP 04 (2004) 013):
//   C(p, t) = (1/V) sum_y sum_x exp(-i p (x - y)) sum_k w_k tr[G_k S(x, y) G'_k gamma5 S(x, y)^dagger gamma5]
//           = (1/V) sum_t0 sum_ij sum_k w_k P_ij(t0 + t) Q_ij(t0)
//   P_ij(t) = sum_x exp(-i p x) phi_j^dagger gamma5 G phi_i,  Q_ij(t) = sum_y exp(i p y) chi_i^dagger G'
//   gamma5 chi_j
// with x on slice t0 + t and y on slice t0: the weights and signs of kernels/quark/mesons.hpp.
#pragma once

#include <functional>
#include <vector>

#include "comms/start/shared_lattice.hpp"
#include "kernels/quark/mesons.hpp"

namespace plaq {

/// phi_i and chi_i of all i, single spinors in double precision on both parities.
struct PropagatorFactors {
  int count = 0;
  std::function<const Field&(int)> phi, chi;
};

/// [channel][momentum][t]. Time and memory grow with the square of `count`. Collective; the same bits on any
/// process grid.
Correlators all_to_all_mesons(const SharedLattice& lattice, const PropagatorFactors& factors,
                              const std::vector<MesonChannel>& channels,
                              const std::vector<Momentum>& momenta);

}  // namespace plaq
