// The low modes of a Dirac operator's even-odd form on one gauge field, by Lanczos in double precision.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quarks/operator/dirac_matrix.hpp"
#include "solvers/eigen/lanczos.hpp"

namespace plaq {

struct EigenvectorSettings {
  int modes = 64;
  double tolerance = 1e-3;   // of an error bound, relative to its eigenvalue
  std::optional<int> basis;  // vectors of the Lanczos basis
  int filter_degree = 40, max_applications = 1000000;
  std::int64_t seed = 1;  // of start vectors

  int vectors() const { return basis.value_or(2 * modes + 20); }
};

struct FoundModes {
  Field modes;  // all in one, on the even sites, single precision, where the links are
  LanczosReport report;
  std::vector<HeaderEntry> operator_entries;  // as EigenvectorInfo has them
};

// Collective. The same bits on any process grid. Throws Error(not_converged) where not all are found within the
// tolerance.
FoundModes find_modes(const FermionLinks& links, const ActionPtr& action, Preconditioning form,
                      const EigenvectorSettings& settings);

}  // namespace plaq
