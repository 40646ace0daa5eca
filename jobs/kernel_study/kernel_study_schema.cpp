// kernel_study: rates and accuracy of Dirac operators and Krylov methods in every storage.
#include <fmt/format.h>

#include "jobs/kernel_study/kernel_study_keys.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/slurm_keys.hpp"
#include "settings/action/action_table.hpp"

namespace plaq::jobs {
namespace {

using Tables = KernelStudyTables;

Key storages(std::vector<LinkStorage> Tables::*member, const std::string& more) {
  return choice(member, "storages", "Precision and real numbers that a link is stored as" + more,
                storage_names())
      .such_as("[\"half 12\", \"single 8\", \"double 18\"]")
      .without("all nine");
}

Table lattice() {
  return {"lattice",
          "The lattice of the solvers and the accuracy; the rates have its extents in space.",
          {field(&LatticeKeys::extents, "extents", "Sites in x, y, z, t.")
               .within(2, 4096)
               .even()
               .need("[24, 24, 24, 48]")}};
}

Table rates() {
  return {"rates",
          "Rates of operators against the extent in time (Clark et al. 2010, figures 2 to 5).",
          {field(&Tables::temporal_extents, "temporal_extents", "Sites in time; an empty list: no rates.")
               .within(2, 4096)
               .even(),
           storages(&Tables::storages, ".").not_empty(),
           field(&Tables::right_hand_sides, "right_hand_sides",
                 "Right-hand sides that an operator is applied to at once.")
               .within(1, 256)
               .not_empty(),
           field(&Tables::operators, "operators",
                 "The Wilson hopping term on one parity, and the symmetric and the asymmetric even-odd "
                 "operator of the action.")
               .one_of({"hop", "schur", "schur_asymmetric"})
               .not_empty(),
           field(&Tables::samples, "samples",
                 "Times that each rate is measured; 0: as many as a steady result needs.")
               .within(0, 10000),
           field(&Tables::bandwidth, "bandwidth",
                 "Measure what copy and triad reach in the same run, of which the rates have a share.")}};
}

Table solvers() {
  return {"solvers",
          "Sustained rates of whole methods beside those of their operator, the symmetric even-odd one "
          "(table 2).",
          {field(&Tables::methods, "methods", "Methods, each alone in one storage; an empty list: none.")
               .one_of({"cg", "bicgstab"}),
           storages(&Tables::solved_storages, ".").not_empty(),
           field(&Tables::iterations, "iterations", "Iterations that are timed; a residual is not looked at.")
               .within(1, 1e6)}};
}

Table accuracy() {
  return {"accuracy",
          "Proportion of components of M_ee eta that deviate from double precision (figure 6), M_ee being "
          "the symmetric even-odd Wilson operator at mass 0.",
          {storages(&Tables::accurate_storages, "; an empty list: no curves."),
           field(&Tables::epsilons, "epsilons",
                 "Deviations; an empty list: 1 and 3 in each decade from 1e-18 to 0.3.")
               .between(0, 1e300),
           field(&Tables::accuracy_time, "temporal_extent", "Sites in time.")
               .within(2, 4096)
               .even()
               .such_as("32")
               .without("that of the lattice")}};
}

void check_something(Problems& problems, const Tables& keys) {
  if (keys.temporal_extents.empty() && keys.methods.empty() && keys.accurate_storages.empty())
    problems.add(
        "rates.temporal_extents",
        "is empty, as are 'methods' in [solvers] and 'storages' in [accuracy]: nothing is left to measure");
}

void check_once(Problems& problems, const Tables& keys) {
  problems.add_twice("rates.temporal_extents", keys.temporal_extents);
  problems.add_twice("rates.right_hand_sides", keys.right_hand_sides);
}

void check_time(Problems& problems, const Tables& keys, const CommsKeys& comms) {
  const auto& grid = comms.process_grid;
  if (!grid) return;
  const auto check = [&](const char* table, const char* key, int sites) {
    if (sites % (2 * (*grid)[3]) != 0)
      problems.add({table, key}, fmt::format("{} ranks in direction t cannot share {} sites; each rank must "
                                             "get the same even number of them",
                                             (*grid)[3], sites));
  };
  for (const int sites : keys.temporal_extents) check("rates", "temporal_extents", sites);
  if (keys.accuracy_time) check("accuracy", "temporal_extent", *keys.accuracy_time);
}

std::vector<Rule> rules() {
  return joined<Rule>(
      {common_rules(),
       action_rules(),
       {{{"rates.temporal_extents", "solvers.methods", "accuracy.storages"},
         "One of them must not be empty.",
         check_something},
        {{"rates.temporal_extents", "rates.right_hand_sides"}, "Each number stands there once.", check_once},
        {{"rates.temporal_extents", "accuracy.temporal_extent", "comms.process_grid"},
         "The ranks in t must share each of these extents as they share the lattice.",
         check_time}}});
}

}  // namespace

const Schema& kernel_study_schema() {
  static const Schema schema{
      "kernel_study",
      "Measure how fast and how accurate Dirac operators and whole solvers are in every storage, on random "
      "fields.",
      {top_table("kernel_study"), lattice(), action_table(), rates(), solvers(), accuracy(),
       output_table("HDF5 file of the results.", "\"kernels.h5\""), comms_table(), run_table(),
       slurm_table()},
      rules()};
  return schema;
}

}  // namespace plaq::jobs
