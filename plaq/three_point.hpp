// Three-point functions of local currents between a source and a sink.
#pragma once

#include <string>
#include <vector>

#include "observables/quark/three_point_settings.hpp"
#include "plaq/dirac_solver.hpp"
#include "plaq/gauge_field.hpp"
#include "plaq/smearing.hpp"
#include "plaq/spinor_field.hpp"

namespace plaq {

/// Names of the currents J = qbar Gamma q in the order of ThreePointFunctions::values: scalar, and all
/// components of vector, axial and tensor, as "vector_t".
std::vector<std::string> current_names();

/// C3(q, t) = sum_x,y exp(-i p' (x - x_source) - i q (y - x_source)) <sink(x) J(y, t) source>, connected,
/// with the sink at momentum p' = settings.sink_momentum and settings.sink_time slices behind the source: the
/// source's hadron has momentum p' + q. One result for each insertion, or with settings.sink_times one for
/// each insertion and sink time, in the order of the insertions. It solves for a sequential propagator
/// through the sink (Martinelli, Sachrajda, Nucl. Phys. B 316 (1989) 355) for each of them. Currents are
/// local and bare, and there is no volume factor. The boundary's sign in time is taken out of those of the
/// proton.
///
/// settings.bilinears adds point-split operators: the conserved vector current of Wilson and clover quarks,
/// vector and axial currents of domain walls, covariant derivatives and Wilson lines
/// (observables/quark/bilinears.hpp). Their momentum counts from the site of the antiquark, and conserved
/// currents lie on the link from there.
///
/// `quark` is a propagator of quarks with spin, before any smearing at its sink, whose note has the position
/// of its source. It serves as all quarks of the pion or proton. Its source and the sink have the same
/// interpolator if `sink` is the smearing of its source. Throws Error(usage) if the quark and the solver do
/// not belong together or the settings are out of range, and Error(not_converged).
/// @param sink  smearing of the sink; null: a point sink
/// @param solver  solver of the sequential propagators
/// @param quark  propagator from the source
/// @param settings  insertions, sink times and momenta
/// @param links  links of derivatives and Wilson lines; null: those of the action
/// @param current  current field of the quark (DiracSolver::propagator()), for conserved currents of domain
///   walls
std::vector<ThreePointFunctions> three_point(DiracSolver& solver, const Propagator& quark,
                                             const ThreePointSettings& settings, QuarkSmearer* sink = nullptr,
                                             const GaugeField* links = nullptr,
                                             const SpinorField* current = nullptr);

/// Names of the Gamma of derivatives and Wilson lines in their order: those of current_names() and
/// "pseudoscalar".
std::vector<std::string> bilinear_names();

/// Place of the sink of a sequential propagator.
struct SinkSettings {
  int time = 0;            ///< time slices from source to sink, at least 1
  Momentum momentum = {};  ///< p' of the sink, integers n
};

/// Source b of the sequential propagator psi of an insertion, M psi = b, with its 12 columns. By psi any
/// operator on a quark line can be put between source and sink: qbar(y) Gamma (O q)(y) has
///   C3 = sum_y exp(-i q (y - x_source)) tr[psi(y)^dagger gamma5 Gamma (O S)(y)],
/// which is meson(O S, psi, {Gamma, gamma5}, {.momentum = q}). If O is 1, the numbers are those of
/// three_point(). The boundary's sign in time is taken out of sources of the proton. Arguments and errors are
/// those of three_point(). Collective.
/// @param quark  propagator from the source, before any smearing at its sink
/// @param insertion  quark of the pion or proton on which the operator acts
/// @param at  time and momentum of the sink
/// @param sink  smearing of the sink; null: a point sink
SpinorField sequential_source(const Propagator& quark, Insertion insertion, const SinkSettings& at,
                              QuarkSmearer* sink = nullptr);

}  // namespace plaq
