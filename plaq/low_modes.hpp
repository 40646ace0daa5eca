// Low modes of Dirac operators: they deflate solves.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "plaq/actions.hpp"
#include "plaq/gauge_field.hpp"
#include "plaq/linear_operator.hpp"
#include "plaq/spinor_field.hpp"
#include "quarks/solve/solver_settings.hpp"

namespace plaq {

/// The lowest eigenvectors v_i of S^dagger S, or of S itself if it is Hermitian and positive as for staggered
/// quarks. S is the operator on the even sites: the symmetric or the asymmetric Schur complement of M. Copies
/// are cheap and mean the same modes.
class LowModes {
 public:
  int count() const;                          ///< number of modes
  const std::vector<double>& values() const;  ///< eigenvalues in ascending order
  /// Bounds of |A v - value v| of modes with norm 1, before they are stored in single precision.
  const std::vector<double>& bounds() const;
  /// Applications of the operator that the search took; 0 for modes that were read.
  std::int64_t applications() const;
  const Lattice& lattice() const;  ///< lattice of the modes
  /// Copy of a mode in double precision, 0 on odd sites. In five dimensions it has all slices. Throws
  /// Error(usage) if there is no such mode.
  SpinorField mode(int i) const;

  struct Parts;  ///< for the classes of plaq
  /// For the classes of plaq.
  explicit LowModes(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}
  const Parts& parts() const { return *parts_; }  ///< for the classes of plaq

 private:
  std::shared_ptr<const Parts> parts_;
};

/// Finds the lowest modes on a gauge field by Lanczos with thick restarts (Wu, Simon, SIAM J. Matrix Anal.
/// Appl. 22 (2000) 602) in double precision. Bits do not depend on the process grid. `form` is the
/// preconditioning of the solves that the modes deflate. Throws Error(usage) if the settings are out of
/// range, and Error(not_converged) if a mode misses the tolerance.
/// @param action  action of the quarks
/// @param gauge  links of the operator
/// @param settings  number of modes, tolerance and search
/// @param form  even-odd form of the operator
LowModes low_modes(const ActionPtr& action, const GaugeField& gauge, const EigenvectorSettings& settings = {},
                   Preconditioning form = Preconditioning::even_odd);
/// Low modes as above of the M of an operator.
LowModes low_modes(const DiracOperator& m, const EigenvectorSettings& settings = {},
                   Preconditioning form = Preconditioning::even_odd);

/// Settings of write_low_modes().
struct WriteLowModesSettings {
  /// Single precision, or half: 16-bit integers with a scale for each site and mode.
  Precision precision = Precision::single_precision;
  bool overwrite = false;  ///< replaces an older file, whole or not at all
};
/// Writes modes with all that tells their operator from others, as DiracSolver (SetupPaths::modes) and job
/// files read them. The bytes do not depend on the process grid. Throws Error(usage) or Error(output_file).
void write_low_modes(const LowModes& modes, const std::string& path,
                     const WriteLowModesSettings& settings = {});
/// Reads modes of any operator on this lattice. Throws Error(input_file) if anything is wrong with the file.
LowModes read_low_modes(const std::string& path, const Lattice& lattice);

}  // namespace plaq
