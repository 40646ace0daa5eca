// The plain parameters of a search for low modes (quarks/solve/mode_search.hpp).
#pragma once

#include <cstdint>
#include <optional>

namespace plaq {

struct EigenvectorSettings {
  int modes = 64;
  double tolerance = 1e-3;        // of an error bound, relative to its eigenvalue
  std::optional<int> basis = {};  // vectors of the Lanczos basis, at least modes + 2; none: 2 modes + 20
  int filter_degree = 40;         // of the Chebyshev polynomial of the operator, at most; 0: none
  int max_applications = 1000000;
  std::int64_t seed = 1;  // of start vectors

  int vectors() const { return basis.value_or(2 * modes + 20); }
};

}  // namespace plaq
