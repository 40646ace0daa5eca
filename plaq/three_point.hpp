// Three-point functions of local currents between a source and a sink.
#pragma once

#include <string>
#include <vector>

#include "observables/quark/three_point_settings.hpp"
#include "plaq/dirac_solver.hpp"
#include "plaq/smearing.hpp"
#include "plaq/spinor_field.hpp"

namespace plaq {

/// Names of the currents J = qbar Gamma q in the order of ThreePointFunctions::values: scalar, and all
/// components of vector, axial and tensor, as "vector_t".
std::vector<std::string> current_names();

/// C3(q, t) = sum_y exp(-i q (y - x_source)) <sink J(y, t) source>, connected, with the sink at momentum 0
/// and settings.sink_time slices behind the source; one result for each insertion. It solves for a sequential
/// propagator through the sink (Martinelli, Sachrajda, Nucl. Phys. B 316 (1989) 355) for each insertion.
/// Currents are local and bare, and there is no volume factor. The boundary's sign in time is
/// taken out of those of the proton.
///
/// `quark` is a propagator of quarks with spin, before any smearing at its sink, whose note has the position
/// of its source. It serves as all quarks of the pion or proton. Its source and the sink have the same
/// interpolator if `sink` is the smearing of its source. Throws Error(usage) if the quark and the solver do
/// not belong together or the settings are out of range, and Error(not_converged).
/// @param sink  smearing of the sink; null: a point sink
/// @param solver  solver of the sequential propagators
/// @param quark  propagator from the source
/// @param settings  insertions, sink time and momenta
std::vector<ThreePointFunctions> three_point(DiracSolver& solver, const Propagator& quark,
                                             const ThreePointSettings& settings,
                                             QuarkSmearer* sink = nullptr);

}  // namespace plaq
