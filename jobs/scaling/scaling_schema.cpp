// scaling: strong and weak scaling of operators and solvers over ranks, process grids and transports.
#include <fmt/format.h>

#include <algorithm>

#include "comms/grid/process_grid.hpp"
#include "comms/transport/transport_choice.hpp"
#include "core/lattice/four_numbers.hpp"
#include "core/operator/active_set.hpp"
#include "jobs/model/machine_model.hpp"
#include "jobs/scaling/scaling_keys.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/slurm_keys.hpp"
#include "settings/action/discretisation.hpp"
#include "settings/solver/multigrid_table.hpp"
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

Table scaling() {
  using Keys = ScalingTable;
  return {
      "scaling",
      "Points of the study: every lattice on every process grid, by every transport.",
      {field(&Keys::strong_texts, "strong", "Lattices, sites in x, y, z, t, that all ranks share.")
           .such_as("[\"32x32x32x64\", \"48x48x48x64\"]")
           .show(),
       field(&Keys::weak_texts, "weak", "Lattices that each rank has for itself.")
           .such_as("[\"24x24x24x24\"]"),
       field(&Keys::ranks, "ranks",
             "Numbers of ranks; grids are chosen: of strong scaling the one of least surface, of weak "
             "scaling the one that keeps the lattice nearest to a cube.")
           .within(1, most_ranks)
           .such_as("[1, 2, 4, 8]")
           .show(),
       field(&Keys::grid_texts, "process_grids", "Further process grids, ranks in x, y, z, t.")
           .such_as("[\"1x1x1x4\", \"1x1x2x2\"]"),
       field(&Keys::transports, "transports",
             "How faces travel, as in [comms]; one that cannot be used here is said and left out.")
           .one_of(transports())
           .not_empty(),
       field(&Keys::operators, "operators", "What is measured: " + subject_meanings(false) + ".")
           .one_of(subject_keys(false)),
       field(
           &Keys::methods, "methods",
           "Methods, each alone in one storage on the symmetric even-odd operator, whose time is that of an "
           "iteration; setting multigrid up has a time of its own: " +
               subject_meanings(true) + ".")
           .one_of(subject_keys(true)),
       choice(&Keys::storages, "storages",
              "Precision and real numbers that a link is stored as; mixed: of gauge fixing, links in single "
              "and g in double precision.",
              study_storage_names())
           .not_empty(),
       field(&Keys::right_hand_sides, "right_hand_sides",
             "Right-hand sides at once; of gauge fixing gauge copies.")
           .within(1, 256)
           .not_empty(),
       field(&Keys::iterations, "iterations",
             "Iterations of a method in each sample; a residual is not looked at.")
           .within(1, 1e6),
       field(&Keys::samples, "samples", "Times that each is measured; 0: as many as a steady result needs.")
           .within(0, 10000)}};
}

Table output() {
  return output_table(
      "HDF5 file of the results.", "\"scaling.h5\"",
      {field(&ScalingTextKeys::json, "json",
             "JSON file of the same, a row for each point, operator and storage.")
           .such_as("\"scaling.json\"")
           .without("none"),
       field(&ScalingTextKeys::table, "table", "Text file of the table that is printed at the end.")
           .such_as("\"scaling.txt\"")
           .without("none")});
}

Table model() {
  return {"model",
          "What the model of plaq plan expects, beside what is measured.",
          {field(&ModelKeys::machine, "machine",
                 "Machine whose constants the model takes; none: those of `measurements` alone.")
               .one_of(joined<std::string>({{"none"}, machine_names()})),
           field(&ModelKeys::measurements, "measurements",
                 "Files of plaq bench with --json (network, bandwidth, wilson_hop, krylov), whose constants "
                 "replace those of the machine.")
               .such_as("[\"network.json\"]")}};
}

void check_something(Problems& problems, const ScalingTable& keys) {
  const auto expect = [&](bool something, const char* key, const char* other, const char* what) {
    if (!something) problems.add({"scaling", key}, fmt::format("is empty, as is '{}': {}", other, what));
  };
  const auto any = [](const auto& a, const auto& b) { return !a.empty() || !b.empty(); };
  expect(any(keys.strong_texts, keys.weak_texts), "strong", "weak", "there is no lattice to measure on");
  expect(any(keys.ranks, keys.grid_texts), "ranks", "process_grids", "no rank is left to measure on");
  expect(any(keys.operators, keys.methods), "operators", "methods", "nothing is left to measure");
}

