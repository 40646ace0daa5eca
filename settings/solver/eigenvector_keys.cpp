#include "settings/solver/solver_table.hpp"

#include <fmt/format.h>

#include "quarks/solve/solver_settings.hpp"
#include "settings/schema/field.hpp"

namespace plaq::settings {

std::vector<Key> eigenvector_keys() {
  using Settings = EigenvectorSettings;
  return {
      field(&Settings::modes, "modes", "Number of modes, from the lowest eigenvalue on.").within(1, 1 << 16),
      choice(&SolverSettings::preconditioning, "preconditioning",
             "Form of S: the symmetric or the asymmetric Schur complement. It must be that of the solves "
             "that the modes deflate.",
             {{"even-odd", Preconditioning::even_odd},
              {"even-odd-asymmetric", Preconditioning::even_odd_asymmetric}}),
      field(&Settings::tolerance, "tolerance",
            "Largest error bound of an eigenvalue, relative to the eigenvalue. Modes need not be exact: a "
            "deflated solve corrects its residual.")
          .between(0, 1),
      field(&Settings::basis, "basis",
            "Number of vectors of the Lanczos basis, in double precision. At least modes + 2.")
          .within(3, 1 << 17)
          .such_as("148")
          .without("2 modes + 20"),
      field(&Settings::filter_degree, "filter_degree",
            "Largest degree of the Chebyshev polynomial that filters the operator in Lanczos; 0: no filter.")
          .within(0, 10000),
      field(&Settings::max_applications, "max_applications",
            "Largest number of operator applications. Beyond it the job ends with an error.")
          .within(1, 1e9),
      field(&Settings::seed, "seed", "Seed of the random start vectors.").at_least(0)};
}

Rule eigenvector_rule(const std::string& name) {
  const std::string basis = name + ".basis", modes = name + ".modes";
  return {{basis.c_str(), modes.c_str()},
          "basis must be at least modes + 2.",
          [basis](Problems& problems, const Settings& settings) {
            const auto search = settings.get<EigenvectorSettings>();
            if (search.vectors() < search.modes + 2)
              problems.add(basis.c_str(), fmt::format("found {}, must be at least {}, two more than modes",
                                                      search.vectors(), search.modes + 2));
          }};
}

}  // namespace plaq::settings
