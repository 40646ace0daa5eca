// kernel_study: rates and accuracy of Dirac operators and Krylov methods in every storage.
#include <fmt/format.h>

#include <algorithm>

#include "jobs/dirac/dirac_keys.hpp"
#include "jobs/dirac/parse_storage.hpp"
#include "jobs/kernel_study/kernel_study_keys.hpp"
#include "jobs/schema/job_types.hpp"

namespace plaq::jobs {
namespace {

Key storages(const char* meaning) {
  return key::strings("storages", meaning)
      .one_of(storage_names())
      .such_as("[\"half 12\", \"single 8\", \"double 18\"]")
      .without("all nine");
}

Table lattice() {
  return {"lattice",
          "The lattice of the solvers and the accuracy; the rates have its extents in space.",
          {key::integers("extents", "Sites in x, y, z, t.")
               .of_length(4)
               .within(2, 4096)
               .even()
               .need("[24, 24, 24, 48]")}};
}

Table rates() {
  return {
      "rates",
      "Rates of operators against the extent in time (Clark et al. 2010, figures 2 to 5).",
      {key::integers("temporal_extents", "Sites in time; an empty list: no rates.")
           .within(2, 4096)
           .even()
           .otherwise(std::vector<std::int64_t>{8, 16, 32, 64, 128}),
       storages("Precision and real numbers that a link is stored as.").not_empty(),
       key::integers("right_hand_sides", "Right-hand sides that an operator is applied to at once.")
           .within(1, 256)
           .not_empty()
           .otherwise(std::vector<std::int64_t>{1, 12}),
       key::strings("operators",
                    "The Wilson hopping term on one parity, and the symmetric and the asymmetric even-odd "
                    "operator of the action.")
           .one_of(texts_of(rated_operator_keys))
           .not_empty()
           .otherwise(std::vector<std::string>{"hop", "schur"}),
       key::integer("samples", "Times that each rate is measured; 0: as many as a steady result needs.")
           .within(0, 10000)
           .otherwise(0),
       key::flag("bandwidth",
                 "Measure what copy and triad reach in the same run, of which the rates have a share.")
           .otherwise(true)}};
}

Table solvers() {
  return {
      "solvers",
      "Sustained rates of whole methods beside those of their operator, the symmetric even-odd one (table "
      "2).",
      {key::strings("methods", "Methods, each alone in one storage; an empty list: none.")
           .one_of({"cg", "bicgstab"})
           .otherwise(std::vector<std::string>{"cg", "bicgstab"}),
       storages("Precision and real numbers that a link is stored as.").not_empty(),
       key::integer("iterations", "Iterations that are timed; a residual is not looked at.")
           .within(1, 1e6)
           .otherwise(100)}};
}

Table accuracy() {
  return {
      "accuracy",
      "Proportion of components of M_ee eta that deviate from double precision (figure 6), M_ee being the "
      "symmetric even-odd Wilson operator at mass 0.",
      {storages("Precision and real numbers that a link is stored as; an empty list: no curves."),
       key::reals("epsilons", "Deviations; an empty list: 1 and 3 in each decade from 1e-18 to 0.3.")
           .between(0, 1e300)
           .otherwise(std::vector<double>{}),
       key::integer("temporal_extent", "Sites in time.")
           .within(2, 4096)
           .even()
           .such_as("32")
           .without("that of the lattice")}};
}

Table output() {
  return {"output",
          "The results.",
          {key::string("file", "HDF5 file of the results.").need("\"kernels.h5\""), overwrite_key()}};
}

void check_something(const JobFile& job, std::vector<Problem>& problems) {
  if (!job.integers("rates", "temporal_extents").empty() || !job.strings("solvers", "methods").empty() ||
      !job.has("accuracy", "storages") || !job.strings("accuracy", "storages").empty())
    return;
  problems.push_back({{"rates", "temporal_extents"},
                      "'temporal_extents' in [rates]: is empty, as are 'methods' in [solvers] and 'storages' "
                      "in [accuracy]: nothing is left to measure"});
}

void check_once(const JobFile& job, std::vector<Problem>& problems) {
  for (const char* name : {"temporal_extents", "right_hand_sides"}) {
    auto list = job.integers("rates", name);
    std::sort(list.begin(), list.end());
    if (const auto twice = std::adjacent_find(list.begin(), list.end()); twice != list.end())
      problems.push_back({{"rates", name}, fmt::format("'{}' in [rates]: {} is listed twice", name, *twice)});
  }
}

void check_time(const JobFile& job, std::vector<Problem>& problems) {
  const auto grid = job.optional_four("comms", "process_grid");
  if (!grid) return;
  const auto check = [&](const char* table, const char* key, std::int64_t sites) {
    if (sites % (2 * (*grid)[3]) != 0)
      problems.push_back(
          {{table, key},
           fmt::format("'{}' in [{}]: {} ranks in direction t cannot share {} sites; each rank "
                       "must get the same even number of them",
                       key, table, (*grid)[3], sites)});
  };
  for (const auto sites : job.integers("rates", "temporal_extents"))
    check("rates", "temporal_extents", sites);
  if (const auto sites = job.optional_integer("accuracy", "temporal_extent"))
    check("accuracy", "temporal_extent", *sites);
}

std::vector<Rule> rules() {
  std::vector<Rule> all = common_rules();
  for (Rule& rule : action_rules()) all.push_back(std::move(rule));
  all.insert(all.end(),
             {{{{"rates", "temporal_extents"}, {"solvers", "methods"}, {"accuracy", "storages"}},
               "One of them must not be empty.",
               check_something},
              {{{"rates", "temporal_extents"}, {"rates", "right_hand_sides"}},
               "Each number stands there once.",
               check_once},
              {{{"rates", "temporal_extents"}, {"accuracy", "temporal_extent"}, {"comms", "process_grid"}},
               "The ranks in t must share each of these extents as they share the lattice.",
               check_time}});
  return all;
}

}  // namespace

const Schema& kernel_study_schema() {
  static const Schema schema{
      "kernel_study",
      "Measure how fast and how accurate Dirac operators and whole solvers are in every storage, on random "
      "fields.",
      {top_table("kernel_study"), lattice(), action_table(), rates(), solvers(), accuracy(), output(),
       comms_table(), run_table()},
      rules()};
  return schema;
}

}  // namespace plaq::jobs