void check_texts(Problems& problems, const ScalingTable& keys) {
  const auto lattices = [&](const char* key, const std::vector<std::string>& texts) {
    for (const auto& text : texts)
      if (!parse_lattice(text))
        problems.add({"scaling", key},
                     fmt::format("'{}' must be four even extents, for example 16x16x16x32", text));
  };
  lattices("strong", keys.strong_texts);
  lattices("weak", keys.weak_texts);
  for (const auto& text : keys.grid_texts)
    if (const auto four = parse_four(text);
        !four || 1.0 * (*four)[0] * (*four)[1] * (*four)[2] * (*four)[3] > most_ranks)
      problems.add(
          "scaling.process_grids",
          fmt::format("'{}' must be four numbers of ranks, 65536 in all at most, for example 1x1x2x4", text));
}

void check_all_once(Problems& problems, const ScalingTable& keys) {
  problems.add_twice("scaling.strong", keys.strong_texts);
  problems.add_twice("scaling.weak", keys.weak_texts);
  problems.add_twice("scaling.process_grids", keys.grid_texts);
  problems.add_twice("scaling.ranks", keys.ranks);
  problems.add_twice("scaling.right_hand_sides", keys.right_hand_sides);
}

void check_splits(Problems& problems, const ScalingTable& keys) {
  for (const auto& text : keys.strong_texts) {
    const auto lattice = parse_lattice(text);
    if (!lattice) continue;
    for (const int n : keys.ranks)
      if (allowed_grids(n, *lattice).empty())
        problems.add("scaling.ranks",
                     fmt::format("{} ranks cannot share {} into even local extents", n, text));
    for (const auto& grid_text : keys.grid_texts)
      if (const auto grid = parse_four(grid_text))
        for (std::size_t d = 0; d < 4; ++d)
          if ((*lattice)[d] % (2 * (*grid)[d]) != 0)
            problems.add("scaling.process_grids",
                         fmt::format("the {} ranks of {} in direction {} cannot share {} sites of {}; each "
                                     "rank must get the same even number of them",
                                     (*grid)[d], grid_text, "xyzt"[d], (*lattice)[d], text));
  }
}

void check_comms(Problems& problems, const CommsKeys& keys) {
  if (keys.process_grid)
    problems.add("comms.process_grid",
                 "a scaling job has many; they are 'ranks' and 'process_grids' in [scaling]");
  if (keys.transport != TransportKind::automatic)
    problems.add("comms.transport", "a scaling job has many; they are 'transports' in [scaling]");
}

void check_slurm(Problems& problems, const SlurmKeys& keys) {
  if (keys.ranks)
    problems.add("slurm.ranks", "a scaling job has many; they are 'ranks' and 'process_grids' in [scaling]");
  if (keys.restarts > 0)
    problems.add("slurm.restarts", "a scaling job has a batch job for each number of ranks; each goes on");
}

// Whether anything that fixes the gauge is asked for, or anything that does not.
bool asks_for(const ScalingTable& keys, bool fixes_gauge) {
  const auto fits = [&](const std::string& key) { return subject(key).fixes_gauge() == fixes_gauge; };
  return std::any_of(keys.operators.begin(), keys.operators.end(), fits) ||
         std::any_of(keys.methods.begin(), keys.methods.end(), fits);
}

void check_storages(Problems& problems, const ScalingTable& keys, const Settings& job) {
  const bool compressed = action_of_any_mass(job)->has_compressed_links();
  const auto complain = [&](const StudyStorage& storage, const char* what) {
    problems.add("scaling.storages", fmt::format("'{}' is {}", name_of(storage), what));
  };
  for (const StudyStorage& storage : keys.storages) {
    if (!subject("hop").takes(storage) && asks_for(keys, false))
      complain(storage, "of gauge fixing alone; Dirac operators and methods are stored in one precision");
    if (!compressed && asks_for(keys, false) && storage.reals != 18)
      complain(storage, "of links of SU(3), which those of hisq quarks are not: they take 18 reals");
    if (!subject("gauge_fixing").takes(storage) && asks_for(keys, true))
      complain(storage,
               "not of gauge fixing, which has links of 12 reals in double, single or mixed precision");
  }
}

