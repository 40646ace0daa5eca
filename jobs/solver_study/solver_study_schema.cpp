// solver_study: iterations and time of many solvers at many masses.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/operator/active_set.hpp"
#include "core/system/error.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/slurm_keys.hpp"
#include "jobs/solver_study/study_spec.hpp"
#include "settings/action/action_smearing.hpp"
#include "settings/action/discretisation.hpp"
#include "settings/solver/multigrid_table.hpp"
#include "settings/solver/setup_keys.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {
namespace {

// A key of [solver] that all solvers of a study share.
Key shared_key(const char* name) {
  static const Table solver = solver_table();
  return *solver.find(name);
}

// Half precision alone has no residual worth the name, and nothing inside is above what is outside.
std::optional<std::string> fault_of(const SolverSettings& spec) {
  if (spec.outer.precision == Precision::half_precision)
    return "half precision is for inside, around it single or double";
  if (spec.scheme != MixedScheme::none &&
      bytes_of(inner_storage(spec).precision) > bytes_of(spec.outer.precision))
    return "the precision inside is above the one outside";
  return std::nullopt;
}

// The solver that a text means; a problem where it is none.
std::optional<SolverSettings> read_solver(Problems& problems, const char* key, const std::string& text,
                                          const SolverSettings& shared) {
  try {
    const SolverSettings spec = parse_solver(text, shared);
    const auto fault = fault_of(spec);
    if (!fault) return spec;
    problems.add({"study", key}, fmt::format("\"{}\": {}", text, *fault));
  } catch (const Error& error) {
    problems.add({"study", key}, error.what());
  }
  return std::nullopt;
}

void check_solvers(Problems& problems, const StudyKeys& keys, const Settings& job) {
  const SolverSettings shared = shared_spec(job);
  std::vector<SolverSettings> all;
  bool good = true;
  for (const std::string& text : keys.solvers) {
    const auto spec = read_solver(problems, "solvers", text, shared);
    good = good && spec;
    if (!spec) continue;
    if (spec->multigrid && !action_of_any_mass(job)->has_multigrid())
      problems.add("study.solvers", fmt::format("\"{}\": multigrid is of Wilson and clover quarks", text));
    if (!action_of_any_mass(job)->has_compressed_links() &&
        (spec->outer.reals != 18 || (spec->scheme != MixedScheme::none && spec->inner.reals != 18)))
      problems.add("study.solvers",
                   fmt::format("\"{}\": links of {} quarks are not SU(3): they take 18 reals", text,
                               job.get<ActionKeys>().type->name()));
    if (spec->modes && keys.deflation.empty())
      problems.missing("study.deflation", fmt::format("where \"{}\" finds its eigenvectors", text));
    if (spec->modes && spec->preconditioning == Preconditioning::none)
      problems.add("study.solvers", fmt::format("\"{}\": eigenvectors are of an even-odd form", text));
    if (std::find(all.begin(), all.end(), *spec) != all.end())
      problems.add("study.solvers", fmt::format("\"{}\" is listed twice", name_of(*spec)));
    all.push_back(*spec);
  }
  if (keys.baseline.empty()) return;
  const auto spec = read_solver(problems, "baseline", keys.baseline, shared);
  if (spec && good && std::find(all.begin(), all.end(), *spec) == all.end())
    problems.add("study.baseline", fmt::format("\"{}\" is none of solvers", name_of(*spec)));
}

void check_batch(Problems& problems, const StudyKeys& keys) {
  if (keys.batch && keys.sources % *keys.batch != 0)
    problems.add("study.batch",
                 fmt::format("{} sources cannot be solved {} at a time; the batch must divide them",
                             keys.sources, *keys.batch));
}

void check_slices(Problems& problems, const StudyKeys& keys, const Settings& job) {
  const int slices = action_of_any_mass(job)->slices();
  const int batch = keys.batch.value_or(keys.sources);
  if (batch * slices > ActiveSet::capacity)
    problems.add("study.batch", fmt::format("{} sources of {} slices each are more than {} at a time", batch,
                                            slices, ActiveSet::capacity));
}

Table study() {
  return {
      "study",
      "The solvers, and what they solve: M x = b for random b, from x = 0.",
      {field(&StudyKeys::solvers, "solvers",
             "Solvers, each METHOD, STORAGE or METHOD, STORAGE in STORAGE, SCHEME NUMBER: methods cg, cgne, "
             "bicgstab, gcr, mr, or of Wilson and clover quarks gcr with multigrid, or cg or cgne with "
             "deflation(MODES), without a number by all modes there are; storage double, single "
             "or half with 18, 12 or 8 reals a link; schemes "
             "reliable updates with delta, defect correction with the inner tolerance.")
           .not_empty()
           .need("[\"cg, double 18\", \"cg, half 12 in double 18, reliable updates 0.1\"]"),
       field(&StudyKeys::baseline, "baseline", "The solver that speed-ups are relative to; one of solvers.")
           .such_as("\"bicgstab, double 18\"")
           .without("the first of solvers"),
       field(&StudyKeys::sources, "sources",
             "Random sources, numbers of their own in all components of all sites; the same on each field "
             "and at each mass.")
           .within(1, ActiveSet::capacity),
       choice(&StudyKeys::noise, "noise", "Their numbers: 1 and -1, or 1, i, -1 and -i.", noise_names()),
       field(&StudyKeys::seed, "seed", "Key of their random numbers.").at_least(0),
       field(&StudyKeys::batch, "batch", "Sources that are solved together; must divide sources.")
           .within(1, ActiveSet::capacity)
           .such_as("1")
           .without("all sources"),
       field(&StudyKeys::errors, "errors",
             "Solve for b = M x0 of random x0 in place of random b, and keep the error of each solution, "
             "which light quarks make larger than the residual."),
       field(&StudyKeys::repeats, "repeats", "Times that each solve is timed; least and median are kept.")
           .within(1, 1000),
       field(
           &StudyKeys::deflation, "deflation",
           "Directory where low modes of each gauge field are found, as FIELD.eig.lime (a job eigenvectors), "
           "for solvers with deflation; of one mass, whose modes they are.")
           .such_as("\"modes\"")
           .without("no deflation"),
       shared_key("preconditioning"), shared_key("tolerance").otherwise(1e-12), shared_key("temporal_gauge"),
       shared_key("max_iterations").means("Iterations after which a right-hand side is given up."),
       shared_key("restart").means(
           "GCR: directions that are kept until it begins anew, where the name has none: gcr(16)."),
       shared_key("omega").means(
           "Minimal residual iteration: relaxation, where the name has none: mr(0.9).")}};
}

// Keys of [multigrid] beside those of all jobs.
std::vector<Key> keys_of_setups() {
  return joined<Key>(
      {setup_keys(SetupsKept::where_asked),
       {choice(
           &StudyKeys::one_setup, "setups",
           "At each mass a setup of its own; or one at the first mass of a field, whose near-null vectors "
           "and coarse lattices are changed to the others, which takes a small part of a setup: best with "
           "the lightest mass first. With a directory each mass begins with the setup that is there.",
           {{"each mass", false}, {"first mass", true}})}});
}

std::vector<Rule> rules() {
  return joined<Rule>(
      {common_rules(),
       action_rules(MassKeys::list, all_discretisations()),
       {action_smearing_rule(),
        preconditioning_rule("study"),
        {{"action.n_s", "study.sources", "study.batch"},
         "A batch has at most 256 slices of the fifth dimension in all.",
         check_slices},
        {{"action.type", "study.solvers", "study.baseline", "study.deflation", "study.preconditioning",
          "study.tolerance", "study.max_iterations", "study.restart", "study.omega"},
         "Each solver must be named as above, none twice; half precision is for inside, and the precision "
         "inside is not above the one outside.",
         check_solvers},
        {{"study.batch", "study.sources"}, "The batch must divide the sources.", check_batch}},
       multigrid_rules(),
       {setup_rule()}});
}

}  // namespace

const Schema& solver_study_schema() {
  static const Schema schema{
      "solver_study",
      "Compare solvers of the Dirac equation at many masses: iterations, outcomes and time to solution.",
      {top_table("solver_study"), lattice_table(LatticeFrom::file), gauge_files_table("of the study"),
       action_table(MassKeys::list, all_discretisations()), action_smearing_table(), study(),
       multigrid_table(keys_of_setups()), output_table("HDF5 file of the study.", "\"study.h5\""),
       comms_table(), run_table(), slurm_table()},
      rules()};
  return schema;
}

}  // namespace plaq::jobs
