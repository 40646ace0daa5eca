// solver_study: iterations and time of many solvers at many masses.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/system/error.hpp"
#include "jobs/dirac/dirac_keys.hpp"
#include "jobs/schema/job_types.hpp"
#include "jobs/solver_study/study_spec.hpp"

namespace plaq::jobs {
namespace {

// A key of [solver] that all solvers of a study share.
Key shared_key(const char* name) {
  static const Table solver = solver_table();
  return *solver.find(name);
}

// Half precision alone has no residual worth the name, and nothing inside is above what is outside.
std::optional<std::string> fault_of(const SolverSpec& spec) {
  if (spec.outer.precision == Precision::half_precision)
    return "half precision is for inside, around it single or double";
  if (spec.scheme != MixedScheme::none && bytes_of(spec.inner.precision) > bytes_of(spec.outer.precision))
    return "the precision inside is above the one outside";
  return std::nullopt;
}

// The solver that a text means; a problem where it is none.
std::optional<SolverSpec> read_solver(const JobFile& job, const char* key, const std::string& text,
                                      std::vector<Problem>& problems) {
  const auto complain = [&](const std::string& what) {
    problems.push_back({{"study", key}, fmt::format("'{}' in [study]: {}", key, what)});
  };
  try {
    const SolverSpec spec = studied_solver(job, text);
    const auto fault = fault_of(spec);
    if (!fault) return spec;
    complain(fmt::format("\"{}\": {}", text, *fault));
  } catch (const Error& error) {
    complain(error.what());
  }
  return std::nullopt;
}

void check_solvers(const JobFile& job, std::vector<Problem>& problems) {
  std::vector<SolverSpec> all;
  bool good = true;
  for (const std::string& text : job.strings("study", "solvers")) {
    const auto spec = read_solver(job, "solvers", text, problems);
    good = good && spec;
    if (!spec) continue;
    if (std::find(all.begin(), all.end(), *spec) != all.end())
      problems.push_back({{"study", "solvers"},
                          fmt::format("'solvers' in [study]: \"{}\" is listed twice", name_of(*spec))});
    all.push_back(*spec);
  }
  const auto baseline = job.optional_string("study", "baseline");
  if (!baseline) return;
  const auto spec = read_solver(job, "baseline", *baseline, problems);
  if (spec && good && std::find(all.begin(), all.end(), *spec) == all.end())
    problems.push_back({{"study", "baseline"},
                        fmt::format("'baseline' in [study]: \"{}\" is none of solvers", name_of(*spec))});
}

void check_batch(const JobFile& job, std::vector<Problem>& problems) {
  const auto batch = job.optional_integer("study", "batch");
  const auto sources = job.integer("study", "sources");
  if (batch && sources % *batch != 0)
    problems.push_back({{"study", "batch"},
                        fmt::format("'batch' in [study]: {} sources cannot be solved {} at a time; the batch "
                                    "must divide them",
                                    sources, *batch)});
}

void check_slices(const JobFile& job, std::vector<Problem>& problems) {
  const auto slices = job.optional_integer("action", "n_s").value_or(1);
  const auto batch = job.optional_integer("study", "batch").value_or(job.integer("study", "sources"));
  if (batch * slices > ActiveSet::capacity)
    problems.push_back(
        {{"study", "batch"},
         fmt::format("'batch' in [study]: {} sources of {} slices each are more than {} at a time", batch,
                     slices, ActiveSet::capacity)});
}

Table study() {
  return {
      "study",
      "The solvers, and what they solve: M x = b for random b, from x = 0.",
      {key::strings("solvers",
                    "Solvers, each METHOD, STORAGE or METHOD, STORAGE in STORAGE, SCHEME NUMBER: methods cg, "
                    "cgne, bicgstab, gcr, mr; storage double, single or half with 18, 12 or 8 reals a link; "
                    "schemes reliable updates with delta, defect correction with the inner tolerance.")
           .not_empty()
           .need("[\"cg, double 18\", \"cg, half 12 in double 18, reliable updates 0.1\"]"),
       key::string("baseline", "The solver that speed-ups are relative to; one of solvers.")
           .such_as("\"bicgstab, double 18\"")
           .without("the first of solvers"),
       key::integer("sources",
                    "Random sources, numbers of their own in all components of all sites; the same on each "
                    "field and at each mass.")
           .within(1, ActiveSet::capacity)
           .otherwise(1),
       key::string("noise", "Their numbers: 1 and -1, or 1, i, -1 and -i.")
           .one_of({"z2", "z4"})
           .otherwise("z4"),
       key::integer("seed", "Key of their random numbers.").at_least(0).otherwise(1),
       key::integer("batch", "Sources that are solved together; must divide sources.")
           .within(1, ActiveSet::capacity)
           .such_as("1")
           .without("all sources"),
       key::integer("repeats", "Times that each solve is timed; least and median are kept.")
           .within(1, 1000)
           .otherwise(1),
       shared_key("preconditioning"), shared_key("tolerance").otherwise(1e-12), shared_key("temporal_gauge"),
       [] {
         Key limit = shared_key("max_iterations");
         limit.meaning = "Iterations after which a right-hand side is given up.";
         return limit;
       }(),
       [] {
         Key restart = shared_key("restart");
         restart.meaning =
             "GCR: directions that are kept until it begins anew, where the name has none: gcr(16).";
         return restart;
       }(),
       [] {
         Key omega = shared_key("omega");
         omega.meaning = "Minimal residual iteration: relaxation, where the name has none: mr(0.9).";
         return omega;
       }()}};
}

Table output() {
  return {"output",
          "The results.",
          {key::string("file", "HDF5 file of the study.").need("\"study.h5\""), overwrite_key()}};
}

}  // namespace

const Schema& solver_study_schema() {
  static const Schema schema = [] {
    Schema s{
        "solver_study",
        "Compare solvers of the Dirac equation at many masses: iterations, outcomes and time to solution.",
        {top_table("solver_study"), lattice_table(LatticeFrom::file), gauge_files_table("of the study"),
         action_table(MassKeys::list, Actions::all), study(), output(), comms_table(), run_table()},
        common_rules()};
    for (Rule& one : action_rules(MassKeys::list, Actions::all)) s.rules.push_back(std::move(one));
    s.rules.push_back({{{"action", "type"}, {"study", "preconditioning"}},
                       "The asymmetric Schur complement is of Wilson and clover quarks.",
                       [](const JobFile& job, std::vector<Problem>& problems) {
                         check_preconditioning(job, "study", problems);
                       }});
    s.rules.push_back({{{"action", "n_s"}, {"study", "sources"}, {"study", "batch"}},
                       "A batch has at most 256 slices of the fifth dimension in all.",
                       check_slices});
    s.rules.push_back(
        {{{"study", "solvers"},
          {"study", "baseline"},
          {"study", "preconditioning"},
          {"study", "tolerance"},
          {"study", "max_iterations"},
          {"study", "restart"},
          {"study", "omega"}},
         "Each solver must be named as above, none twice; half precision is for inside, and the "
         "precision inside is not above the one outside.",
         check_solvers});
    s.rules.push_back(
        {{{"study", "batch"}, {"study", "sources"}}, "The batch must divide the sources.", check_batch});
    return s;
  }();
  return schema;
}

}  // namespace plaq::jobs
