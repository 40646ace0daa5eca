// loops: traces of quark propagators by noise.
#include <fmt/format.h>

#include <algorithm>

#include "jobs/loops/loop_measurement.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_file.hpp"
#include "jobs/schema/slurm_keys.hpp"
#include "kernels/quark/sequential.hpp"
#include "quarks/action/hopping_expansion.hpp"
#include "settings/action/action_table.hpp"
#include "settings/action/discretisation.hpp"
#include "settings/quark/quark_observable_tables.hpp"
#include "settings/solver/approximation_table.hpp"
#include "settings/solver/field_files.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {
namespace {

std::vector<std::string> current_names() {
  std::vector<std::string> names;
  for (const LoopCurrent& current : all_loop_currents()) names.push_back(current.name);
  return names;
}

void check_currents(Problems& problems, const LoopKeys& keys, const NoiseDilution& dilution,
                    const Settings& job) {
  if (action_of_any_mass(job)->spins() != 1) return;
  for (const std::string& name : keys.currents)
    if (name != "scalar")
      problems.add("loops.currents",
                   fmt::format("{} is of quarks with spin; staggered quarks have scalar", name));
  if (dilution.spin) problems.add("dilution.spin", "staggered quarks have no spin");
}

void check_hopping(Problems& problems, const LoopKeys& keys, const LatticeKeys& lattice,
                   const Settings& job) {
  if (keys.hopping == 0) return;
  if (!hopping_diagonal(*action_of_any_mass(job)))
    problems.add("loops.hopping", "is an expansion of Wilson quarks without clover term and twist");
  if (lattice.extents)
    if (const auto wrong = hopping_fault(keys.hopping, *lattice.extents))
      problems.add("loops.hopping", *wrong);
}

void check_one_end(Problems& problems, const LoopKeys& keys, const Settings& job) {
  if (!keys.one_end) return;
  if (loop_quarks(*action_of_any_mass(job)).twisted_mass == 0)
    problems.add("loops.one_end",
                 "is of the two flavours of twisted-mass quarks; give twisted_mass in [action]");
  if (keys.susceptibility)
    problems.add("loops.susceptibility", "is of one flavour; leave it out, or one_end");
}

void check_dilution(Problems& problems, const NoiseDilution& dilution, const LatticeKeys& lattice) {
  const std::string wrong = lattice.extents ? dilution.fault(*lattice.extents) : dilution.fault();
  if (wrong.empty()) return;
  const std::string key = wrong.substr(0, wrong.find(':'));
  const bool names_key = key == "probing" || (key == "even_odd" && !lattice.extents);
  problems.add({"dilution", names_key ? key : "time"}, names_key ? wrong.substr(key.size() + 2) : wrong);
}

void check_truncated(Problems& problems, const ApproximationKeys& keys, const LoopNoise& noise,
                     const LoopKeys& loops) {
  if (!keys.is_asked()) return;
  if (keys.exact > noise.vectors)
    problems.add("approximation.exact",
                 fmt::format("found {}, but [noise] vectors is {}", keys.exact, noise.vectors));
  if (loops.susceptibility)
    problems.add("loops.susceptibility",
                 "is of exact solves; leave it out, or the table [approximation] with exact");
}

Table loops() {
  return {
      "loops",
      "The loops sum_x exp(-i p x) tr[Gamma M^-1(x, x)] on each time slice.",
      {field(&LoopKeys::currents, "currents",
             "Matrices Gamma. scalar: 1; pseudoscalar: gamma5; vector: gamma_mu; axial: gamma_mu gamma5; "
             "tensor: (i/2) [gamma_mu, gamma_nu]. Staggered quarks have only scalar.")
           .one_of(current_names())
           .not_empty()
           .such_as("[\"scalar\", \"pseudoscalar\"]")
           .without("all"),
       field(&LoopKeys::max_momentum_squared, "max_momentum_squared", job_momenta_meaning).within(0, 100),
       field(&LoopKeys::susceptibility, "susceptibility",
             "true: also tr M^-2 for the connected part of the chiral susceptibility, by a second solve for "
             "each part of a noise vector."),
       field(&LoopKeys::hopping, "hopping",
             "Order n of the hopping expansion of Wilson quarks: noise is left in H^n M^-1, and the terms of "
             "fewer hops are exact. Every extent must be at least n. 0: no expansion.")
           .within(0, most_hopping_order),
       field(&LoopKeys::one_end, "one_end",
             "true: loops of the difference of both flavours of a twisted-mass doublet, M(mu)^-1 - M(-mu)^-1 "
             "in the place of M^-1, by the one-end trick.")}};
}

std::vector<Rule> loop_rules() {
  return joined<Rule>(
      {common_rules(),
       dirac_rules(),
       {action_smearing_rule(),
        {{"dilution.time", "dilution.space", "dilution.even_odd", "dilution.probing", "lattice.extents"},
         "The numbers of time and space must divide the extents. even_odd must split parts "
         "that are still whole. probing takes a power of 2, extents that fit it, and neither "
         "space nor even_odd.",
         check_dilution},
        {{"loops.currents", "dilution.spin", "action.type"},
         "Staggered quarks have no spin.",
         check_currents},
        {{"loops.hopping", "action.type", "action.twisted_mass", "lattice.extents"},
         "A hopping expansion is of Wilson quarks without clover term and twist, on lattices "
         "that it does not go around.",
         check_hopping},
        {{"loops.one_end", "loops.susceptibility", "action.type", "action.twisted_mass"},
         "The one-end trick is of twisted-mass quarks, and has no susceptibility.",
         check_one_end},
        setup_rule(),
        approximation_rule(),
        {{"approximation.exact", "noise.vectors", "loops.susceptibility"},
         "There are no more exact vectors than vectors. The susceptibility has exact solves.",
         check_truncated}}});
}

}  // namespace

std::vector<LoopCurrent> loop_currents(const Settings& job) {
  const auto asked = job.get<LoopKeys>().currents;
  std::vector<LoopCurrent> currents;
  for (const LoopCurrent& current : loop_currents_of(action_of_any_mass(job)->spins()))
    if (asked.empty() || std::find(asked.begin(), asked.end(), current.name) != asked.end())
      currents.push_back(current);
  return currents;
}

const Schema& loops_schema() {
  static const Schema schema{
      "loops",
      "Compute quark loops on time slices by noise with dilution, for disconnected diagrams and the chiral "
      "condensate.",
      {top_table("loops"), lattice_table(LatticeFrom::file), gauge_files_table("of measurement"),
       action_table(MassKeys::one, all_discretisations()), action_smearing_table(), loop_noise_table(true),
       loop_dilution_table(), loops(), solver_table(), multigrid_table(setup_keys(SetupsKept::where_asked)),
       approximation_table("noise vectors"), output_table("HDF5 file for the loops.", "\"loops.h5\""),
       comms_table(), run_table(), slurm_table()},
      loop_rules()};
  return schema;
}

}  // namespace plaq::jobs
