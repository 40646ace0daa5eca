// The low modes of a Dirac operator's even-odd form on one gauge field, by Lanczos in double precision.
#pragma once

#include <vector>

#include "quarks/operator/dirac_matrix.hpp"
#include "quarks/solve/eigenvector_settings.hpp"
#include "solvers/eigen/lanczos.hpp"

namespace plaq {

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
