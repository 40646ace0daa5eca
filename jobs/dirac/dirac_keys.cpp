#include "jobs/dirac/dirac_keys.hpp"

#include <algorithm>
#include <iterator>

#include "core/system/error.hpp"
#include "jobs/common/storages.hpp"

namespace plaq::jobs {
namespace {

template <class Enum, std::size_t n>
Enum choice(const std::string& name, const std::string_view (&names)[n]) {
  const auto found = std::find(std::begin(names), std::end(names), name);
  require(found != std::end(names), "a job key has a choice that nothing stands for");
  return static_cast<Enum>(found - std::begin(names));
}

MixedScheme scheme_named(const std::string& name) {
  return name == "reliable" ? MixedScheme::reliable_updates
         : name == "defect" ? MixedScheme::defect_correction
                            : MixedScheme::none;
}

}  // namespace

Preconditioning preconditioning_named(const std::string& name) {
  return choice<Preconditioning>(name, preconditioning_names);
}

SolverSpec solver_spec(const JobFile& job, Location location) {
  SolverSpec spec;
  const auto count = [&](const char* key) { return static_cast<int>(job.integer("solver", key)); };
  spec.method = choice<SolverMethod>(job.string("solver", "method"), solver_method_names);
  spec.preconditioning = preconditioning_named(job.string("solver", "preconditioning"));
  spec.scheme = scheme_named(job.string("solver", "mixed"));
  spec.outer = {precision_named(job.string("solver", "precision")).value(), count("links")};
  const std::string& inner = job.string("solver", "inner_precision");
  const Precision automatic =
      location == Location::device ? Precision::half_precision : Precision::single_precision;
  spec.inner = {inner == "auto" ? automatic : precision_named(inner).value(), count("inner_links")};
  if (inner == "auto" && spec.inner.precision == spec.outer.precision) spec.scheme = MixedScheme::none;
  spec.delta = job.real("solver", "delta");
  spec.inner_tolerance = job.optional_real("solver", "inner_tolerance");
  spec.restart = count("restart");
  spec.omega = job.real("solver", "omega");
  spec.tolerance = job.real("solver", "tolerance");
  spec.max_iterations = count("max_iterations");
  spec.fallback = job.flag("solver", "fallback");
  spec.temporal_gauge = job.flag("solver", "temporal_gauge");
  spec.short_halo = job.string("solver", "halo_precision") == "half";
  return spec;
}

Attributes solver_attributes(const SolverSpec& spec) {
  const auto text = [](std::string_view name) { return std::string(name); };
  Attributes a = {
      {"method", text(solver_method_names[static_cast<std::size_t>(spec.method)])},
      {"solver", name_of(spec)},
      {"preconditioning", text(preconditioning_names[static_cast<std::size_t>(spec.preconditioning)])},
      {"storage", name_of(spec.outer)},
      {"scheme", text(name_of(spec.scheme))},
      {"tolerance", spec.tolerance}};
  if (spec.scheme != MixedScheme::none) a.emplace_back("inner_storage", name_of(spec.inner));
  if (has_short_halo(spec)) a.emplace_back("halo_precision", std::string("half"));
  return a;
}

}  // namespace plaq::jobs
