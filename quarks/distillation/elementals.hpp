// Elementals: operators of mesons and baryons between the modes of the Laplacian in space, on each time slice
// (Peardon et al., Phys. Rev. D 80 (2009) 054506). With p = 2 pi n / L and x from the origin of the lattice,
//   mesons   phi(t)_ij = sum_x exp(-i p x) v_i(x, t)^dagger [D v_j](x, t),
//   baryons  B(t)_ijk = sum_x exp(-i p x) eps_abc v_i^a v_j^b v_k^c (x, t),
// where D is 1 or a product of covariant derivatives in space (quarks/source/quark_derivative.hpp). The sums
// over x are exact, so that both have the same bits on any process grid.
#pragma once

#include <complex>
#include <vector>

#include "comms/start/shared_lattice.hpp"
#include "kernels/quark/momentum.hpp"
#include "quarks/distillation/slice_modes.hpp"
#include "quarks/source/quark_derivative.hpp"

namespace plaq {

// phi(t)_ij as [t][i][j]; empty where it is not kept. Collective.
//
// @param derivative  D; null: 1
// @param kept        whether this rank keeps the numbers
std::vector<std::complex<double>> meson_elemental(const SharedLattice& lattice, const SliceModes& modes,
                                                  const QuarkDerivative* derivative, const Momentum& n,
                                                  bool kept = true);

// B(t)_ijk as [t][i][j][k], antisymmetric to the last bit; empty where it is not kept. Collective.
std::vector<std::complex<double>> baryon_elemental(const SharedLattice& lattice, const SliceModes& modes,
                                                   const Momentum& n, bool kept = true);

}  // namespace plaq
