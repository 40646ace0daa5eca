// hmc: gauge fields by hybrid Monte Carlo, with flavours of Wilson or clover quarks or without.
#include "jobs/hmc/hmc_schema.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/system/error.hpp"
#include "jobs/chain/chain_plan.hpp"
#include "jobs/chain/chain_tables.hpp"
#include "jobs/hmc/hmc_terms.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/slurm_keys.hpp"
#include "quarks/action/action_smearing.hpp"
#include "settings/action/action_keys.hpp"
#include "settings/action/action_table.hpp"
#include "settings/gauge/gauge_action_table.hpp"
#include "settings/gauge/link_smearing.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {
namespace {

constexpr const char* steps = "trajectories";

Table gauge() {
  return {"gauge", "Gauge action, and first links of the Markov chain.",
          joined<Key>({gauge_action_keys("5.6"), chain_start_keys(steps)})};
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
      "quarks_ratio_1, ... for the twists, quarks_rational_1, ... for an odd flavour, and quarks_determinant "
      "for "
      "the clover term; for quarks of several masses the same with quarks_1, quarks_2, ... in place of "
      "quarks.",
      {field(&HmcKeys::length, "length", "Length of a trajectory in molecular-dynamics time.")
           .between(0, 100),
       field(&HmcKeys::flavours, "flavours",
             "Degenerate flavours of each mass in [action]. One flavour, and the third one of three, is a "
             "rational "
             "function of Q^2 ([rational]).")
           .within(1, 3)
           .such_as("[2, 1]")
           .without("2 of each mass"),
       field(&HmcKeys::twists, "twists",
             "Twists mu of a Hasenbusch ladder, from the largest on, for each pair of flavours: det Q^2 "
             "becomes "
             "det(Q^2 + mu_1^2), and ratios from each mu to the next one and from the last one to 0.")
           .between(0, 100)
           .such_as("[0.5, 0.1]"),
       field(
           &HmcKeys::time_scales, "time_scales",
           "Terms on each time scale, the slowest first, with spaces between them. A name such as quarks or "
           "quarks_2 stands for all terms that begin with it and are not named elsewhere.")
           .not_empty()
           .such_as("[\"quarks_ratio_2\", \"quarks\", \"gauge\"]")
           .without("[\"quarks\", \"gauge\"], or [\"gauge\"] without quarks"),
       field(&HmcKeys::steps, "steps",
             "Steps of each time scale: of the slowest one in a trajectory, of each further one in each "
             "drift of "
             "the scale before it. leapfrog has one drift in a step, omelyan2 and force_gradient have two, "
             "omelyan4 has five.")
           .within(1, 1e6)
           .not_empty()
           .need("[10, 4]"),
       choice(&HmcKeys::integrators, "integrators",
              "Integrator of each time scale. omelyan4 and force_gradient are of fourth order.",
              {{"leapfrog", Integrator::leapfrog},
               {"omelyan2", Integrator::omelyan2},
               {"omelyan4", Integrator::omelyan4},
               {"force_gradient", Integrator::force_gradient}})
           .with_repeats()
           .such_as("[\"omelyan2\", \"omelyan4\"]")
           .without("omelyan2 for all"),
       field(&HmcKeys::acceptance, "acceptance",
             "Share of trajectories to be accepted. During thermalisation the steps of the slowest time "
             "scale are "
             "chosen for it, from dH of every 10 trajectories; then they stay.")
           .between(0, 1)
           .such_as("0.85")
           .without("steps as given"),
       field(
           &HmcKeys::unconditional, "unconditional",
           "Trajectories at the beginning that are accepted whatever dH is, so that a rough start can relax.")
           .within(0, 1e6),
       field(&HmcKeys::reversibility_every, "reversibility_every",
             "Trajectories from one that is integrated back, to measure its reversibility, to the next; 0: "
             "none is.")
           .within(0, 1e6)}};
}

Table rational() {
  return {
      "rational",
      "The rational function r(x) near x^(-1/2) for an odd flavour: S = phi^dagger r(Q^2) phi.",
      {field(&RationalKeys::tolerance, "tolerance",
             "Largest relative error of r on its range. The fields have the weight of r: it deviates from "
             "that of the flavour by a variance of about 12 V tolerance^2.")
           .within(1e-14, 0.1),
       field(&RationalKeys::range, "range",
             "Smallest and largest eigenvalue of Q^2 for which r is good. A trajectory at whose start the "
             "spectrum leaves it is rejected.")
           .between(0, 1e6)
           .such_as("[0.001, 80.0]")
           .without("measured at the first trajectory and again after thermalisation, with the smallest "
                    "eigenvalue times 0.5 and the largest one times 1.1, and extended where the spectrum "
                    "leaves it"),
       field(
           &RationalKeys::factors, "factors",
           "Factors of r, each with a pseudofermion of its own: the first one has the smallest poles, which "
           "need most iterations and have the smallest forces.")
           .within(1, 16)}};
}

