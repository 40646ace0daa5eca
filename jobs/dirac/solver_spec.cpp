#include "jobs/dirac/solver_spec.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "solvers/krylov/make_method.hpp"

namespace plaq::jobs {
namespace {

// A cycle that takes off less is worth fewer iterations of BiCGstab than it costs.
constexpr double slowest_of_multigrid = 0.95;

std::string method_text(const SolverSpec& spec) {
  const std::string_view name = solver_method_names[static_cast<std::size_t>(spec.method)];
  if (spec.method == SolverMethod::gcr)
    return fmt::format("{}({}){}", name, spec.restart, spec.multigrid ? " with multigrid" : "");
  if (spec.method == SolverMethod::mr) return fmt::format("{}({:g})", name, spec.omega);
  if (!spec.modes) return std::string(name);
  return *spec.modes == 0 ? fmt::format("{} with deflation", name)
                          : fmt::format("{} with deflation({})", name, *spec.modes);
}

// The next precision up, which is the outer operator itself where it gets there.
LinkStorage one_higher(const LinkStorage& inner, const LinkStorage& outer) {
  const Precision next = inner.precision == Precision::half_precision ? Precision::single_precision
                                                                      : Precision::double_precision;
  return next == outer.precision ? outer : LinkStorage(next, inner.reals);
}

// The one below the outer precision.
LinkStorage one_lower(const LinkStorage& outer, int reals) {
  return {outer.precision == Precision::double_precision ? Precision::single_precision
                                                         : Precision::half_precision,
          reals};
}

}  // namespace

std::string name_of(const LinkStorage& storage) {
  return fmt::format("{} {}", name_of(storage.precision), storage.reals);
}

std::string name_of(const SolverSpec& spec) {
  const std::string method = method_text(spec), outer = name_of(spec.outer);
  if (spec.scheme == MixedScheme::none) return fmt::format("{}, {}", method, outer);
  const double number = spec.scheme == MixedScheme::reliable_updates ? spec.delta : inner_tolerance_of(spec);
  return fmt::format("{}, {} in {}, {} {:g}", method, name_of(spec.inner), outer, name_of(spec.scheme),
                     number);
}

double inner_tolerance_of(const SolverSpec& spec) {
  return spec.inner_tolerance.value_or(spec.inner.precision == Precision::half_precision ? 0.1 : 1e-4);
}

SolverSpec with_multigrid(SolverSpec spec, const MultigridSpec& multigrid) {
  spec.multigrid = multigrid;
  spec.method = SolverMethod::gcr;
  spec.preconditioning = Preconditioning::even_odd_asymmetric;
  if (spec.scheme == MixedScheme::reliable_updates) spec.scheme = MixedScheme::defect_correction;
  return spec;
}

const LinkStorage& iterated_storage(const SolverSpec& spec) {
  return spec.scheme == MixedScheme::none ? spec.outer : spec.inner;
}

bool has_temporal_gauge(const SolverSpec& spec) {
  return spec.temporal_gauge && !spec.multigrid && spec.scheme != MixedScheme::none &&
         spec.inner.reals != 8 && bytes_of(spec.inner.precision) < bytes_of(spec.outer.precision);
}

bool has_short_halo(const SolverSpec& spec) {
  return spec.short_halo && spec.scheme != MixedScheme::none && spec.inner != spec.outer &&
         spec.inner.precision != Precision::double_precision;
}

std::vector<SolverSpec> attempts_of(const SolverSpec& spec) {
  std::vector<SolverSpec> chain{spec};
  if (!spec.fallback) return chain;
  if (spec.multigrid) {
    SolverSpec without = spec;
    without.multigrid.reset();
    without.method = SolverMethod::bicgstab;
    if (without.scheme != MixedScheme::none) without.scheme = MixedScheme::reliable_updates;
    const auto rest = attempts_of(without);
    chain.insert(chain.end(), rest.begin(), rest.end());
    return chain;
  }
  const auto then = [&](SolverSpec next) {
    if (std::find(chain.begin(), chain.end(), next) == chain.end()) chain.push_back(next);
  };
  if (spec.scheme != MixedScheme::none) {
    SolverSpec next = spec;
    next.scheme = MixedScheme::reliable_updates;
    while (next.inner.precision != next.outer.precision) {
      next.inner = one_higher(next.inner, next.outer);
      then(next);
    }
    next.scheme = MixedScheme::defect_correction;
    next.inner = one_lower(spec.outer, spec.inner.reals);
    then(next);
  }
  SolverSpec last = spec;
  last.method = SolverMethod::cg;
  last.scheme = MixedScheme::none;
  then(last);
  return chain;
}

MethodSettings settings_of(const SolverSpec& spec) {
  MethodSettings settings;
  settings.restart_length = spec.restart;
  settings.omega = spec.omega;
  settings.delta = spec.delta;
  settings.inner_tolerance = inner_tolerance_of(spec);
  if (spec.multigrid) settings.slowest_reduction = slowest_of_multigrid;
  return settings;
}

std::unique_ptr<KrylovMethod> make_method(const SolverSpec& spec, LinearOperator& a, int batch,
                                          const MethodSettings& settings) {
  return plaq::make_method(solver_method_names[static_cast<std::size_t>(spec.method)], a, batch, settings);
}

}  // namespace plaq::jobs
