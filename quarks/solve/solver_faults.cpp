#include "quarks/solve/solver_faults.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/operator/active_set.hpp"
#include "quarks/action/action.hpp"

namespace plaq {
namespace {

using Fault = std::optional<ParameterFault>;

Fault fault_of_reals(const char* name, int reals) {
  if (reals == 18 || reals == 12 || reals == 8) return std::nullopt;
  return ParameterFault{name, fmt::format("links have 18, 12 or 8 reals, not {}", reals)};
}

Fault fault_of_storage(const SolverSettings& s) {
  if (s.outer.precision != Precision::double_precision && s.outer.precision != Precision::single_precision)
    return ParameterFault{"outer", "the precision is double or single"};
  if (auto fault = fault_of_reals("outer", s.outer.reals)) return fault;
  if (auto fault = fault_of_reals("inner", s.inner.reals)) return fault;
  if (s.inner.precision == Precision::quarter_precision)
    return ParameterFault{"inner", "the precision is double, single or half"};
  return std::nullopt;
}

Fault fault_of_numbers(const SolverSettings& s) {
  const auto fault = [](const char* name, double found, const char* wanted) {
    return ParameterFault{name, fmt::format("found {}, must be {}", found, wanted)};
  };
  if (!(s.tolerance > 0 && s.tolerance < 1)) return fault("tolerance", s.tolerance, "between 0 and 1");
  if (s.slice_tolerance && !(*s.slice_tolerance > 0 && std::isfinite(*s.slice_tolerance)))
    return fault("slice_tolerance", *s.slice_tolerance, "positive");
  if (s.max_iterations < 1) return fault("max_iterations", s.max_iterations, "at least 1");
  if (!(s.delta > 0 && s.delta < 1)) return fault("delta", s.delta, "between 0 and 1");
  if (s.inner_tolerance && !(*s.inner_tolerance > 0 && *s.inner_tolerance < 1))
    return fault("inner_tolerance", *s.inner_tolerance, "between 0 and 1");
  if (s.restart < 1) return fault("restart", s.restart, "at least 1");
  if (!(s.omega > 0 && s.omega < 2)) return fault("omega", s.omega, "between 0 and 2");
  if (s.modes && *s.modes < 0) return fault("modes", *s.modes, "not negative");
  return std::nullopt;
}

Fault fault_of_multigrid(const SolverSettings& s, const Action& action) {
  if (!s.multigrid) return std::nullopt;
  if (!action.has_multigrid())
    return ParameterFault{"multigrid",
                          fmt::format("is of Wilson and clover quarks, not of {} ones", action.name())};
  if (s.method && *s.method != SolverMethod::gcr)
    return ParameterFault{"method", "multigrid is a preconditioner of gcr"};
  if (s.preconditioning == Preconditioning::none)
    return ParameterFault{"preconditioning", "multigrid works on the even sites alone"};
  return std::nullopt;
}

}  // namespace

std::optional<ParameterFault> fault_of_columns(const SolverSettings& settings, const Action& action) {
  if (!settings.columns) return std::nullopt;
  const int together = *settings.columns, columns = action.columns(), slices = action.slices();
  if (together < 1 || columns % together != 0)
    return ParameterFault{
        "columns", fmt::format("{} columns of a source cannot be solved {} at a time", columns, together)};
  if (together * slices > ActiveSet::capacity)
    return ParameterFault{"columns", fmt::format("{} with {} slices each are more than {}", together, slices,
                                                 ActiveSet::capacity)};
  return std::nullopt;
}

std::vector<ParameterFault> faults_of_deflation(const SolverSettings& settings) {
  std::vector<ParameterFault> faults;
  if (settings.multigrid) faults.push_back({"multigrid", "multigrid is there as well; take one of them"});
  const SolverMethod method = settings.method.value_or(SolverMethod::cg);
  if (method != SolverMethod::cg && method != SolverMethod::cgne)
    faults.push_back({"method", "is of method = \"cg\" and \"cgne\""});
  if (settings.preconditioning == Preconditioning::none)
    faults.push_back(
        {"preconditioning", "eigenvectors are of an even-odd form; preconditioning = \"none\" has none"});
  return faults;
}

std::optional<ParameterFault> fault_of(const SolverSettings& settings, const Action& action) {
  if (auto fault = fault_of_storage(settings)) return fault;
  if (auto fault = fault_of_numbers(settings)) return fault;
  if (settings.preconditioning == Preconditioning::even_odd_asymmetric && !action.has_asymmetric_form())
    return ParameterFault{
        "preconditioning",
        fmt::format("the asymmetric form is of Wilson and clover quarks, not of {} ones", action.name())};
  if (auto fault = fault_of_multigrid(settings, action)) return fault;
  return fault_of_columns(settings, action);
}

}  // namespace plaq
