// generate: quenched SU(3) fields with the Wilson gauge action.
#include "jobs/generate/generate_schema.hpp"

#include "jobs/chain/chain_plan.hpp"
#include "jobs/chain/chain_tables.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/slurm_keys.hpp"

namespace plaq::jobs {
namespace {

constexpr const char* steps = "compound sweeps";

void check_updates(Problems& problems, const CompoundSweepKeys& keys) {
  if (keys.heatbath == 0 && keys.overrelaxation == 0)
    problems.add("update.heatbath", "with overrelaxation = 0 it must be at least 1");
}

Table gauge() {
  return {"gauge", "Gauge action, and first links of the Markov chain.",
          joined<Key>({{field(&GaugeStartKeys::action, "action", "Gauge action.").one_of({"wilson"}),
                        field(&GaugeStartKeys::beta, "beta", "Coupling 6/g^2 of the Wilson gauge action.")
                            .within(0, 1000)
                            .need("6.0")},
                       chain_start_keys("sweeps")})};
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
  static const Schema schema{
      "generate",
      "Generate quenched SU(3) fields with the Wilson gauge action, by heatbath and overrelaxation.",
      {top_table("generate"), lattice_table(LatticeFrom::job), gauge(), update(),
       chain_output_table("compound sweep", steps, "the observables"), comms_table(), run_table(),
       slurm_table()},
      joined<Rule>({common_rules(),
                    chain_rules(),
                    {{{"update.heatbath", "update.overrelaxation"},
                      "heatbath and overrelaxation must not both be 0.",
                      check_updates}}})};
  return schema;
}

}  // namespace plaq::jobs
