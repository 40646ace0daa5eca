// eigenvectors: low modes of Dirac operators, for solves that they deflate.
#include "jobs/eigenvectors/eigenvectors_keys.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/slurm_keys.hpp"
#include "settings/action/action_keys.hpp"
#include "settings/action/action_smearing.hpp"
#include "settings/action/action_table.hpp"
#include "settings/solver/eigenvector_keys.hpp"

namespace plaq::jobs {
namespace {

Table eigenvectors() {
  return {"eigenvectors",
          "The low modes: eigenvectors of S^dagger S, where S is the operator on the even sites. Staggered "
          "quarks: eigenvectors of S, which is positive.",
          joined<Key>(
              {{field(&EigenvectorKeys::directory, "directory", "Directory of the files FIELD.eig.lime.")
                    .need("\"modes\"")},
               eigenvector_keys(),
               {choice(&EigenvectorKeys::precision, "precision",
                       "Precision of the numbers in the file. half: 16-bit integers with a scale for each "
                       "site and mode.",
                       {{"single", Precision::single_precision}, {"half", Precision::half_precision}})}})};
}

}  // namespace

const Schema& eigenvectors_schema() {
  static const Schema schema{
      "eigenvectors",
      "Compute the low modes of a Dirac operator on one or more gauge fields, and keep them to deflate "
      "solves.",
      {top_table("eigenvectors"), lattice_table(LatticeFrom::file), gauge_files_table("of results"),
       action_table(MassKeys::one, all_discretisations()), action_smearing_table(), eigenvectors(),
       output_table("HDF5 file for the eigenvalues.", "\"eigenvalues.h5\""), comms_table(), run_table(),
       slurm_table()},
      joined<Rule>({common_rules(),
                    action_rules(MassKeys::one, all_discretisations()),
                    {action_smearing_rule()},
                    {preconditioning_rule("eigenvectors"), eigenvector_rule("eigenvectors")}})};
  return schema;
}

}  // namespace plaq::jobs
