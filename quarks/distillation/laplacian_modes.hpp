// Modes of the Laplacian in space of a gauge field, for distillation.
#pragma once

#include <vector>

#include "comms/start/shared_lattice.hpp"
#include "core/field/field.hpp"
#include "io/gauge/gauge_file_info.hpp"
#include "io/laplacian_modes/laplacian_mode_info.hpp"
#include "kernels/gauge/link_copies.hpp"
#include "quarks/distillation/laplacian_mode_settings.hpp"
#include "quarks/distillation/slice_lanczos.hpp"

namespace plaq {

struct FoundLaplacianModes {
  SliceLanczosReport report;
  // Spinors on both parities in double precision at the location of the lattice: mode 4 i + s of a time slice
  // is spin s of subfield i (kernels/quark/color_vectors.hpp). Each has its phase by fix_phases().
  Field modes;
};

// Finds the lowest modes on each time slice, in double precision. `links`: smeared or not, without halo.
// Collective; the same bits on any process grid. Throws Error(job_file) for settings that are impossible on
// the lattice, Error(not_converged) if the modes of a slice miss the tolerance.
FoundLaplacianModes find_laplacian_modes(const SharedLattice& lattice, const Field& links,
                                         const LaplacianModeSettings& settings);

// The operator of such modes, as their files have it (io/laplacian_modes/laplacian_mode_info.hpp).
std::vector<HeaderEntry> operator_entries(const LaplacianModeSettings& settings);
// Description of the modes for a file; `links`: those that they were found on. Collective.
LaplacianModeInfo info_of(const ProcessGrid& grid, const FoundLaplacianModes& found, const Field& links,
                          const LaplacianModeSettings& settings);
// The boundary signs in space that such entries have; 1 where they have none.
SpaceSigns boundary_of(const std::vector<HeaderEntry>& operator_entries);

}  // namespace plaq
