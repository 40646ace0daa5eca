#include "quarks/distillation/laplacian_modes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/machine.hpp"
#include "core/system/runs_dry.hpp"
#include "io/gauge/link_sum.hpp"
#include "kernels/quark/spatial_laplacian.hpp"
#include "quarks/distillation/mode_phases.hpp"

namespace plaq {
namespace {

void expect_all_slices(const SliceLanczosReport& report, const LaplacianModeSettings& settings) {
  if (runs_dry() || report.all_converged()) return;
  const auto left = std::count(report.converged.begin(), report.converged.end(), 0);
  const auto first = std::find(report.converged.begin(), report.converged.end(), 0);
  const auto t = static_cast<std::size_t>(first - report.converged.begin());
  const auto& bounds = report.bounds[t];
  throw Error(ErrorKind::not_converged,
              fmt::format("the modes of the Laplacian miss the tolerance {:g} on {} of {} time slices after "
                          "{} applications to a block; on slice {} the largest bound is {:.3g}: allow more "
                          "applications, or take a larger basis",
                          settings.tolerance, left, report.converged.size(), report.applications, t,
                          bounds.empty() ? 0 : *std::max_element(bounds.begin(), bounds.end())));
}

}  // namespace

FoundLaplacianModes find_laplacian_modes(const SharedLattice& lattice, const Field& links,
                                         const LaplacianModeSettings& settings) {
  if (const int slices = links.geometry().global()[3]; settings.modes > most_modes_of_slices / slices)
    throw Error(ErrorKind::job_file,
                fmt::format("{} modes of each of {} time slices: there are at most {} of all slices",
                            settings.modes, slices, most_modes_of_slices));
  const MemoryName name("modes of the Laplacian");
  SpatialLaplacian laplacian(*lattice.grid, links, settings.boundary, Precision::double_precision,
                             lattice.queue, lattice.transport);
  SliceLanczosParameters parameters;
  parameters.modes = settings.modes;
  parameters.tolerance = settings.tolerance;
  parameters.filter_degree = settings.filter_degree;
  parameters.basis = settings.basis.value_or(0);
  parameters.block = settings.block;
  parameters.max_applications = settings.max_applications;
  parameters.seed = static_cast<std::uint64_t>(settings.seed);
  FoundLaplacianModes found;
  {
    SliceLanczos lanczos(laplacian, *lattice.grid, SpatialLaplacian::largest_eigenvalue, parameters);
    found.report = lanczos.run();
    found.modes = lanczos.modes();
  }
  expect_all_slices(found.report, settings);
  fix_phases(found.modes, *lattice.grid, lattice.queue);
  found.modes.touch();
  return found;
}

std::vector<HeaderEntry> operator_entries(const LaplacianModeSettings& settings) {
  return {{"type", "laplacian"}, {"boundary", fmt::format("{}", fmt::join(settings.boundary, " "))}};
}

LaplacianModeInfo info_of(const ProcessGrid& grid, const FoundLaplacianModes& found, const Field& links,
                          const LaplacianModeSettings& settings) {
  LaplacianModeInfo info;
  info.plaq_version = version();
  info.operator_entries = operator_entries(settings);
  info.links = checksum_of_any_links(grid, links);
  for (const auto& slice : found.report.values)
    info.values.insert(info.values.end(), slice.begin(), slice.end());
  for (const auto& slice : found.report.bounds)
    info.bounds.insert(info.bounds.end(), slice.begin(), slice.end());
  return info;
}

SpaceSigns boundary_of(const std::vector<HeaderEntry>& operator_entries) {
  SpaceSigns signs = periodic_in_space;
  for (const HeaderEntry& entry : operator_entries) {
    if (entry.key != "boundary") continue;
    std::istringstream text(entry.value);
    for (int& sign : signs) text >> sign;
  }
  return signs;
}

}  // namespace plaq
