// Low modes of a Dirac operator's even-odd form, as files keep them (io/eigenvectors/eigenvector_file.hpp), and what
// they deflate.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/gauge/gauge_file_info.hpp"
#include "jobs/dirac/action_parameters.hpp"
#include "jobs/dirac/solver_spec.hpp"
#include "solvers/mixed/deflation.hpp"

namespace plaq::jobs {

// Of S^dagger S, or of S where it is Hermitian and positive.
ModesOf modes_of(const Action& action);
// What tells such operators apart, links aside: EigenvectorInfo::operator_entries.
std::vector<HeaderEntry> operator_entries(const Action& action, Preconditioning form);
// Collective. With the checksum of clover_links, where there are any.
std::vector<HeaderEntry> operator_entries(const Action& action, Preconditioning form,
                                          const Background& links);

// Collective. The `modes` lowest modes of a file, 0: all, for batches of `s`, the form of this action on these links.
// Throws Error(input_file) for a file that is damaged, of
// another operator, or has fewer modes. In a dry run the file need not be there where `modes` is not 0.
std::unique_ptr<Deflation> read_deflation(const std::string& path, int modes, const Background& links,
                                          const Action& action, Preconditioning form, LinearOperator& s,
                                          int batch);

}  // namespace plaq::jobs
