// generate: quenched SU(3) fields.
#include "jobs/generate/generate_schema.hpp"

#include "jobs/chain/chain_plan.hpp"
#include "jobs/chain/chain_tables.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/slurm_keys.hpp"
#include "kernels/gauge/link_colours.hpp"
#include "settings/gauge/gauge_action_table.hpp"
#include "settings/lattice/lattice_tables.hpp"

namespace plaq::jobs {
namespace {

constexpr const char* steps = "compound sweeps";

void check_updates(Problems& problems, const CompoundSweepKeys& keys) {
  if (keys.heatbath == 0 && keys.overrelaxation == 0)
    problems.add("update.heatbath", "with overrelaxation = 0 it must be at least 1");
}

void check_extents(Problems& problems, const GaugeActionKeys& gauge, const LatticeKeys& lattice) {
  if (!lattice.extents || (gauge.action == "rectangles" && !gauge.c1)) return;
  if (const auto fault = LinkColours::fault_of(loop_weights(gauge), *lattice.extents))
    problems.add("lattice.extents", *fault);
}

Table gauge() {
  return {"gauge", "Gauge action, and first links of the Markov chain.",
          joined<Key>({gauge_action_keys("6.0"), chain_start_keys("sweeps")})};
}

Table update() {
  return {"update",
          "The Markov chain. A compound sweep is `heatbath` heatbath sweeps and then `overrelaxation` "
          "overrelaxation sweeps.",
          joined<Key>({{chain_seed_key(),
                        field(&CompoundSweepKeys::heatbath, "heatbath",
                              "Cabibbo-Marinari pseudo-heatbath sweeps in a compound sweep.")
                            .within(0, 1000),
                        field(&CompoundSweepKeys::overrelaxation, "overrelaxation",
                              "Microcanonical overrelaxation sweeps in a compound sweep.")
                            .within(0, 1000)},
                       chain_length_keys(steps),
                       {field(&CompoundSweepKeys::reunitarize_every, "reunitarize_every",
                              "Number of compound sweeps between two projections of the links onto SU(3).")
                            .within(1, 1000)}})};
}

}  // namespace

const Schema& generate_schema() {
  static const Schema schema{"generate",
                             "Generate quenched SU(3) fields by heatbath and overrelaxation, with the Wilson "
                             "gauge action or an improved one.",
                             {top_table("generate"), lattice_table(LatticeFrom::job), gauge(), update(),
                              chain_output_table("compound sweep", steps, "the observables"), comms_table(),
                              run_table(), slurm_table()},
                             joined<Rule>({common_rules(),
                                           chain_rules(),
                                           {gauge_action_rule(),
                                            {{"gauge.action", "gauge.beta", "gauge.c1", "gauge.u0",
                                              "gauge.flavours", "gauge.anisotropy", "lattice.extents"},
                                             "An action with rectangles needs extents of at least 4.",
                                             check_extents},
                                            {{"update.heatbath", "update.overrelaxation"},
                                             "heatbath and overrelaxation must not both be 0.",
                                             check_updates}}})};
  return schema;
}

}  // namespace plaq::jobs
