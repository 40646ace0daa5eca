// Modes of the Laplacian in space: distillation smears quarks with them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "plaq/gauge_field.hpp"
#include "plaq/low_modes.hpp"
#include "plaq/spinor_field.hpp"
#include "quarks/distillation/laplacian_mode_settings.hpp"

namespace plaq {

/// The lowest eigenvectors v_i(t) of minus the covariant Laplacian in space on each time slice t (Peardon et
/// al., Phys. Rev. D 80 (2009) 054506). They have norm 1 on their slice. The phase of each is such that color
/// 0 at the site (0, 0, 0) of the slice is real and not negative. Copies are cheap and mean the same modes.
class LaplacianModes {
 public:
  int count() const;  ///< number of modes of each time slice
  /// Eigenvalues of a time slice, in ascending order. Throws Error(usage) if there is no such slice.
  std::vector<double> values(int t) const;
  /// Bounds of |A v - value v| of the modes of a time slice, before they were stored in a file.
  std::vector<double> bounds(int t) const;
  /// Applications of the operator to a block that the search took; 0 for modes that were read.
  std::int64_t applications() const;
  const Lattice& lattice() const;  ///< lattice of the modes
  /// Modes `i` of all time slices: one color vector in double precision, a SpinorField with spins 1. Throws
  /// Error(usage) if there is no such mode.
  SpinorField mode(int i) const;

  struct Parts;  ///< for the classes of plaq
  /// For the classes of plaq.
  explicit LaplacianModes(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}
  const Parts& parts() const { return *parts_; }  ///< for the classes of plaq

 private:
  std::shared_ptr<const Parts> parts_;
};

/// Finds the lowest modes on each time slice of a gauge field, which is smeared first as a rule: smeared().
/// Bits do not depend on the process grid. Throws Error(usage) if the settings are out of range, and
/// Error(not_converged) if a mode misses the tolerance.
LaplacianModes laplacian_modes(const GaugeField& gauge, const LaplacianModeSettings& settings = {});

/// Writes modes with everything that tells their operator from others. The bytes do not depend on the process
/// grid. Throws Error(usage) or Error(output_file).
void write_laplacian_modes(const LaplacianModes& modes, const std::string& path,
                           const WriteLowModesSettings& settings = {});
/// Reads modes of any gauge field on this lattice. Throws Error(input_file) if anything is wrong with the
/// file.
LaplacianModes read_laplacian_modes(const std::string& path, const Lattice& lattice);
/// Says what tells the operator of the modes from that of a gauge field and settings: "boundary 1 1 1 in the
/// file, 1 1 -1 here; ..."; empty if nothing does. Collective.
std::string differences(const LaplacianModes& modes, const GaugeField& gauge,
                        const LaplacianModeSettings& settings = {});

}  // namespace plaq
