// study: what a job file of a study says.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "comms/grid/process_grid.hpp"
#include "comms/transport/transport_choice.hpp"
#include "core/lattice/geometry.hpp"
#include "core/operator/active_set.hpp"
#include "core/system/error.hpp"
#include "jobs/model/machine_model.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/slurm_keys.hpp"
#include "jobs/study/study_spec.hpp"
#include "settings/action/action_table.hpp"
#include "settings/action/discretisation.hpp"
#include "settings/solver/field_files.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {
namespace {

constexpr double most_ranks = 65536;

std::vector<std::string> transports() {
  std::vector<std::string> names;
  for (const auto name : transport_names)
    if (name != "self") names.emplace_back(name);
  return names;
}

// A key of [solver] that all solvers of a study share.
Key shared_key(const char* name) {
  static const Table solver = solver_table();
  return *solver.find(name);
}

Table study() {
  using Keys = StudyKeys;
  return {
      "study",
      "The measurements: every target and solver on every lattice, process grid and transport, on random "
      "links or on the gauge fields of [gauge].",
      {field(&Keys::lattices, "lattices",
             "Lattices that all ranks share (strong scaling), as sites in x, y, z, t. With gauge fields from "
             "files: their lattice, which `plaq plan` needs if the files do not exist yet.")
           .such_as("[\"32x32x32x64\", \"48x48x48x64\"]")
           .show(),
       field(&Keys::local_lattices, "local_lattices", "Lattices of each rank (weak scaling).")
           .such_as("[\"24x24x24x24\"]"),
       field(&Keys::ranks, "ranks",
             "Numbers of ranks, for which plaq chooses grids. Strong scaling: the grid with the smallest "
             "surface; weak scaling: the grid that keeps the lattice nearest to a cube. Without this key and "
             "process_grids: all ranks of the run.")
           .within(1, most_ranks)
           .such_as("[1, 2, 4, 8]"),
       field(&Keys::process_grids, "process_grids", "Further process grids, as ranks in x, y, z, t.")
           .such_as("[\"1x1x1x4\", \"1x1x2x2\"]"),
       field(&Keys::transports, "transports",
             "Transports, as in [comms]. plaq names and skips those that cannot be used here.")
           .one_of(transports())
           .not_empty(),
       field(&Keys::targets, "targets",
             "Targets of the measurement: one application of an operator, one iteration of a method (in one "
             "storage, on the symmetric even-odd operator), one sweep of gauge fixing, or the kernels of a "
             "benchmark. " +
                 target_meanings() + ".")
           .one_of(target_keys()),
       choice(&Keys::storages, "storages",
              "Precision and stored real numbers per link. mixed (gauge fixing): links in single and the "
              "transformation in double precision. Solvers name their own storage.",
              study_storage_names())
           .not_empty(),
       field(&Keys::right_hand_sides, "right_hand_sides",
             "Numbers of right-hand sides that are solved together. Gauge fixing: numbers of gauge copies.")
           .within(1, ActiveSet::capacity)
           .not_empty(),
       field(&Keys::iterations, "iterations",
             "Number of iterations of a method in each sample. No residual is checked.")
           .within(1, 1e6),
       field(&Keys::samples, "samples",
             "Number of measurements of each target. 0: as many as a steady result needs, and one "
             "measurement of each solve.")
           .within(0, 10000),
       field(&Keys::memory_limit, "memory_limit",
             "true: the study also measures the bandwidth of copy and triad, and gives rates as a share of "
             "it."),
       field(&Keys::epsilons, "epsilons",
             "Deviations of the accuracy target. An empty list: 1 and 3 in each decade from 1e-18 to 0.3.")
           .between(0, 1e300),
       field(&Keys::solvers, "solvers",
             "Whole solves of M x = b for random b from x = 0. A solver has the name METHOD, STORAGE or "
             "METHOD, STORAGE in STORAGE, SCHEME NUMBER. METHOD is cg, cgne, bicgstab, gcr or mr; gcr with "
             "multigrid for Wilson, clover and domain-wall quarks; or cg or cgne with deflation(MODES), "
             "where deflation "
             "without a number takes all modes. STORAGE is double, single or half with 18, 12 or 8 real "
             "numbers per link. SCHEME is reliable updates with delta, or defect correction with the inner "
             "tolerance. Speed-ups are relative to the first solver.")
           .such_as("[\"cg, double 18\", \"cg, half 12 in double 18, reliable updates 0.1\"]"),
       field(&Keys::sources, "sources",
             "Number of random sources of each solver. They are the same on each field and at each mass. "
             "right_hand_sides sources are solved together, and must divide this number.")
           .within(1, 65536)
           .such_as("12")
           .without("right_hand_sides"),
       choice(&Keys::noise, "noise", "Noise numbers of the sources. z2: 1 and -1; z4: 1, i, -1 and -i.",
              noise_names()),
       field(&Keys::seed, "seed", "Seed of the sources.").at_least(0),
       field(&Keys::errors, "errors",
             "true: b = M x0 for random x0 in place of random b, and the study keeps the error of each "
             "solution. For light quarks this error is larger than the residual."),
       field(&Keys::deflation, "deflation",
             "Directory of the low modes FIELD.eig.lime (job type eigenvectors) for solvers with deflation. "
             "The study may have one mass only, that of the modes.")
           .such_as("\"modes\"")
           .without("no deflation"),
       shared_key("preconditioning"),
       shared_key("tolerance").otherwise(1e-12),
       shared_key("temporal_gauge"),
       shared_key("max_iterations").means("Largest number of iterations of a right-hand side of a solver."),
       shared_key("restart").means("GCR: number of directions before a restart, unless the name of the "
                                   "solver has one, as in gcr(16)."),
       shared_key("omega").means("Minimal residual iteration: relaxation parameter, unless the name of the "
                                 "solver has one, as in mr(0.9).")}};
}

Table gauge() {
  Table table = gauge_files_table("of the study");
  for (Key& key : table.keys)
    if (key.name == "files") {
      key.required = false;
      key.may_be_empty = true;
      key.fallback.reset();
      key.left_out = "random links";
    }
  table.meaning = "The gauge fields. Their lattice is that of the study.";
  return table;
}

Table output() {
  return output_table(
      "HDF5 file for the results.", "\"study.h5\"",
      {field(&StudyTextKeys::json, "json", "JSON file for the same rows.")
           .such_as("\"study.json\"")
           .without("none"),
       field(&StudyTextKeys::table, "table", "Text file for the table that is printed at the end.")
           .such_as("\"study.txt\"")
           .without("none")});
}

Table model() {
  return {"model",
          "The model of `plaq plan`, whose prediction is written beside each measurement.",
          {field(&ModelKeys::machine, "machine",
                 "Machine whose constants the model takes. none: only those of `measurements`.")
               .one_of(joined<std::string>({{"none"}, machine_names()})),
           field(&ModelKeys::measurements, "measurements",
                 "JSON files of `plaq bench` (network, bandwidth, wilson_hop, krylov). Their constants "
                 "replace those of the machine.")
               .such_as("[\"network.json\"]")}};
}

std::vector<Key> keys_of_setups() {
  return joined<Key>(
      {setup_keys(SetupsKept::where_asked),
       {choice(&StudyKeys::one_setup, "setups",
               "Setups of several masses: one at each mass, or one at the first mass of a field that is "
               "adapted to the other masses. Adapting takes a small part of a setup; put the lightest mass "
               "first. With a directory, each mass begins with the stored setup.",
               {{"each mass", false}, {"first mass", true}})}});
}

bool has_targets(const StudyKeys& keys, bool (Target::*is)() const) {
  return std::any_of(keys.targets.begin(), keys.targets.end(),
                     [&](const auto& key) { return (target(key).*is)(); });
}
bool needs_action(const StudyKeys& keys) {
  return !keys.solvers.empty() || has_targets(keys, &Target::has_action);
}

void check_something(Problems& problems, const StudyKeys& keys, const GaugeFilesKeys& gauge) {
  if (keys.targets.empty() && keys.solvers.empty())
    problems.add("study.targets", "is empty, as is 'solvers': nothing is left to measure");
  const bool lattice = !keys.lattices.empty() || !keys.local_lattices.empty();
  if (gauge.files.empty() && !lattice)
    problems.add(
        "study.lattices",
        "is empty, as are 'local_lattices' and 'files' in [gauge]: there is no lattice to measure on");
  if (!gauge.files.empty() && (keys.lattices.size() > 1 || !keys.local_lattices.empty()))
    problems.add("study.lattices", "the lattice is that of 'files' in [gauge]: name this one, or none");
}

void check_texts(Problems& problems, const StudyKeys& keys) {
  const auto check = [&](const char* key, const std::vector<std::string>& texts) {
    for (const auto& text : texts)
      if (!parse_lattice(text))
        problems.add({"study", key},
                     fmt::format("'{}' must be four even extents, for example 16x16x16x32", text));
  };
  check("lattices", keys.lattices);
  check("local_lattices", keys.local_lattices);
  for (const auto& text : keys.process_grids)
    if (const auto four = parse_four(text);
        !four || 1.0 * (*four)[0] * (*four)[1] * (*four)[2] * (*four)[3] > most_ranks)
      problems.add(
          "study.process_grids",
          fmt::format("'{}' must be four numbers of ranks, 65536 in all at most, for example 1x1x2x4", text));
}

void check_all_once(Problems& problems, const StudyKeys& keys) {
  problems.add_twice("study.lattices", keys.lattices);
  problems.add_twice("study.local_lattices", keys.local_lattices);
  problems.add_twice("study.process_grids", keys.process_grids);
  problems.add_twice("study.ranks", keys.ranks);
  problems.add_twice("study.right_hand_sides", keys.right_hand_sides);
}

void check_splits(Problems& problems, const StudyKeys& keys) {
  for (const auto& text : keys.lattices) {
    const auto lattice = parse_lattice(text);
    if (!lattice) continue;
    for (const int n : keys.ranks)
      if (allowed_grids(n, *lattice).empty())
        problems.add("study.ranks", fmt::format("{} ranks cannot share {} into even local extents", n, text));
    for (const auto& grid_text : keys.process_grids)
      if (const auto grid = parse_four(grid_text))
        for (std::size_t d = 0; d < 4; ++d)
          if ((*lattice)[d] % (2 * (*grid)[d]) != 0)
            problems.add(
                "study.process_grids",
                fmt::format("the {} ranks of {} in direction {} cannot share {} sites of {}; each rank must "
                            "get the same even number of them",
                            (*grid)[d], grid_text, "xyzt"[d], (*lattice)[d], text));
  }
}

void check_comms(Problems& problems, const CommsKeys& keys) {
  if (keys.process_grid)
    problems.add("comms.process_grid", "a study has a list of them: give 'process_grids' in [study]");
  if (keys.transport != TransportKind::automatic)
    problems.add("comms.transport", "a study has a list of them: give 'transports' in [study]");
}

void check_slurm(Problems& problems, const SlurmKeys& slurm, const StudyKeys& keys) {
  if (!keys.names_ranks()) return;
  if (slurm.ranks)
    problems.add("slurm.ranks", "give the numbers of ranks by 'ranks' or 'process_grids' in [study]");
  if (slurm.restarts > 0)
    problems.add(
        "slurm.restarts",
        "a study has a batch job for each number of ranks, which continues by itself; leave the key out");
}

void check_storages(Problems& problems, const StudyKeys& keys, const Settings& job) {
  const bool dirac = has_targets(keys, &Target::has_action), fixing = has_targets(keys, &Target::fixes_gauge);
  const bool compressed = !dirac || action_of_any_mass(job)->has_compressed_links();
  for (const StudyStorage& storage : keys.storages) {
    const auto complain = [&](const char* what) {
      problems.add("study.storages", fmt::format("'{}' is {}", name_of(storage), what));
    };
    if (dirac && !target("hop").takes(storage) && !fixing)
      complain("for gauge fixing alone; Dirac operators and methods are stored in one precision");
    if (fixing && !target("gauge_fixing").takes(storage) && !dirac)
      complain("not for gauge fixing, which has links of 12 reals in double, single or mixed precision");
    if (!compressed && storage.reconstruction != 18)
      complain("for links in SU(3), in which those of hisq quarks are not; take 18 reals");
  }
}

// The first rule of an action: which masses.
void check_action(Problems& problems, const Settings& job) {
  if (needs_action(job.get<StudyKeys>()))
    action_rules(MassKeys::any, all_discretisations()).front().check(problems, job);
}

void check_quarks(Problems& problems, const StudyKeys& keys, const GaugeFilesKeys& gauge,
                  const Settings& job) {
  if (!needs_action(keys)) return;
  const ActionPtr action = action_of_any_mass(job);
  for (const std::string& key : keys.targets) {
    if (key == "schur_asymmetric" && !action->has_asymmetric_form())
      problems.add("study.targets", "schur_asymmetric is for Wilson and clover quarks alone");
    if (target(key).uses_multigrid() && !action->has_multigrid())
      problems.add("study.targets", fmt::format("{}: {}", key, action->no_multigrid()));
  }
  if (action->needs_bounds() && gauge.files.empty())
    problems.add("action.bounds", "missing: the links are random, so that nothing is measured");
  for (const int rhs : keys.right_hand_sides)
    if (rhs * action->Ls() > ActiveSet::capacity)
      problems.add("study.right_hand_sides", fmt::format("{} of {} slices each are more than {} at a time",
                                                         rhs, action->Ls(), ActiveSet::capacity));
}

// Half precision alone has no residual worth the name, and nothing inside is above what is outside.
std::optional<std::string> find_mistake(const SolverSettings& spec) {
  if (spec.outer.precision == Precision::half_precision)
    return "half precision is for inside, around it single or double";
  if (spec.scheme != MixedScheme::none &&
      bytes_of(inner_storage(spec).precision) > bytes_of(spec.outer.precision))
    return "the precision inside is above the one outside";
  return std::nullopt;
}

void check_solvers(Problems& problems, const StudyKeys& keys, const Settings& job) {
  if (keys.solvers.empty()) return;
  const ActionPtr action = action_of_any_mass(job);
  std::vector<SolverSettings> all;
  for (const std::string& text : keys.solvers) {
    const auto complain = [&](const std::string& what) {
      problems.add("study.solvers",
                   fmt::format("\"{}\"{}{}", text, what.starts_with("is ") ? " " : ": ", what));
    };
    SolverSettings spec;
    try {
      spec = parse_solver(text, shared_solver(job));
    } catch (const Error& error) {
      problems.add("study.solvers", error.what());
      continue;
    }
    if (const auto mistake = find_mistake(spec)) {
      complain(*mistake);
      continue;
    }
    if (spec.multigrid && !action->has_multigrid()) complain(action->no_multigrid());
    if (!action->has_compressed_links() &&
        (spec.outer.reconstruction != 18 ||
         (spec.scheme != MixedScheme::none && spec.inner.reconstruction != 18)))
      complain(fmt::format("links of {} quarks are not SU(3): they take 18 reals",
                           job.get<ActionKeys>().type->name()));
    if (spec.modes && keys.deflation.empty())
      problems.missing("study.deflation", fmt::format("where \"{}\" finds its eigenvectors", text));
    if (spec.modes && spec.preconditioning == Preconditioning::none)
      complain("eigenvectors need an even-odd form");
    if (std::find(all.begin(), all.end(), spec) != all.end())
      problems.add("study.solvers", fmt::format("\"{}\" is listed twice", name_of(spec)));
    all.push_back(spec);
  }
}

void check_batches(Problems& problems, const StudyKeys& keys) {
  for (const int rhs : keys.right_hand_sides)
    if (keys.sources && *keys.sources % rhs != 0)
      problems.add("study.sources",
                   fmt::format("{} sources cannot be solved {} at a time; right_hand_sides must divide them",
                               *keys.sources, rhs));
}

std::vector<Rule> rules() {
  const std::vector<Rule> of_study = {
      {{"study.lattices", "study.local_lattices", "study.targets", "study.solvers", "gauge.files"},
       "There must be a target or a solver. There must be either lattices or gauge fields.",
       check_something},
      {{"study.lattices", "study.local_lattices", "study.process_grids"},
       "A lattice or grid is four numbers with an x between them. Extents of lattices are even.",
       check_texts},
      {{"study.lattices", "study.local_lattices", "study.ranks", "study.process_grids",
        "study.right_hand_sides"},
       "No entry may appear twice.",
       check_all_once},
      {{"study.lattices", "study.ranks", "study.process_grids"},
       "Each rank must have the same even number of sites in each direction, at least 2.",
       check_splits},
      {{"comms.process_grid", "comms.transport"},
       "A study does not take these keys: [study] lists what is measured.",
       check_comms},
      {{"slurm.ranks", "slurm.restarts", "study.ranks", "study.process_grids"},
       "These keys must be left out if [study] names ranks: the study has a batch job for each number of "
       "ranks.",
       check_slurm},
      {{"study.storages", "study.targets", "action.type"},
       "Gauge fixing has links of 12 real numbers in double, single or mixed precision. Only gauge fixing "
       "has mixed. Each target takes the storages that it has.",
       check_storages},
      {{"action.type", "action.n_s", "study.targets", "study.right_hand_sides", "gauge.files"},
       "The asymmetric even-odd operator and multigrid need Wilson or clover quarks. Optimal weights need "
       "bounds on random links. A batch has at most 256 slices of the fifth dimension in all.",
       check_quarks},
      {{"action.type", "study.solvers", "study.deflation", "study.preconditioning", "study.tolerance",
        "study.max_iterations", "study.restart", "study.omega"},
       "Each solver must have a name of this form, and none may appear twice. Half precision is possible "
       "inside only. The precision inside must not be above the one outside.",
       check_solvers},
      {{"study.sources", "study.right_hand_sides"},
       "Each number of right-hand sides must divide the number of sources.",
       check_batches}};
  std::vector<Rule> of_action = action_rules(MassKeys::any, all_discretisations());
  of_action.front().text = "Where there are Dirac operators, methods or solvers: " + of_action.front().text;
  of_action.front().check = check_action;
  of_action.front().keys.insert(of_action.front().keys.end(), {"study.targets", "study.solvers"});
  return joined<Rule>({of_study,
                       of_action,
                       {action_smearing_rule(), preconditioning_rule("study")},
                       multigrid_rules(),
                       {setup_rule()},
                       slurm_rules()});
}

}  // namespace

const Schema& study_schema() {
  static const Schema schema{
      "study",
      "Measure operators, methods, gauge fixing, kernels and whole solves: speed, accuracy, scaling, "
      "iterations and time to "
      "solution.",
      {top_table("study"), study(), gauge(), action_table(MassKeys::any, all_discretisations()),
       action_smearing_table(), multigrid_table(keys_of_setups()), model(), output(), comms_table(),
       run_table(), slurm_table()},
      rules()};
  return schema;
}

}  // namespace plaq::jobs
