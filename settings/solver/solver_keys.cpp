#include "settings/solver/solver_table.hpp"

#include "settings/solver/field_files.hpp"

namespace plaq::settings {

SolverSettings given_solver(const Settings& settings) {
  auto spec = settings.get<SolverSettings>();
  if (spec.multigrid) spec.multigrid = settings.get<MultigridOptions>();
  if (!settings.get<DeflationFiles>().directory.empty()) spec.modes = spec.modes.value_or(0);
  return spec;
}

SolverSettings solver_settings(const Settings& settings, Location location) {
  return resolved(given_solver(settings), *action_of_any_mass(settings), location);
}

SolverSettings solver_settings(const Settings& settings, Location location, double right_hand_sides) {
  SolverSettings spec = solver_settings(settings, location);
  if (spec.multigrid) spec.multigrid->solves = right_hand_sides;
  return spec;
}

SetupPaths paths_of_solver(const Settings& settings, const std::vector<std::string>& gauge_files,
                           const std::string& gauge_file) {
  SetupPaths paths = setup_paths(settings, gauge_files, gauge_file);
  const std::string& modes = settings.get<DeflationFiles>().directory;
  if (!modes.empty()) paths.modes = field_file(modes, gauge_file, modes_ending);
  return paths;
}

Attributes solver_attributes(const SolverSettings& spec) {
  const auto text = [](std::string_view name) { return std::string(name); };
  Attributes a = {
      {"method", text(solver_method_names[static_cast<std::size_t>(method_of(spec))])},
      {"solver", name_of(spec)},
      {"preconditioning", text(preconditioning_names[static_cast<std::size_t>(spec.preconditioning)])},
      {"storage", name_of(spec.outer)},
      {"scheme", text(name_of(spec.scheme))},
      {"tolerance", spec.tolerance}};
  if (spec.slice_tolerance) a.emplace_back("slice_tolerance", *spec.slice_tolerance);
  if (spec.scheme != MixedScheme::none) a.emplace_back("inner_storage", name_of(inner_storage(spec)));
  if (spec.modes) a.emplace_back("deflation", text(*spec.modes == 0 ? "all modes" : "lowest modes"));
  if (spec.multigrid) a.emplace_back("preconditioner", text("multigrid"));
  if (spec.multigrid && spec.multigrid->local_smoother)
    a.emplace_back("smoother", std::string("of each rank alone"));
  if (has_short_halo(spec)) a.emplace_back("halo_precision", std::string("half"));
  return a;
}

}  // namespace plaq::settings
