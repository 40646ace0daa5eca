// hmc: gauge fields by hybrid Monte Carlo, with two degenerate flavours of Wilson or clover quarks or
// without.
#include "jobs/hmc/hmc_schema.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/system/error.hpp"
#include "jobs/chain/chain_plan.hpp"
#include "jobs/chain/chain_tables.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/slurm_keys.hpp"
#include "kernels/gauge/gauge_action.hpp"
#include "quarks/action/wilson_action.hpp"
#include "settings/action/action_keys.hpp"
#include "settings/action/action_table.hpp"

namespace plaq::jobs {
namespace {

constexpr const char* steps = "trajectories";

Table gauge() {
  return {"gauge", "Gauge action, and first links of the Markov chain.",
          joined<Key>(
              {{field(&GaugeStartKeys::action, "action",
                      "Gauge action: plaquettes (wilson), with rectangles and c0 = 1 - 8 c1 (symanzik, "
                      "iwasaki, dbw2, "
                      "rectangles), or the one-loop action of Luescher and Weisz (luscher_weisz).")
                    .one_of({"wilson", "symanzik", "iwasaki", "dbw2", "rectangles", "luscher_weisz"}),
                field(&GaugeStartKeys::beta, "beta",
                      "Coupling 6/g^2; 10/g^2 of luscher_weisz, whose plaquettes have the coefficient 1.")
                    .within(0, 1000)
                    .need("5.6"),
                field(&GaugeActionKeys::c1, "c1", "Coefficient of rectangles, for action = \"rectangles\".")
                    .within(-10, 10)
                    .such_as("-0.0833333")
                    .without("that of the action"),
                field(&GaugeActionKeys::u0, "u0",
                      "Fourth root of the average plaquette, for action = \"luscher_weisz\".")
                    .between(0, 1.5),
                field(&GaugeActionKeys::flavours, "flavours",
                      "Flavours of sea quarks in the one-loop coefficients of luscher_weisz.")
                    .within(0, 12),
                field(&GaugeActionKeys::anisotropy, "anisotropy",
                      "Bare anisotropy xi: loops in space have beta/xi, loops with time beta xi.")
                    .between(0, 1000)},
               chain_start_keys(steps)})};
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
  const Names<Integrator> integrators{{"leapfrog", Integrator::leapfrog},
                                      {"omelyan2", Integrator::omelyan2},
                                      {"omelyan4", Integrator::omelyan4},
                                      {"force_gradient", Integrator::force_gradient}};
  return {
      "hmc",
      "Trajectories of molecular dynamics. With quarks, their forces act on the outer time scale, and the "
      "gauge "
      "force on an inner one.",
      {field(&HmcKeys::length, "length", "Length of a trajectory in molecular-dynamics time.")
           .between(0, 100),
       choice(&HmcKeys::integrator, "integrator",
              "Integrator of the outer time scale; without quarks the only one. omelyan4 and force_gradient "
              "are of "
              "fourth order.",
              integrators),
       field(&HmcKeys::steps, "steps", "Steps of the outer time scale in a trajectory.").within(1, 1e6),
       choice(&HmcKeys::gauge_integrator, "gauge_integrator", "Integrator of the gauge force, with quarks.",
              integrators),
       field(&HmcKeys::gauge_steps, "gauge_steps",
             "Steps of the gauge force in each drift of the outer time scale, with quarks. omelyan2 has two "
             "drifts "
             "in a step.")
           .within(1, 1e6),
       field(&HmcKeys::twists, "twists",
             "Twists mu of a Hasenbusch ladder, from the largest on: det Q^2 becomes det(Q^2 + mu_1^2), and "
             "ratios "
             "from each mu to the next one and from the last one to 0.")
           .between(0, 100)
           .such_as("[0.5, 0.1]"),
       field(
           &HmcKeys::unconditional, "unconditional",
           "Trajectories at the beginning that are accepted whatever dH is, so that a rough start can relax.")
           .within(0, 1e6),
       field(&HmcKeys::reversibility_every, "reversibility_every",
             "Trajectories from one that is integrated back, to measure its reversibility, to the next; 0: "
             "none is.")
           .within(0, 1e6)}};
}

Table solver() {
  return {"solver",
          "Solves of molecular dynamics by conjugate gradients on S^dagger S.",
          {field(&MdSolverSettings::force_tolerance, "force_tolerance",
                 "||b - A x|| / ||b|| of solves for forces.")
               .between(0, 1),
           field(&MdSolverSettings::action_tolerance, "action_tolerance",
                 "||b - A x|| / ||b|| of solves for H and for pseudofermions.")
               .between(0, 1),
           field(&MdSolverSettings::max_iterations, "max_iterations",
                 "Most iterations of a solve. A solve that needs more rejects its trajectory.")
               .within(1, 1e9),
           field(&MdSolverSettings::mixed, "mixed", "true: iterate in single precision inside double.")}};
}

bool has_quarks(const ActionKeys& keys) { return keys.mass || keys.kappa; }

void check_quarks(Problems& problems, const ActionKeys& keys, const HmcKeys& hmc) {
  if (keys.mass && keys.kappa)
    problems.add("action.kappa", "'mass' is given as well; give one of them (kappa = 1/(2(4 + mass)))");
  if (!has_quarks(keys) && !hmc.twists.empty())
    problems.add("hmc.twists", "needs quarks: kappa or mass in [action]");
  if (!has_quarks(keys) && keys.type->has_clover())
    problems.missing("action.kappa", "the quarks of the clover term; for example kappa = 0.125");
  if (hmc.twists.size() > 255)
    problems.add("hmc.twists", fmt::format("found {} twists, at most 255 are possible", hmc.twists.size()));
  for (std::size_t k = 0; k + 1 < hmc.twists.size(); ++k)
    if (hmc.twists[k] <= hmc.twists[k + 1])
      problems.add("hmc.twists", fmt::format("{} stands before {}: twists become smaller", hmc.twists[k],
                                             hmc.twists[k + 1]));
}

void check_gauge(Problems& problems, const GaugeStartKeys& gauge, const GaugeActionKeys& keys) {
  if (gauge.action == "rectangles" && !keys.c1)
    problems.missing("gauge.c1", "the coefficient of rectangles; for example c1 = -0.0833333");
  if (gauge.action != "rectangles" && keys.c1)
    problems.add("gauge.c1", "is read only with action = \"rectangles\"");
  if (gauge.action != "luscher_weisz" && keys.u0 != 1)
    problems.add("gauge.u0", "is read only with action = \"luscher_weisz\"");
  if (gauge.action != "luscher_weisz" && keys.flavours != 0)
    problems.add("gauge.flavours", "is read only with action = \"luscher_weisz\"");
  if (gauge.action == "luscher_weisz" && keys.anisotropy != 1)
    problems.add("gauge.anisotropy", "is not known for luscher_weisz");
}

// Rules of [action] but the first, which wants a mass: a job without one has no quarks.
std::vector<Rule> quark_rules() {
  std::vector<Rule> rules = action_rules(MassKeys::one, wilson_quarks());
  rules.erase(rules.begin());
  return rules;
}

}  // namespace

LoopWeights gauge_action_of(const Settings& job) {
  const auto start = job.get<GaugeStartKeys>();
  const auto keys = job.get<GaugeActionKeys>();
  if (start.action == "wilson") return wilson_gauge_action(start.beta, keys.anisotropy);
  if (start.action == "luscher_weisz") return luscher_weisz_gauge_action(start.beta, keys.u0, keys.flavours);
  const double c1 = start.action == "symanzik"  ? symanzik_c1
                    : start.action == "iwasaki" ? iwasaki_c1
                    : start.action == "dbw2"    ? dbw2_c1
                                                : keys.c1.value();
  return rectangle_gauge_action(start.beta, c1, keys.anisotropy);
}

std::optional<WilsonParameters> sea_quarks(const Settings& job) {
  if (!has_quarks(job.get<ActionKeys>())) return std::nullopt;
  return wilson_parameters(*action_parameters(job));
}

const Schema& hmc_schema() {
  static const Schema schema{
      "hmc",
      "Generate gauge fields by hybrid Monte Carlo, with two degenerate flavours of Wilson or clover quarks "
      "if [action] "
      "has a mass, or with the gauge action alone.",
      {top_table("hmc"), lattice_table(LatticeFrom::job), gauge(),
       action_table(MassKeys::one, wilson_quarks()), update(), hmc(), solver(),
       chain_output_table("trajectory", steps,
                          "dH, forces and iterations of each trajectory, and the observables"),
       comms_table(), run_table(), slurm_table()},
      joined<Rule>({common_rules(),
                    chain_rules(),
                    quark_rules(),
                    {{{"action.mass", "action.kappa", "hmc.twists"},
                      "Quarks have mass or kappa; twists belong to quarks and become smaller.",
                      check_quarks},
                     {{"gauge.action", "gauge.c1", "gauge.u0", "gauge.flavours", "gauge.anisotropy"},
                      "Each key of the gauge action must belong to it.",
                      check_gauge}}})};
  return schema;
}

}  // namespace plaq::jobs
