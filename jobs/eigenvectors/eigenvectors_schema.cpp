// eigenvectors: low modes of Dirac operators, for solves that they deflate.
#include <fmt/format.h>

#include "jobs/eigenvectors/eigenvectors_keys.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/slurm_keys.hpp"
#include "quarks/solve/mode_search.hpp"
#include "quarks/solve/solver_settings.hpp"
#include "settings/action/action_keys.hpp"
#include "settings/action/action_smearing.hpp"
#include "settings/action/action_table.hpp"

namespace plaq::jobs {
namespace {

Table eigenvectors() {
  using Settings = EigenvectorSettings;
  return {
      "eigenvectors",
      "The modes: eigenvectors of S^dagger S, S being the operator on the even sites, or of S itself for "
      "staggered quarks, where it is positive.",
      {field(&EigenvectorKeys::directory, "directory", "Where they are written, as FIELD.eig.lime.")
           .need("\"modes\""),
       field(&Settings::modes, "modes", "How many, from the lowest eigenvalue on.").within(1, 1 << 16),
       choice(&SolverSettings::preconditioning, "preconditioning",
              "S: the symmetric or the asymmetric Schur complement; that of the solves that they deflate.",
              {{"even-odd", Preconditioning::even_odd},
               {"even-odd-asymmetric", Preconditioning::even_odd_asymmetric}}),
       field(&Settings::tolerance, "tolerance",
             "Largest error bound of an eigenvalue, relative to it. A deflated solve improves its residual "
             "again, so that modes need not be exact.")
           .between(0, 1),
       field(&Settings::basis, "basis",
             "Vectors of the Lanczos basis, in double precision; at least modes + 2.")
           .within(3, 1 << 17)
           .such_as("148")
           .without("2 modes + 20"),
       field(&Settings::filter_degree, "filter_degree",
             "Degree of the Chebyshev polynomial of the operator that Lanczos iterates, at most; 0: none.")
           .within(0, 10000),
       field(&Settings::max_applications, "max_applications",
             "Of the operator to a vector; then the job ends with an error.")
           .within(1, 1e9),
       field(&Settings::seed, "seed", "Key of the random numbers of start vectors.").at_least(0),
       choice(&EigenvectorKeys::precision, "precision",
              "Numbers in the file; half: 16-bit integers with a scale for each site and mode.",
              {{"single", Precision::single_precision}, {"half", Precision::half_precision}})}};
}

void check_basis(Problems& problems, const EigenvectorSettings& settings) {
  if (settings.vectors() < settings.modes + 2)
    problems.add("eigenvectors.basis", fmt::format("found {}, must be at least {}, two more than modes",
                                                   settings.vectors(), settings.modes + 2));
}

}  // namespace

const Schema& eigenvectors_schema() {
  static const Schema schema{
      "eigenvectors",
      "Find the low modes of a Dirac operator on one or more gauge fields, and keep them for solves that "
      "they deflate.",
      {top_table("eigenvectors"), lattice_table(LatticeFrom::file), gauge_files_table("of results"),
       action_table(MassKeys::one, all_discretisations()), action_smearing_table(), eigenvectors(),
       output_table("HDF5 file of the eigenvalues.", "\"eigenvalues.h5\""), comms_table(), run_table(),
       slurm_table()},
      joined<Rule>({common_rules(),
                    action_rules(MassKeys::one, all_discretisations()),
                    {action_smearing_rule(),
                     preconditioning_rule("eigenvectors"),
                     {{"eigenvectors.basis", "eigenvectors.modes"},
                      "The basis has two vectors more than modes, or more.",
                      check_basis}}})};
  return schema;
}

}  // namespace plaq::jobs
