// All of plaq for programs in C++.
#pragma once

#include "core/system/error.hpp"
#include "plaq/action_term.hpp"
#include "plaq/actions.hpp"
#include "plaq/color_matrix_field.hpp"
#include "plaq/correlators.hpp"
#include "plaq/dirac_solver.hpp"
#include "plaq/fourier.hpp"
#include "plaq/gauge_field.hpp"
#include "plaq/gauge_fixing.hpp"
#include "plaq/gauge_observables.hpp"
#include "plaq/gluon.hpp"
#include "plaq/heatbath.hpp"
#include "plaq/hmc.hpp"
#include "plaq/host_field.hpp"
#include "plaq/lattice.hpp"
#include "plaq/linear_operator.hpp"
#include "plaq/low_modes.hpp"
#include "plaq/matrix.hpp"
#include "plaq/quark_loops.hpp"
#include "plaq/quark_propagator.hpp"
#include "plaq/residual_mass.hpp"
#include "plaq/session.hpp"
#include "plaq/shift.hpp"
#include "plaq/smearing.hpp"
#include "plaq/spinor_field.hpp"
#include "plaq/stored_propagators.hpp"
#include "plaq/three_point.hpp"
#include "plaq/vertices.hpp"

/// Everything of plaq.
namespace plaq {}
