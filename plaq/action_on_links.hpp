// An action on the links of a gauge field: what Dirac operators and solvers are made of.
#pragma once

#include <string>

#include "observables/quark/propagator_note.hpp"
#include "plaq/gauge_field.hpp"
#include "quarks/action/action.hpp"

namespace plaq {

/// The links are copies: changes of the gauge field do not reach them.
struct ActionOnLinks {
  Lattice lattice;
  ActionPtr action;
  FermionLinks links;
  PropagatorNote note;     // of solutions, but for their sources
  std::string gauge_path;  // of the file of the gauge field; empty: none
};

/// Collective. Throws Error(usage) if there is no action.
ActionOnLinks action_on_links(ActionPtr action, const GaugeField& gauge, const ActionSmearing& smearing);

/// Note of quarks of an action on a gauge field, but for their sources.
PropagatorNote note_of_quarks(const Action& action, const GaugeField& gauge);
/// Note of a solution, from that of its source. Throws Error(usage) if the source is known not to belong to
/// the action's boundary in space.
PropagatorNote note_of_solution(const ActionOnLinks& on, const PropagatorNote& source);

}  // namespace plaq
