#include "jobs/dirac/dirac_keys.hpp"
#include "jobs/dirac/multigrid_keys.hpp"

#include "core/field/storages.hpp"
#include "jobs/dirac/field_files.hpp"
#include "jobs/dirac/setup_keys.hpp"

namespace plaq::jobs {
SolverSettings solver_settings(const JobFile& job, Location location) {
  auto spec = job.get<SolverSettings>();
  const auto keys = job.get<SolverKeys>();
  if (keys.multigrid) spec = with_multigrid(spec, multigrid_options(job));
  if (keys.method) spec.method = *keys.method;
  if (!keys.deflation.empty()) spec.modes = keys.modes.value_or(0);
  const std::string& inner = keys.inner_precision;
  const Precision automatic =
      location == Location::device ? Precision::half_precision : Precision::single_precision;
  spec.inner.precision = inner == "auto" ? automatic : precision_named(inner).value();
  // Default or not: a link of less reals is an error of the job file (check_links).
  if (!action_of_any_mass(job)->has_compressed_links()) spec.outer.reals = spec.inner.reals = 18;
  if (inner == "auto" && spec.inner.precision == spec.outer.precision) spec.scheme = MixedScheme::none;
  return spec;
}

SolverSettings solver_settings(const JobFile& job, Location location, double right_hand_sides) {
  SolverSettings settings = solver_settings(job, location);
  if (settings.multigrid) settings.multigrid->solves = right_hand_sides;
  return settings;
}

SetupPaths paths_of_solver(const JobFile& job, const std::vector<std::string>& gauge_files,
                           const std::string& gauge_file) {
  SetupPaths paths = setup_paths(job, gauge_files, gauge_file);
  const std::string& modes = job.get<SolverKeys>().deflation;
  if (!modes.empty()) paths.modes = field_file(modes, gauge_file, modes_ending);
  return paths;
}

Attributes solver_attributes(const SolverSettings& spec) {
  const auto text = [](std::string_view name) { return std::string(name); };
  Attributes a = {
      {"method", text(solver_method_names[static_cast<std::size_t>(spec.method)])},
      {"solver", name_of(spec)},
      {"preconditioning", text(preconditioning_names[static_cast<std::size_t>(spec.preconditioning)])},
      {"storage", name_of(spec.outer)},
      {"scheme", text(name_of(spec.scheme))},
      {"tolerance", spec.tolerance}};
  if (spec.slice_tolerance) a.emplace_back("slice_tolerance", *spec.slice_tolerance);
  if (spec.scheme != MixedScheme::none) a.emplace_back("inner_storage", name_of(spec.inner));
  if (spec.modes) a.emplace_back("deflation", text(*spec.modes == 0 ? "all modes" : "lowest modes"));
  if (spec.multigrid) a.emplace_back("preconditioner", text("multigrid"));
  if (has_short_halo(spec)) a.emplace_back("halo_precision", std::string("half"));
  return a;
}

}  // namespace plaq::jobs
