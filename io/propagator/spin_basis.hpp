// Between the spinors of propagator files and those of plaq: the DeGrand-Rossi basis, with M = 4 + m - D/2
// and projectors 1 - gamma_mu for hops forward.
//
// MILC has the same gamma matrices and projectors 1 + gamma_mu for hops forward (generic_wilson/dslash_w3.c
// there, isign = 1), so that S = gamma5 S_MILC gamma5, gamma5 = diag(1, 1, -1, -1).
//
// FNAL files have the basis of Canopy. MILC reads them by S_MILC = W F W^dagger, where the first index of
// both is the spin of the source and the second that of the sink, W = V P / sqrt(2), P exchanges spins 0, 1
// and 2, 3, and V has the rows (0, 1, 0, -i), (-1, 0, i, 0), (0, 1, 0, i), (-1, 0, -i, 0)
// (generic_wilson/canopy2weyl_rot.c there).
#pragma once

#include <span>

#include "io/propagator/propagator_info.hpp"

namespace plaq {

// Numbers of a site: [source spin][source color][sink spin][sink color][re, im].
using SitePropagator = std::span<double, 288>;

// True if a number of these spins is multiplied by -1 between MILC and plaq.
constexpr bool changes_sign_of_milc(int source_spin, int sink_spin) {
  return (source_spin < 2) != (sink_spin < 2);
}
void from_fnal(SitePropagator site);
void to_fnal(SitePropagator site);

}  // namespace plaq
