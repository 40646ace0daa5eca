// Mesons of staggered quarks with any spin and taste.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "plaq/correlators.hpp"
#include "plaq/dirac_solver.hpp"
#include "plaq/gauge_field.hpp"
#include "plaq/spinor_field.hpp"

namespace plaq {

/// C(p, t) of mesons of staggered quarks by name, for each momentum in their order. Names are SPIN-TASTE in
/// MILC's letters, such as "G5-G5X" and "GX-G1", or multiplets such as "pion_i5", the sum over x, y, z
/// (observables/quark/spin_taste.hpp lists them). observables/quark/taste_mesons.hpp has the formulas. Quarks
/// of source and sink are shifted along `links` where spin and taste differ. It solves for the source, and
/// again for each set of directions in which it is shifted. Throws Error(usage) if a name is unknown, if the
/// quarks have spin, or if the source is noise or at an unknown site, and Error(not_converged).
/// @param solver  solver of staggered quarks
/// @param links  links of the shifts, such as the gauge field itself
/// @param source  source of three columns at a point or on a wall of corners, whose note has its position
/// @param names  spins and tastes
/// @param momenta  integers n, p = 2 pi n / L
/// @param antiquark  propagator of the source with the antiquark's mass; null: that of the solver
std::map<std::string, std::vector<Correlator>> taste_mesons(DiracSolver& solver, const GaugeField& links,
                                                            const SpinorField& source,
                                                            const std::vector<std::string>& names,
                                                            const std::vector<Momentum>& momenta = {{}},
                                                            const Propagator* antiquark = nullptr);

}  // namespace plaq
