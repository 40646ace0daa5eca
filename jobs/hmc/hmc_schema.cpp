// hmc: gauge fields by hybrid Monte Carlo, with flavours of quarks or without.
#include "jobs/hmc/hmc_schema.hpp"

#include <fmt/format.h>

#include "jobs/chain/chain_plan.hpp"
#include "jobs/chain/chain_tables.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/slurm_keys.hpp"
#include "kernels/gauge/link_colours.hpp"
#include "settings/action/action_table.hpp"
#include "settings/gauge/gauge_action_table.hpp"
#include "settings/hmc/hmc_tables.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {
namespace {

constexpr const char* steps = "trajectories";

Table gauge() {
  return {"gauge", "Gauge action, and first links of the Markov chain.",
          joined<Key>(
              {gauge_action_keys("5.6"),
               chain_start_keys(steps,
                                "quenched: links of a heatbath with the gauge action at quenched_beta, "
                                "smooth enough for light quarks to begin with."),
               {field(&QuenchedStartKeys::beta, "quenched_beta",
                      "Coupling of the heatbath of start = \"quenched\". Quarks make links smoother: their "
                      "links resemble quenched ones of a larger beta.")
                    .within(0, 1000)
                    .such_as("5.9")
                    .without("beta, for start = \"quenched\""),
                field(&QuenchedStartKeys::sweeps, "quenched_sweeps",
                      "Compound sweeps of that heatbath, from random links on; each is a heatbath sweep and "
                      "4 of overrelaxation.")
                    .within(1, 1e6)
                    .such_as("200")
                    .without("100, for start = \"quenched\"")}})};
}

Table update() {
  std::vector<Key> keys = joined<Key>({{chain_seed_key()}, chain_length_keys(steps)});
  for (Key& key : keys) {
    if (key.name == "thermalization") key.otherwise(std::int64_t{100});
    if (key.name == "separation") key.otherwise(std::int64_t{10});
  }
  return {"update", "The Markov chain of trajectories.", keys};
}

Table hmc() {
  return {
      "hmc",
      "Trajectories of molecular dynamics. The terms of the action are gauge; for quarks of one mass quarks, "
      "quarks_ratio_1, ... for the ladder, quarks_rational_1, ... for an odd flavour or staggered quarks, "
      "quarks_exact for an exact one, "
      "and quarks_determinant for the clover term; for quarks of several masses the same with quarks_1, "
      "quarks_2, ... in place of "
      "quarks. A ladder of staggered quarks begins with quarks_rational_1, and joint masses count as "
      "one.",
      joined<Key>(
          {trajectory_keys(),
           {field(&HmcKeys::acceptance, "acceptance",
                  "Share of trajectories to be accepted. During thermalisation the steps of all time scales "
                  "are chosen for it, after every 10 trajectories: for the least cost, from dH and from what "
                  "the forces on each time scale contribute to it. Then they stay.")
                .between(0, 1)
                .such_as("0.85")
                .without("steps as given"),
            field(&HmcKeys::unconditional, "unconditional",
                  "Trajectories at the beginning that are accepted whatever dH is, so that a rough start can "
                  "relax.")
                .within(0, 1e6),
            field(&HmcKeys::reversibility_every, "reversibility_every",
                  "Trajectories from one that is integrated back, to measure its reversibility, to the next; "
                  "0: "
                  "none is.")
                .within(0, 1e6),
            field(
                &HmcKeys::checkpoint_minutes, "checkpoint_minutes",
                "Minutes between two checkpoints within a trajectory, PREFIX.trajectory, from which a run "
                "that was killed goes on within it. A signal ends a run with such a checkpoint in any case.")
                .between(0, 1e6)
                .such_as("30")
                .without("only at a signal")
                .not_physics()}})};
}

void check_start(Problems& problems, const Settings& job) {
  const auto quenched = job.get<QuenchedStartKeys>();
  const auto gauge = job.get<GaugeActionKeys>();
  const auto extents = job.get<LatticeKeys>().extents;
  if (job.get<GaugeStartKeys>().start != ChainStart::quenched) {
    const char* unread = "is read only with start = \"quenched\"";
    if (quenched.beta) problems.add("gauge.quenched_beta", unread);
    if (quenched.sweeps) problems.add("gauge.quenched_sweeps", unread);
    return;
  }
  if (!extents || (gauge.action == "rectangles" && !gauge.c1)) return;
  if (LinkColours::fault_of(quenched_weights(gauge, quenched), *extents))
    problems.add("gauge.start", fmt::format("the heatbath of quenched links needs extents of at least 4 with "
                                            "rectangles, and the lattice is {}; start hot or cold",
                                            to_string(*extents)));
}

void check_tuning(Problems& problems, const HmcKeys& hmc, const ChainKeys& chain) {
  if (hmc.acceptance && chain.thermalization < 10)
    problems.add(
        "hmc.acceptance",
        fmt::format("steps are chosen after every 10 trajectories of thermalisation, and [update] has {}",
                    chain.thermalization));
}

}  // namespace

LoopWeights quenched_weights(const GaugeActionKeys& action, const QuenchedStartKeys& start) {
  GaugeActionKeys keys = action;
  keys.beta = start.beta.value_or(action.beta);
  return loop_weights(keys);
}

const Schema& hmc_schema() {
  static const Schema schema{
      "hmc",
      "Generate gauge fields by hybrid Monte Carlo, with flavours of Wilson, clover, staggered, HISQ or "
      "domain-wall quarks if [action] has masses, or with the gauge action alone.",
      {top_table("hmc"), lattice_table(LatticeFrom::job), gauge(), action_table(MassKeys::any, sea_quarks()),
       action_smearing_table(), update(), hmc(), rational_table(), md_solver_table(), multigrid_table(),
       chain_output_table("trajectory", steps,
                          "dH, forces and iterations of each trajectory, and the observables"),
       comms_table(), run_table(), slurm_table()},
      joined<Rule>(
          {common_rules(),
           chain_rules(),
           hmc_rules(),
           {{{"hmc.acceptance", "update.thermalization"},
             "acceptance needs a thermalisation of at least 10 trajectories.",
             check_tuning},
            {{"gauge.start", "gauge.quenched_beta", "gauge.quenched_sweeps", "gauge.action", "gauge.c1",
              "gauge.u0", "gauge.flavours", "gauge.anisotropy", "lattice.extents"},
             "quenched_beta and quenched_sweeps belong to start = \"quenched\", which needs extents of "
             "at least 4 where the action has rectangles.",
             check_start},
            gauge_action_rule()}})};
  return schema;
}

}  // namespace plaq::jobs