Table solver() {
  return {"solver",
          "Solves of molecular dynamics, by conjugate gradients on S^dagger S + mu^2 or with multigrid.",
          {optional_choice(
               &MdSolverSettings::multigrid, "preconditioner",
               "multigrid: systems without a twist are solved by gcr, as S^dagger y = b and S x = y, each "
               "to the tolerance. It is set up at the start of each trajectory, and refreshed within it "
               "when iterations become slower. The keys of [multigrid] are optional. Conjugate gradients "
               "take over where it fails.",
               {{"none", std::nullopt}, {"multigrid", MultigridOptions()}}),
           field(&MdSolverSettings::force_tolerance, "force_tolerance",
                 "||b - A x|| / ||b|| of solves for forces.")
               .between(0, 1),
           field(&MdSolverSettings::action_tolerance, "action_tolerance",
                 "||b - A x|| / ||b|| of solves for H and for pseudofermions.")
               .between(0, 1),
           field(&MdSolverSettings::max_iterations, "max_iterations",
                 "Most iterations of a solve. A solve that needs more rejects its trajectory.")
               .within(1, 1e9),
           optional_choice(
               &MdSolverSettings::inner_precision, "inner_precision",
               "Precision in which conjugate gradients iterate inside double. auto: half on a GPU, single "
               "on the host. A solve that stagnates is repeated in the next higher one.",
               {{"auto", std::nullopt},
                {"half", Precision::half_precision},
                {"single", Precision::single_precision},
                {"double", Precision::double_precision}})}};
}

void check_quarks(Problems& problems, const Settings& job) {
  const auto keys = job.get<ActionKeys>();
  const auto hmc = job.get<HmcKeys>();
  const bool one = keys.mass || keys.kappa, some = one || keys.has_many_masses();
  if (!some && !hmc.twists.empty())
    problems.add("hmc.twists", "needs quarks: kappa, kappas, mass or masses in [action]");
  if (!some && hmc.flavours)
    problems.add("hmc.flavours", "needs quarks: kappa, kappas, mass or masses in [action]");
  if (!some && keys.type->has_clover())
    problems.missing("action.kappa", "the quarks of the clover term; for example kappa = 0.125");
  const std::size_t masses = some ? masses_of(keys).size() : 0;
  if (some && hmc.flavours && hmc.flavours->size() != masses)
    problems.add("hmc.flavours", fmt::format("found {} numbers for {} masses", hmc.flavours->size(), masses));
  const auto quarks = sea_quarks(job);
  const auto has_odd =
      std::any_of(quarks.begin(), quarks.end(), [](const SeaQuarks& q) { return q.flavours % 2 == 1; });
  const auto has_pair =
      std::any_of(quarks.begin(), quarks.end(), [](const SeaQuarks& q) { return q.flavours >= 2; });
  if (some && !has_pair && !hmc.twists.empty())
    problems.add("hmc.twists", "needs a pair of flavours: a ladder has two flavours of a mass");
  for (std::size_t k = 0; k + 1 < hmc.twists.size(); ++k)
    if (hmc.twists[k] <= hmc.twists[k + 1])
      problems.add("hmc.twists", fmt::format("{} stands before {}: twists become smaller", hmc.twists[k],
                                             hmc.twists[k + 1]));
  const auto solver = job.get<MdSolverSettings>();
  if (!has_pair && solver.multigrid)
    problems.add("solver.preconditioner", "needs a pair of flavours, whose systems multigrid solves");
  const auto rational = job.get<RationalKeys>();
  if (!has_odd && rational.range) problems.add("rational.range", "needs an odd number of flavours in [hmc]");
  if (!has_odd && rational.factors != 1)
    problems.add("rational.factors", "needs an odd number of flavours in [hmc]");
  if (rational.range && (*rational.range)[0] >= (*rational.range)[1])
    problems.add("rational.range", "the first number must be less than the second one");
  const auto terms = terms_of(job);
  const auto pseudofermions =
      std::count_if(terms.begin(), terms.end(), [](const Term& term) { return term.has_pseudofermion(); });
  if (pseudofermions > 255)
    problems.add("hmc.twists",
                 fmt::format("the action has {} pseudofermions, at most 255 are possible", pseudofermions));
}