// The first rule of an action: which mass.
void check_action(Problems& problems, const Settings& job) {
  if (asks_for(job.get<ScalingTable>(), false))
    action_rules(MassKeys::one, all_discretisations()).front().check(problems, job);
}

// What other quarks than Wilson's do without here.
void check_other_quarks(Problems& problems, const ScalingTable& keys, const Settings& job) {
  const ActionPtr action = action_of_any_mass(job);
  const bool asymmetric =
      std::find(keys.operators.begin(), keys.operators.end(), "schur_asymmetric") != keys.operators.end();
  if (!action->has_asymmetric_form() && asymmetric)
    problems.add("scaling.operators", "schur_asymmetric is of Wilson and clover quarks alone");
  if (action->needs_bounds())
    problems.add("action.bounds",
                 "missing: the links of a scaling job are random, so that nothing is measured");
  for (const std::string& key : keys.methods)
    if (subject(key).uses_multigrid() && !action->has_multigrid())
      problems.add("scaling.methods", fmt::format("{} is of Wilson and clover quarks, not of {} ones", key,
                                                  job.get<ActionKeys>().type->name()));
  for (const int rhs : keys.right_hand_sides)
    if (rhs * action->slices() > ActiveSet::capacity)
      problems.add("scaling.right_hand_sides", fmt::format("{} of {} slices each are more than {} at a time",
                                                           rhs, action->slices(), ActiveSet::capacity));
}

std::vector<Rule> rules() {
  const std::vector<Rule> of_scaling = {
      {{"scaling.strong", "scaling.weak", "scaling.ranks", "scaling.process_grids", "scaling.operators",
        "scaling.methods"},
       "There must be a lattice, a number of ranks or a process grid, and an operator or a method.",
       check_something},
      {{"scaling.strong", "scaling.weak", "scaling.process_grids"},
       "Four numbers with an x between them; extents of lattices are even.",
       check_texts},
      {{"scaling.strong", "scaling.weak", "scaling.ranks", "scaling.process_grids",
        "scaling.right_hand_sides"},
       "Each stands there once.",
       check_all_once},
      {{"scaling.strong", "scaling.ranks", "scaling.process_grids"},
       "Each rank must get the same even number of sites in each direction, at least 2.",
       check_splits},
      {{"comms.process_grid", "comms.transport"},
       "In a scaling job they are left alone: [scaling] lists what is measured.",
       check_comms},
      {{"slurm.ranks", "slurm.restarts"},
       "In a scaling job they are left alone: it has a batch job for each number of ranks.",
       check_slurm},
      {{"scaling.storages", "scaling.operators", "scaling.methods", "action.type"},
       "Gauge fixing has links of 12 reals in double, single or mixed precision; nothing else is mixed.",
       check_storages},
      {{"action.type", "action.n_s", "scaling.operators", "scaling.methods", "scaling.right_hand_sides"},
       "The asymmetric even-odd operator and multigrid are of Wilson and clover quarks; optimal weights need "
       "bounds; a batch has at most 256 slices of the fifth dimension in all.",
       check_other_quarks}};
  std::vector<Rule> of_action = action_rules(MassKeys::one, all_discretisations());
  of_action.front().text = "Where there are Dirac operators or methods: " + of_action.front().text;
  of_action.front().check = check_action;
  of_action.front().keys.insert(of_action.front().keys.end(), {"scaling.operators", "scaling.methods"});
  return joined<Rule>({of_scaling, of_action, multigrid_rules(), slurm_rules()});
}

}  // namespace

const Schema& scaling_schema() {
  static const Schema schema{
      "scaling",
      "Measure strong and weak scaling of Dirac operators, solvers and gauge fixing "
      "over ranks, process grids and transports, on random fields.",
      {top_table("scaling"), scaling(), action_table(MassKeys::one, all_discretisations()), multigrid_table(),
       model(), output(), comms_table(), run_table(), slurm_table()},
      rules()};
  return schema;
}

}  // namespace plaq::jobs
