#include "quarks/solve/solver_settings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/operator/active_set.hpp"
#include "quarks/action/action.hpp"
#include "solvers/krylov/krylov_method.hpp"
#include "solvers/method_settings.hpp"

namespace plaq {
namespace {

// A cycle that takes off less is worth fewer iterations of BiCGstab than it costs.
constexpr double slowest_of_multigrid = 0.95;

std::string method_text(const SolverSettings& settings) {
  const SolverMethod method = method_of(settings);
  const std::string_view name = solver_method_names[static_cast<std::size_t>(method)];
  if (method == SolverMethod::gcr)
    return fmt::format("{}({}){}", name, settings.restart, settings.multigrid ? " with multigrid" : "");
  if (method == SolverMethod::mr) return fmt::format("{}({:g})", name, settings.omega);
  if (!settings.modes) return std::string(name);
  return *settings.modes == 0 ? fmt::format("{} with deflation", name)
                              : fmt::format("{} with deflation({})", name, *settings.modes);
}

// The next precision up, which is the outer operator itself where it gets there.
LinkStorage one_higher(const LinkStorage& inner, const LinkStorage& outer) {
  const Precision next = inner.precision == Precision::half_precision ? Precision::single_precision
                                                                      : Precision::double_precision;
  return next == outer.precision ? outer : LinkStorage(next, inner.reconstruction);
}

// The one below the outer precision.
LinkStorage one_lower(const LinkStorage& outer, int reconstruction) {
  return {outer.precision == Precision::double_precision ? Precision::single_precision
                                                         : Precision::half_precision,
          reconstruction};
}

}  // namespace

std::optional<ParameterFault> Approximation::fault() const {
  if (iterations && tolerance)
    return ParameterFault{"tolerance", "an approximation has iterations or a tolerance, not both"};
  if (modes && (iterations || tolerance))
    return ParameterFault{"modes", "an approximation by low modes has neither iterations nor a tolerance"};
  if (!iterations && !tolerance && !modes)
    return ParameterFault{"iterations", "is missing: an approximation has iterations, a tolerance or modes"};
  if (iterations && *iterations < 1)
    return ParameterFault{"iterations", fmt::format("found {}, at least 1 is expected", *iterations)};
  if (tolerance && !(*tolerance > 0 && *tolerance < 1))
    return ParameterFault{"tolerance",
                          fmt::format("found {:g}, a number between 0 and 1 is expected", *tolerance)};
  return std::nullopt;
}

std::optional<ParameterFault> Approximation::fault(const SolverSettings& settings) const {
  if (const auto own = fault()) return own;
  if (modes && !settings.modes)
    return ParameterFault{"modes", "an approximation by low modes needs a solver with deflation"};
  return std::nullopt;
}

std::string name_of(const LinkStorage& storage) {
  return fmt::format("{} {}", name_of(storage.precision), storage.reconstruction);
}

std::string name_of(const SolverSettings& settings) {
  const std::string method = method_text(settings), outer = name_of(settings.outer);
  if (settings.scheme == MixedScheme::none) return fmt::format("{}, {}", method, outer);
  const double number =
      settings.scheme == MixedScheme::reliable_updates ? settings.delta : inner_tolerance_of(settings);
  return fmt::format("{}, {} in {}, {} {:g}", method, name_of(inner_storage(settings)), outer,
                     name_of(settings.scheme), number);
}

SolverMethod method_of(const SolverSettings& settings) {
  return settings.method.value_or(settings.multigrid ? SolverMethod::gcr : SolverMethod::cg);
}

LinkStorage inner_storage(const SolverSettings& settings) {
  return {settings.inner.precision.value_or(Precision::single_precision), settings.inner.reconstruction};
}

SolverSettings resolved(const SolverSettings& settings, const Action& action, Location location) {
  SolverSettings found = settings.multigrid ? with_multigrid(settings, *settings.multigrid) : settings;
  found.method = method_of(settings);
  if (settings.multigrid && !action.has_asymmetric_form()) found.preconditioning = Preconditioning::even_odd;
  if (!action.has_compressed_links()) found.outer.reconstruction = found.inner.reconstruction = 18;
  if (settings.inner.precision) return found;
  found.inner.precision =
      location == Location::device ? Precision::half_precision : Precision::single_precision;
  if (found.inner.precision == found.outer.precision) found.scheme = MixedScheme::none;
  return found;
}

int columns_at_once(const SolverSettings& settings, int columns, int Ls) {
  if (settings.columns) return *settings.columns;
  int most = columns;
  while (columns % most != 0 || most * Ls > ActiveSet::capacity) --most;
  return most;
}

double inner_tolerance_of(const SolverSettings& settings) {
  return settings.inner_tolerance.value_or(settings.inner.precision == Precision::half_precision ? 0.1
                                                                                                 : 1e-4);
}

SolverSettings with_multigrid(SolverSettings settings, const MultigridOptions& multigrid) {
  settings.multigrid = multigrid;
  settings.method = SolverMethod::gcr;
  settings.preconditioning = Preconditioning::even_odd_asymmetric;
  if (settings.scheme == MixedScheme::reliable_updates) settings.scheme = MixedScheme::defect_correction;
  return settings;
}

LinkStorage iterated_storage(const SolverSettings& settings) {
  return settings.scheme == MixedScheme::none ? settings.outer : inner_storage(settings);
}

bool has_temporal_gauge(const SolverSettings& settings) {
  const LinkStorage inner = inner_storage(settings);
  return settings.temporal_gauge && !settings.multigrid && settings.scheme != MixedScheme::none &&
         inner.reconstruction != 8 && bytes_of(inner.precision) < bytes_of(settings.outer.precision);
}

bool has_short_halo(const SolverSettings& settings) {
  const LinkStorage inner = inner_storage(settings);
  return settings.short_halo && settings.scheme != MixedScheme::none && inner != settings.outer &&
         inner.precision != Precision::double_precision;
}

std::vector<SolverSettings> attempts_of(const SolverSettings& settings, const Action& action) {
  std::vector<SolverSettings> chain{settings};
  chain.front().method = method_of(settings);
  chain.front().inner = inner_storage(settings);
  if (!settings.fallback) return chain;
  if (settings.multigrid) {
    SolverSettings without = settings;
    without.multigrid.reset();
    without.method = action.has_asymmetric_form() ? SolverMethod::bicgstab : SolverMethod::cg;
    if (without.scheme != MixedScheme::none) without.scheme = MixedScheme::reliable_updates;
    const auto rest = attempts_of(without, action);
    chain.insert(chain.end(), rest.begin(), rest.end());
    return chain;
  }
  const auto then = [&](SolverSettings next) {
    if (std::find(chain.begin(), chain.end(), next) == chain.end()) chain.push_back(next);
  };
  if (settings.scheme != MixedScheme::none) {
    SolverSettings next = settings;
    next.scheme = MixedScheme::reliable_updates;
    while (inner_storage(next).precision != next.outer.precision) {
      next.inner = one_higher(inner_storage(next), next.outer);
      then(next);
    }
    next.scheme = MixedScheme::defect_correction;
    next.inner = one_lower(settings.outer, settings.inner.reconstruction);
    then(next);
  }
  SolverSettings last = settings;
  last.method = SolverMethod::cg;
  last.scheme = MixedScheme::none;
  then(last);
  return chain;
}

MethodSettings settings_of(const SolverSettings& settings) {
  MethodSettings of_method;
  of_method.restart_length = settings.restart;
  of_method.omega = settings.omega;
  of_method.delta = settings.delta;
  of_method.inner_tolerance = inner_tolerance_of(settings);
  if (settings.multigrid) of_method.slowest_reduction = slowest_of_multigrid;
  return of_method;
}

std::unique_ptr<KrylovMethod> make_method(const SolverSettings& settings, LinearOperator& a, int batch,
                                          const MethodSettings& of_method) {
  return make_method(solver_method_names[static_cast<std::size_t>(method_of(settings))], a, batch, of_method);
}

}  // namespace plaq
