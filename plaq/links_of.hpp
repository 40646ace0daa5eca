// Links for Dirac operators on a GaugeField, and notes of the quark fields that they act on.
#pragma once

#include "plaq/gauge_field.hpp"
#include "plaq/spinor_field.hpp"
#include "quarks/action/action.hpp"
#include "quarks/action/fermion_links.hpp"

namespace plaq {

/// The links of `gauge` as operators want them; the lattice of `gauge` must outlive them.
FermionLinks links_of(const GaugeField& gauge);
/// Note of a solution, from its action, gauge field and source.
PropagatorNote note_of_solution(const Action& action, const GaugeField& gauge, const PropagatorNote& source);

}  // namespace plaq
