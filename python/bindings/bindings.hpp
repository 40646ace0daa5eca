// The parts of the extension module, one function for each source file here, and the keys of functions that
// have schemas of job files.
#pragma once

#include <nanobind/nanobind.h>

#include "settings/schema/schema.hpp"

namespace plaq::python {

/// Makes plaq's Error an exception of the class of plaq/errors.py with its exit code.
void translate_errors();

/// The commands of the program, as functions.
void bind_commands(nanobind::module_& module);
/// module.keyword_lists(): {"Clover": [(name, annotation, default), ...], ...}, texts as Python has them;
/// {"table": ...} for dicts of keys. Methods are "GaugeField.smear".
void bind_keyword_lists(nanobind::module_& module);
/// Generation of quenched gauge fields.
void bind_heatbath(nanobind::module_& module);
/// Hybrid Monte Carlo. Call it after the class GaugeField is bound.
void bind_hmc(nanobind::module_& module);
/// The keys of HMC(): those of [gauge], [action], [action_smearing], [hmc], [rational], [solver] and
/// [multigrid] of hmc jobs.
const settings::Schema& hmc_schema();
/// shift(), covariant_shift(), covariant_derivative() and path_product().
void bind_neighbours(nanobind::module_& module);
/// fft() and Lattice.with_halo(). Call it after the classes Lattice, QuarkField
/// and GaugeTransformation are bound.
void bind_site_arrays(nanobind::module_& module);
/// Gluon and ghost propagators and Wilson loops.
void bind_gluon(nanobind::module_& module);
/// Linear operators from and for Python, and Krylov methods on them.
void bind_operators(nanobind::module_& module);
/// Two-point functions of quark fields.
void bind_contractions(nanobind::module_& module);
/// Perambulators and elementals.
void bind_distillation(nanobind::module_& module);
/// Low modes of Dirac operators.
void bind_laplacian_modes(nanobind::module_& module);
void bind_low_modes(nanobind::module_& module);
/// Three-point functions and the sources of their sequential propagators.
void bind_three_point(nanobind::module_& module);
/// Vertices of bilinears and four-quark operators in momentum space.
void bind_vertices(nanobind::module_& module);
/// Quark loops, mesons with tastes, residual masses and the quark propagator in momentum space.
void bind_quark_observables(nanobind::module_& module);

const settings::Schema& gluon_schema();
const settings::Schema& ghost_schema();
const settings::Schema& wilson_loops_schema();
/// The keys of laplacian_modes().
const settings::Schema& laplacian_modes_schema();
/// The keys of low_modes(), beside those of the operator.
const settings::Schema& low_modes_schema();
const settings::Schema& three_point_schema();
const settings::Schema& quark_loops_schema();
const settings::Schema& quark_propagator_schema();

}  // namespace plaq::python
