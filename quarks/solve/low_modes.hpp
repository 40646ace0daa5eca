// Low modes of a Dirac operator's even-odd form, as files keep them (io/eigenvectors/eigenvector_file.hpp),
// and what they deflate.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/gauge/gauge_file_info.hpp"
#include "quarks/action/action.hpp"
#include "quarks/solve/solver_settings.hpp"
#include "solvers/mixed/deflation.hpp"

namespace plaq {

/// Whose eigenvectors deflate: S^dagger S, or S itself if it is Hermitian and positive.
ModesOf modes_of(const Action& action);
/// EigenvectorInfo::operator_entries: all that tells such operators apart, apart from the links.
std::vector<HeaderEntry> operator_entries(const Action& action, Preconditioning form);
/// Entries with the checksum of clover_links, if there are any. Collective.
std::vector<HeaderEntry> operator_entries(const Action& action, Preconditioning form,
                                          const FermionLinks& links);

/// Reads low modes from a file, for batches of `s`, the even-odd form of this action on these links.
/// Collective. Throws Error(input_file) if the file is damaged, belongs to another operator or has fewer
/// modes. In a dry run the file need not exist if `modes` is not 0.
/// @param modes  the lowest ones; 0: all
std::unique_ptr<Deflation> read_deflation(const std::string& path, int modes, const FermionLinks& links,
                                          const Action& action, Preconditioning form, LinearOperator& s,
                                          int batch);

}  // namespace plaq
