// Quark loops of time slices by noise.
#pragma once

#include <string_view>
#include <vector>

#include "observables/quark/quark_loop_settings.hpp"
#include "plaq/dirac_solver.hpp"

namespace plaq {

/// One of all_loop_currents(): scalar, pseudoscalar, and all components of vector, axial and tensor, as
/// "axial_z". Throws Error(usage) for another name.
LoopCurrent loop_current(std::string_view name);

/// L(t) = sum_x exp(-i p x) tr[Gamma M^-1(x, x)] by noise vectors with dilution (Foley et al., Comput. Phys.
/// Commun. 172 (2005) 145); one result for each of settings.noise.vectors, each an estimate of its own. x
/// counts from the origin and t is that of the lattice. There is no sign of a closed loop and no volume
/// factor. Loops of staggered quarks have the current "scalar" alone. Each vector takes
/// settings.dilution.classes(spins) solves. The vectors are the first ones of a sequence, so that a few exact
/// ones correct many approximate ones of equal noise (settings.approximation). With settings.one_end the
/// loops are those of the difference of both flavours of a twisted-mass doublet.
/// Throws Error(usage) if the settings do not fit the lattice or the quarks, and Error(not_converged).
std::vector<QuarkLoop> quark_loops(DiracSolver& solver, const QuarkLoopSettings& settings = {});

/// Averages over noise vectors, [current][momentum][t]. Throws Error(usage) without any.
Correlators average(const std::vector<QuarkLoop>& loops);

}  // namespace plaq
