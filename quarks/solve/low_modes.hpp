// Low modes of a Dirac operator's even-odd form, as files keep them (io/eigenvectors/eigenvector_file.hpp),
// and what they deflate.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/gauge/gauge_file_info.hpp"
#include "quarks/action/action.hpp"
#include "quarks/operator/dirac_matrix.hpp"
#include "quarks/solve/solver_settings.hpp"
#include "solvers/eigen/lanczos.hpp"
#include "solvers/mixed/deflation.hpp"

namespace plaq {

/// Whose eigenvectors deflate: S^dagger S, or S itself if it is Hermitian and positive.
ModesOf modes_of(const Action& action);
/// EigenvectorInfo::operator_entries: all that tells such operators apart, apart from the links.
std::vector<HeaderEntry> operator_entries(const Action& action, Preconditioning form);
/// Entries with the checksum of clover_links, if there are any. Collective.
std::vector<HeaderEntry> operator_entries(const Action& action, Preconditioning form,
                                          const FermionLinks& links);

/// Low modes of a file. As many are taken as there are eigenvalues, from the first one on.
struct StoredLowModes {
  Field modes;                 // all of the file, on the even sites, single precision, where the links are
  std::vector<double> values;  // ascending
};

/// Reads low modes from a file. The errors are those of read_deflation(). Collective.
/// @param modes  the lowest ones; 0: all
StoredLowModes read_stored_modes(const std::string& path, int modes, const FermionLinks& links,
                                 const Action& action, Preconditioning form);

/// Reads low modes from a file, for batches of `s`, the even-odd form of this action on these links.
/// Collective. Throws Error(input_file) if the file is damaged, belongs to another operator or has fewer
/// modes. In a dry run the file need not exist if `modes` is not 0.
/// @param modes  the lowest ones; 0: all
std::unique_ptr<Deflation> read_deflation(const std::string& path, int modes, const FermionLinks& links,
                                          const Action& action, Preconditioning form, LinearOperator& s,
                                          int batch);

// The low modes of a Dirac operator's even-odd form on one gauge field, by Lanczos in double precision.
struct FoundModes {
  Field modes;  // all in one, on the even sites, single precision, where the links are
  LanczosReport report;
  std::vector<HeaderEntry> operator_entries;  // as EigenvectorInfo has them
};

// Collective. The same bits on any process grid. Throws Error(not_converged) where not all are found within
// the tolerance.
FoundModes find_modes(const FermionLinks& links, const ActionPtr& action, Preconditioning form,
                      const EigenvectorSettings& settings);

}  // namespace plaq
