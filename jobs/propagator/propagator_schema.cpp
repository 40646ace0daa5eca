// propagator: quark propagators of sources and their correlators.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "jobs/correlators/correlators.hpp"
#include "jobs/propagator/propagator.hpp"
#include "jobs/propagator/propagator_observable.hpp"
#include "jobs/propagator/source_files.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_file.hpp"
#include "jobs/schema/slurm_keys.hpp"
#include "observables/quark/quarks_together.hpp"
#include "settings/action/action_table.hpp"
#include "settings/action/discretisation.hpp"
#include "settings/gauge/link_smearing.hpp"
#include "settings/quark/quark_observable_tables.hpp"
#include "settings/solver/approximation_table.hpp"
#include "settings/solver/field_files.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {
namespace {

void check_noise(Problems& problems, const CorrelatorKeys& correlators, const Settings& job) {
  if (!first_source(job)->is_noise()) return;
  for (const Channel& channel : channels_of(job))
    if (!channel.no_noise.empty()) problems.add("correlators.channels", channel.no_noise);
  if (correlators.max_momentum_squared > 0)
    problems.add("correlators.max_momentum_squared",
                 "noise sources have momentum 0 alone, and other momenta average to 0; take a point source");
}

// Channels and sources are of spinors, or of staggered quarks.
void check_quarks(Problems& problems, const ActionKeys& action, const Settings& job) {
  const std::string type = action.type->name();
  const int spins = action_of_any_mass(job)->spins();
  const bool staggered = spins == 1;
  std::vector<std::string> wrong;
  for (const Channel& channel : channels_of(job))
    if (channel.spins() != spins) wrong.push_back(channel.name);
  if (!wrong.empty())
    problems.add(
        "correlators.channels",
        fmt::format(
            "of {}: {}; type = \"{}\" in [action] has {}",
            staggered ? "quarks with spin" : "staggered quarks", fmt::join(wrong, ", "), type,
            staggered ? "pion_ps, pion_sc, rho_vt, rho_pv, nucleon and the like" : "pion, rho and the like"));
  const SourcePtr source = first_source(job);
  if (!staggered && source->type_with_spin() != source->type())
    problems.add("source.type",
                 fmt::format("{} is of staggered quarks; for type = \"{}\" in [action] there is {}",
                             source->type(), type, source->type_with_spin()));
}

// Staggered quarks have derivatives along two links, which keep tastes apart.
void check_derivative(Problems& problems, const SourceKeys& source, const Settings& job) {
  if (!source.derivative.empty() && action_of_any_mass(job)->spins() == 1)
    problems.add("source.derivative", "is of quarks with spin; staggered quarks would mix their tastes");
}

void check_columns(Problems& problems, const Settings& job) {
  if (first_source(job)->column_stride() == 1) return;
  for (const PropagatorObservable* observable : observables_of(job))
    if (!observable->takes_some_columns())
      problems.add(
          "source.dilution",
          fmt::format("\"spin\" leaves columns of the propagator out, which {} needs", observable->key()));
}

void check_momentum(Problems& problems, const QuarkSmearingKeys& smearing, const ThreePointKeys& three_point,
                    const Settings& job) {
  check_smearing_momentum(problems, smearing, channels_of(job));
  if (has_momentum(smearing) && std::find(three_point.insertions.begin(), three_point.insertions.end(),
                                          insertion_names[0]) != three_point.insertions.end())
    problems.add("three_point.insertions", "of the pion need quarks of opposite momenta in [quark_smearing]");
}

void check_space_boundary(Problems& problems, const ActionKeys& action, const ThreePointKeys& three_point,
                          const Settings& job) {
  const SpaceSigns boundary = action.in_space();
  if (boundary == periodic_in_space) return;
  for (const Channel& channel : channels_of(job))
    if (const auto why = refuse_in_space(boundary, channel)) problems.add("correlators.channels", *why);
  if (three_point.has_nucleon())
    problems.add("three_point.insertions", "of the proton need quarks that are periodic in space");
  if (const auto why = refuse_source_in_space(boundary, first_source(job)->type()))
    problems.add("source.type", *why);
}

void check_steps(Problems& problems, const QuarkSmearingKeys& smearing, const Settings& job) {
  check_smearing_steps(problems, smearing, action_of_any_mass(job)->spins() == 1 ? 2 : 1);
}

// Joins what `have` returns of each observable.
template <class T>
std::vector<T> of_observables(std::vector<T> (PropagatorObservable::*have)() const) {
  std::vector<T> all;
  for (const PropagatorObservable* observable : propagator_observables())
    all = joined<T>({all, (observable->*have)()});
  return all;
}

std::vector<Table> tables() {
  using Observable = PropagatorObservable;
  return joined<Table>(
      {{top_table("propagator"),
        lattice_table(LatticeFrom::file),
        gauge_files_table("of measurement"),
        action_table(MassKeys::any, all_discretisations()),
        action_smearing_table(),
        source_table(all_source_kinds()),
        quark_smearing_table(true),
        link_smearing_table(
            "that smear the quarks. [action_smearing] smears the links of the Dirac operator"),
        solver_table(),
        multigrid_table(setup_keys(SetupsKept::where_asked)),
        approximation_table("sources"),
        {"correlators", "The two-point functions.", of_observables(&Observable::correlator_keys)}},
       of_observables(&Observable::tables),
       {output_table("HDF5 file for the correlators.", "\"pion.h5\"",
                     of_observables(&Observable::output_keys)),
        comms_table(), run_table(), slurm_table()}});
}

std::vector<Rule> rules() {
  return joined<Rule>(
      {common_rules(),
       dirac_rules(MassKeys::any),
       {action_smearing_rule(), link_smearing_rule()},
       source_rules(all_source_kinds()),
       {{{"source.type", "correlators.channels", "correlators.max_momentum_squared"},
         "Noise sources allow only mesons at momentum 0.",
         check_noise},
        {{"action.type", "correlators.channels", "source.type"},
         "Staggered quarks have their own channels, and only they have corner walls.",
         check_quarks},
        {{"action.boundary", "source.type", "correlators.channels", "three_point.insertions"},
         "Baryons and extended sources need quarks that are periodic in space.",
         check_space_boundary},
        {{"source.dilution"},
         "Noise that is diluted in spin alone allows only two-point functions.",
         check_columns},
        {{"source.derivative", "action.type"}, "Staggered quarks have no derivatives.", check_derivative},
        {{"quark_smearing.momentum", "quark_smearing.steps", "correlators.channels",
          "three_point.insertions"},
         smearing_momentum_text,
         check_momentum},
        quark_smearing_rule(),
        {{"quark_smearing.steps", "quark_smearing.sigma", "quark_smearing.allow_unstable", "action.type"},
         smearing_steps_text,
         check_steps}},
       of_observables(&PropagatorObservable::rules),
       {setup_rule(), approximation_rule(), rule_of_approximations()}});
}

}  // namespace

const Schema& propagator_schema() {
  static const Schema schema{
      "propagator",
      "Compute quark propagators from sources, and correlators of them, on one or more gauge fields.",
      tables(), rules()};
  return schema;
}

}  // namespace plaq::jobs
