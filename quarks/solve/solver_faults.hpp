// Solver settings that do not fit an action.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/system/parameter_fault.hpp"
#include "quarks/solve/solver_settings.hpp"

namespace plaq {

class Action;

/// Settings that do not fit the action: parameters are members, such as "inner.reals". The ranges of numbers
/// are those of the keys of [solver] (settings/solver/solver_table.hpp).
std::vector<ParameterFault> faults_of(const SolverSettings& settings, const Action& action);
/// Why an action has no even-odd form of this kind; none: it has.
std::optional<std::string> fault_of_form(Preconditioning form, const Action& action);
/// Faults of settings whose solves low modes deflate: multigrid, a method other
/// than cg and cgne, no even-odd form.
std::vector<ParameterFault> faults_of_deflation(const SolverSettings& settings);

}  // namespace plaq
