// Checks of SolverSettings that were filled in by hand.
#pragma once

#include <optional>
#include <vector>

#include "core/system/parameter_fault.hpp"
#include "quarks/solve/solver_settings.hpp"

namespace plaq {

class Action;

/// The first member that is out of range, or that does not fit the action or other members; none if the settings can be used.
std::optional<ParameterFault> fault_of(const SolverSettings& settings, const Action& action);
/// Fault of `columns`, which divides the columns of a source and fits into a batch.
std::optional<ParameterFault> fault_of_columns(const SolverSettings& settings, const Action& action);
/// Faults of settings whose solves low modes deflate: multigrid, a method other than cg and cgne, no even-odd form.
std::vector<ParameterFault> faults_of_deflation(const SolverSettings& settings);

}  // namespace plaq