void check_smearing(Problems& problems, const Settings& job) {
  const auto [links, thin_clover] = job.get<ActionSmearing>();
  if (sea_quarks(job).empty()) {
    const char* needs = "needs quarks: kappa, kappas, mass or masses in [action]";
    if (links.smears()) problems.add("action_smearing.type", needs);
    if (thin_clover) problems.add("action_smearing.clover_links", needs);
    return;
  }
  if (links.smears() && links.type != LinkSmearingKind::stout)
    return problems.add("action_smearing.type",
                        fmt::format("forces of quarks on {} links are not known; take \"stout\"",
                                    link_smearing_names().of(links.type)));
  if (links.smears() && links.rho > StoutSmearer::largest_rho)
    return problems.add("action_smearing.rho", fmt::format("forces need a rho of at most {}, found {}",
                                                           StoutSmearer::largest_rho, links.rho));
  action_smearing_rule().check(problems, job);
}

void check_tuning(Problems& problems, const HmcKeys& hmc, const ChainKeys& chain) {
  if (hmc.acceptance && chain.thermalization < 10)
    problems.add(
        "hmc.acceptance",
        fmt::format("steps are chosen after every 10 trajectories of thermalisation, and [update] has {}",
                    chain.thermalization));
}

void check_time_scales(Problems& problems, const Settings& job) {
  const auto keys = job.get<HmcKeys>();
  const std::size_t scales = terms_on_scales(job, problems).size();
  if (keys.steps.size() != scales)
    problems.add("hmc.steps", fmt::format("found {} numbers for {} time scales", keys.steps.size(), scales));
  if (!keys.integrators.empty() && keys.integrators.size() != scales)
    problems.add("hmc.integrators",
                 fmt::format("found {} names for {} time scales", keys.integrators.size(), scales));
}

// Rules of [action]; a job without a mass has no quarks, and no rule about their mass.
std::vector<Rule> quark_rules() {
  std::vector<Rule> rules = action_rules(MassKeys::any, wilson_quarks());
  const Rule::Check check = rules.front().check;
  rules.front().text =
      "At most one of mass, kappa, masses and kappas is given, and no mass twice: kappa = 1/(2(4 + "
      "mass)). Without any the action is that of the gauge field alone.";
  rules.front().check = [check](Problems& problems, const Settings& job) {
    const auto keys = job.get<ActionKeys>();
    if (keys.mass || keys.kappa || keys.has_many_masses()) check(problems, job);
  };
  return rules;
}

}  // namespace

const Schema& hmc_schema() {
  static const Schema schema{
      "hmc",
      "Generate gauge fields by hybrid Monte Carlo, with flavours of Wilson or clover quarks if [action] has "
      "masses, or with the gauge action alone.",
      {top_table("hmc"), lattice_table(LatticeFrom::job), gauge(),
       action_table(MassKeys::any, wilson_quarks()), action_smearing_table(), update(), hmc(), rational(),
       solver(), multigrid_table(),
       chain_output_table("trajectory", steps,
                          "dH, forces and iterations of each trajectory, and the observables"),
       comms_table(), run_table(), slurm_table()},
      joined<Rule>(
          {common_rules(),
           chain_rules(),
           quark_rules(),
           multigrid_rules(),
           {{{"action.type", "action.mass", "action.kappa", "action.masses", "action.kappas", "action.c_sw",
              "action.c_r", "action.c_t", "action.xi", "action.nu", "action.boundary", "hmc.flavours",
              "hmc.twists", "solver.preconditioner", "rational.range", "rational.factors"},
             "Flavours, twists, multigrid and [rational] belong to quarks; flavours are as many as masses, "
             "and "
             "twists become smaller.",
             check_quarks},
            {{"action.type", "action.mass", "action.kappa", "action.masses", "action.kappas", "action.c_sw",
              "action.c_r", "action.c_t", "action.xi", "action.nu", "action.boundary", "hmc.flavours",
              "hmc.twists", "rational.factors", "hmc.time_scales", "hmc.steps", "hmc.integrators"},
             "Each term is on one time scale, and steps and integrators are as many as these.",
             check_time_scales},
            {{"action_smearing.type", "action_smearing.spatial", "action_smearing.steps",
              "action_smearing.rho", "action_smearing.allow_unstable", "action_smearing.clover_links",
              "action.type", "action.mass", "action.kappa", "action.masses", "action.kappas"},
             "Quarks act on thin or stout links. rho is at most 0.125, in space alone 0.167, and with "
             "allow_unstable 0.5. clover_links is of clover quarks on smeared links.",
             check_smearing},
            {{"hmc.acceptance", "update.thermalization"},
             "acceptance needs a thermalisation of at least 10 trajectories.",
             check_tuning},
            gauge_action_rule()}})};
  return schema;
}

}  // namespace plaq::jobs
