// multigrid_setup: setups of multigrid, made before jobs use them.
#include <fmt/format.h>

#include "jobs/dirac/action_schema.hpp"
#include "jobs/dirac/action_smearing.hpp"
#include "jobs/dirac/multigrid_keys.hpp"
#include "jobs/dirac/setup_keys.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_file.hpp"
#include "jobs/schema/job_types.hpp"
#include "jobs/schema/slurm_keys.hpp"
#include "quarks/solve/solver_settings.hpp"

namespace plaq::jobs {
namespace {

Table solves() {
  return {
      "solver",
      "The solves that setups are for.",
      {field(&SolverSettings::tolerance, "tolerance",
             "Their true residual: rounds are made for as long as they save more of such solves than they "
             "cost.")
           .between(0, 1),
       field(
           &MultigridOptions::solves, "solves",
           "How many right-hand sides setups are for: more of them pay for more rounds, and for a choice of "
           "`smoothing_steps` and `coarse_tolerance`.")
           .at_least(1),
       field(&SolverSettings::inner, &LinkStorage::reals, "inner_links",
             "Real numbers that a link of the finest lattice is stored as, 18 or 12; 12 needs links that "
             "are SU(3) to single precision.")
           .within(12, 18)}};
}

void check_links(Problems& problems, const SolverSettings& spec) {
  if (spec.inner.reals != 18 && spec.inner.reals != 12)
    problems.add("solver.inner_links", fmt::format("found {}, must be 18 or 12", spec.inner.reals));
}

}  // namespace

const Schema& multigrid_setup_schema() {
  static const Schema schema{
      "multigrid_setup",
      "Set multigrid up on one or more gauge fields, and keep the setups for jobs that solve.",
      {top_table("multigrid_setup"), lattice_table(LatticeFrom::file), gauge_files_table("of setup"),
       action_table(), action_smearing_table(), solves(), multigrid_table(setup_keys(SetupsKept::always)),
       output_table("HDF5 file of how good they are.", "\"setups.h5\""), comms_table(), run_table(),
       slurm_table()},
      joined<Rule>({common_rules(),
                    action_rules(),
                    multigrid_rules(),
                    {action_smearing_rule(),
                     setup_rule(),
                     {{"solver.inner_links"}, "A link is 18 or 12 reals.", check_links}}})};
  return schema;
}

}  // namespace plaq::jobs
